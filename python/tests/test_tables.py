"""Tables as people have them."""

import numpy as np
import pytest

import kugelbahn as kb


@pytest.fixture
def film(throw):
    sim = throw.replace(keys={"solver.duration": 1.2})
    path = sim.replace(restitution=0.73).run(1.2).at(np.arange(0, 1.2, 0.01))
    return sim, path.time, path.position[:, 0].copy(), path.position[:, 1].copy()


def restitution(table, sim, **more):
    return kb.fit(table, sim, "restitution", sigma=1e-4, **more)["parameters"][0]["estimate"]


def test_what_is_masked_was_not_seen(film):
    sim, t, x, y = film
    hidden = np.zeros(len(t), bool)
    hidden[10:20] = True
    wrong = np.where(hidden, 9.0, y)
    masked = restitution({"t": t, "x": x, "y": np.ma.masked_array(wrong, hidden)}, sim)
    assert masked == restitution({"t": t, "x": x, "y": np.where(hidden, np.nan, y)}, sim) == pytest.approx(0.73, abs=1e-6)


def test_rows_frames_and_words(film):
    sim, t, x, y = film
    expected = restitution(np.column_stack([t, x, y]), sim)
    assert restitution(list(zip(t, x, y)), sim) == expected
    assert restitution({"t": t, "x": x, "y": y, "who": ["a"] * len(t)}, sim) == expected
    arrow = pytest.importorskip("pyarrow")
    assert restitution(arrow.table({"t": t, "x": x, "y": y}), sim) == expected


@pytest.mark.parametrize("table", [[], [(1, 2)], [("a", "b", "c")], 3.0, None, {"t": [1.0]}])
def test_what_is_no_table(film, table):
    with pytest.raises(kb.InputError):
        restitution(table, film[0])


@pytest.mark.parametrize("down", ["no", 1, np.zeros(3)])
def test_down_is_true_or_false(film, down):
    sim, *columns = film
    with pytest.raises(kb.InputError, match="y_down"):
        restitution(np.column_stack(columns), sim, y_down=down)


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_frames_without_rows_have_the_same_types(throw, kind):
    pytest.importorskip(kind)
    frames = [throw.run(end).events_frame(kind) for end in (0.1, 1.0)]
    assert frames[0].schema == frames[1].schema


def test_files_are_read_as_the_command_line_reads_them(film, tmp_path):
    sim, t, x, y = film
    path = tmp_path / "film.txt"
    rows = "".join(f"{i}\t{a:.9f}\t{b:.9f}\n" for i, (a, b) in enumerate(zip(x, y)))
    path.write_bytes(("Balle film\u00e9e\nframe\tx\ty\n" + rows).encode("latin-1"))
    for file in (path, str(path)):
        assert restitution(file, sim, fps=100.0) == pytest.approx(0.73, abs=1e-5)
    with pytest.raises(kb.InputError, match="nowhere.csv"):
        restitution(tmp_path / "nowhere.csv", sim)


def test_start_end_and_track(film):
    sim, t, x, y = film
    # Held for 0.3 s, and caught at 1.3 s.
    held, caught = np.full((30, 3), np.nan), np.full((20, 3), np.nan)
    held[:, 0], held[:, 1], held[:, 2] = np.arange(30) * 0.01, x[0], y[0]
    caught[:, 0], caught[:, 1], caught[:, 2] = 1.5 + np.arange(20) * 0.01, 9.0, 9.0
    table = np.vstack([held, np.column_stack([t + 0.3, x, y]), caught])
    assert abs(restitution(table, sim, start=0.3, end=1.49) - restitution(np.column_stack([t, x, y]), sim)) < 1e-14
    several = {"t": np.tile(t, 2), "x": np.tile(x, 2), "y": np.concatenate([y, y + 1]), "track": np.repeat([1, 2], len(t))}
    with pytest.raises(kb.InputError, match="several tracks"):
        restitution(several, sim)
    assert restitution(several, sim, track="1.0") == pytest.approx(0.73, abs=1e-6)
    with pytest.raises(kb.InputError, match="start"):
        restitution(table, sim, start=np.inf)


def test_camera_finds_a_picture_that_is_turned(film):
    sim, t, x, y = film
    turned = np.column_stack([t, np.cos(0.02) * x - np.sin(0.02) * y, np.sin(0.02) * x + np.cos(0.02) * y])
    turned[:, 1:] += np.random.default_rng(3).normal(0, 1e-4, (len(t), 2))
    plain, camera = (kb.fit(turned, sim, "restitution", camera=camera) for camera in (False, True))
    keys = {parameter["key"]: parameter["estimate"] for parameter in camera["parameters"]}
    assert plain["residuals"]["verdict"] == "camera" and camera["residuals"]["verdict"] == "noise"
    assert keys["camera.tilt"] == pytest.approx(0.02, abs=2e-3)
