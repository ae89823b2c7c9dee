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
