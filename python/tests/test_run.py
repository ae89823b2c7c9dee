"""Runs, states, events, parts of runs, pickles."""

import multiprocessing
import pickle
from operator import methodcaller

import numpy as np
import pytest

import kugelbahn as kb


def same(a, b):
    return a.events.tobytes() == b.events.tobytes() and a.at(np.linspace(0, a.end, 99)).tobytes() == b.at(np.linspace(0, b.end, 99)).tobytes()


def test_events_and_states(throw):
    run = throw.run(1.0)
    fall = np.sqrt(2.0 / 9.81)
    assert run.events.kind.tolist() == ["impact", "impact"][: len(run.events)]
    assert abs(run.events.time[0] - fall) < 1e-15
    states = run.at(np.array([[0.0, 0.1], [0.2, 0.3]]))
    assert states.position.shape == (2, 2, 2)
    np.testing.assert_allclose(states.position[..., 1], 1 - 0.5 * 9.81 * states.time**2, atol=1e-15)
    assert run.at(0.25).position[0] == 0.25
    assert run.at(0.25).phase == "flight"


def test_in_any_order_times_give_the_same_states(sim):
    run = sim.run(3.05)
    times = np.linspace(0.0, run.end, 1001)
    shuffled = np.random.default_rng(1).permutation(1001)
    assert run.at(times[shuffled]).tobytes() == run.at(times)[shuffled].tobytes()


def test_frames(throw):
    run = throw.run(1.0)
    for kind in ("polars", "pandas", "pyarrow"):
        frame = run.events_frame(kind)
        assert list(np.asarray(frame["time"])) == list(run.events.time)


def test_until_and_resume(throw):
    first = throw.replace(until="impact").run(5.0)
    assert len(first.events) == 1 and first.stop is None
    second = first.resume(5.0)
    assert len(second.events) == 2
    assert second.events[:1].tobytes() == first.events.tobytes()
    by_call = throw.replace(until=lambda event: event.index == 1).run(5.0)
    assert same(by_call, second)
    whole = throw.run(1.0)
    np.testing.assert_allclose(throw.run(0.6).resume(1.0).events.time, whole.events.time, rtol=1e-13)


def test_replace(throw, sim):
    higher = throw.replace(position=(0, 2))
    assert higher.run(1.0).at(0.0).position.tolist() == [0, 2]
    assert higher.run(1.0).at(0.0).velocity.tolist() == [1, 0]
    assert throw.replace(restitution=0.8).replace(restitution=0.5).run(1.0).events.tobytes() == throw.run(1.0).events.tobytes()
    assert same(sim.replace(**{"contact.restitution": 0.4}).run(2.0), sim.replace(restitution=0.4).run(2.0))
    rolling = kb.Simulation(ball=kb.Ball.disc(1.0, 0.1), ground=kb.Ground.graph("0"), x=0.0, speed=2.0, friction=0.5)
    assert abs(rolling.run(1.0).at(1.0).position[0] - 2.0) < 1e-14
    assert rolling.replace(speed=1.0).run(1.0).at(0.0).velocity[0] == 1.0


def test_toml(sim, tmp_path):
    text = sim.to_toml()
    assert same(kb.Simulation.from_toml(text).run(3.05), sim.run(3.05))
    file = tmp_path / "scenario.toml"
    file.write_text(text)
    assert same(kb.Simulation.from_toml(file).run(3.05), sim.run(3.05))


def test_grounds_of_points():
    x = np.linspace(-1.0, 1.0, 21)
    xy = np.column_stack([x, x**2])
    ball = kb.Ball.point(1.0)
    for ground in (kb.Ground.spline(xy), kb.Ground.polyline(xy), kb.Ground.smoothing_spline(xy, largest_deviation=1e-3),
                   kb.Ground.smoothing_spline(xy, 1e-4), kb.Ground.smoothing_spline(xy)):
        run = kb.Simulation(ball=ball, ground=ground, position=(0.1, 1.0)).run(0.5)
        assert abs(run.events.y[0] - 0.01) < 3e-3
        assert pickle.loads(pickle.dumps(ground)).lines(-1, 1)[0].tobytes() == ground.lines(-1, 1)[0].tobytes()


def test_watches(sim):
    watched = sim.replace(watch={"gate": {"x": 1.0, "direction": "up"}, "top": {"height": "apex"}}, until=["watch.gate", "t=2"])
    run = watched.run(3.05)
    assert run.events.kind.tolist() == ["impact", "watch"] and run.events.name.tolist() == ["", "gate"]
    assert run.end == run.events.time[-1] and abs(run.at(run.end).position[0] - 1.0) < 1e-15
    assert same(pickle.loads(pickle.dumps(run)), run)
    told = []
    longer = watched.replace(until="t=2").run(3.05, observer=lambda event: told.append((event.index, event.kind, event.name, event.time)))
    assert told == longer.events[["index", "kind", "name", "time"]].tolist()
    assert "top" in longer.events.name and longer.end == 2.0
    # Watching changes no step.
    plain = sim.run(2.0)
    assert longer.at(np.linspace(0, 2, 99)).tobytes() == plain.at(np.linspace(0, 2, 99)).tobytes()
    assert longer.resume(2.5).events.name.dtype == longer.events.name.dtype
    assert watched.replace(watch={}, until="t=2").run(3.05).events.time.tolist() == plain.events.time.tolist()


def test_a_smoothing_spline_leaves_the_noise():
    x = np.linspace(-1.0, 1.0, 401)
    y = np.sin(3 * x)
    noisy = np.column_stack([x, y + np.random.default_rng(4).normal(0.0, 0.01, 401)])
    for how in ({}, {"sigma": 0.01}):
        smooth = np.interp(x, *kb.Ground.smoothing_spline(noisy, **how).lines(-1, 1)[0].T)
        assert np.sqrt(np.mean((smooth - y) ** 2)) < 0.005, how
    # Noise that is not there is not smoothed away.
    fine = np.interp(x, *kb.Ground.smoothing_spline(noisy, 1e-6).lines(-1, 1)[0].T)
    assert np.abs(fine - noisy[:, 1]).max() < 1e-5


def test_pickles_make_the_same_runs(sim, throw):
    assert pickle.loads(pickle.dumps(kb.Ball.point(2.0))) == kb.Ball.point(2.0)
    run = sim.run(3.05)
    assert same(pickle.loads(pickle.dumps(run)), run)
    assert same(pickle.loads(pickle.dumps(sim.replace(restitution=0.3, **{"contact.friction": 0.1}))).run(2.0), sim.replace(restitution=0.3, friction=0.1).run(2.0))
    parts = throw.replace(until="impact").run(5.0).resume(2.0).resume(2.5)
    assert same(pickle.loads(pickle.dumps(parts)), parts)
    of_file = kb.Simulation.from_toml(sim.to_toml()).replace(friction=0.4)
    assert same(pickle.loads(pickle.dumps(of_file)).run(2.0), of_file.run(2.0))


def test_moments_end_runs(throw):
    assert throw.replace(until="t=0.25").run(5.0).end == 0.25
    third = throw.replace(until=["impact.3", "t=4"]).run(5.0)
    assert third.events.kind.tolist() == ["impact"] * 3 and third.end == third.events.time[-1]
    # The last one said holds.
    assert len(throw.replace(until=["impact.3"]).replace(until="impact").run(5.0).events) == 1


def test_multiprocessing(sim):
    sims = [sim.replace(restitution=e) for e in (0.5, 0.6, 0.7, 0.8)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        runs = pool.map_async(methodcaller("run", 3.05), sims).get(60)
    assert all(same(run, sim.run(3.05)) for run, sim in zip(runs, sims, strict=True))


def test_sensitivities(throw):
    """y after the first impact is 1·e²-like: by differences of whole runs."""
    found = throw.run(0.8).sensitivities(["contact.restitution", "initial.velocity.x"], [0.2, 0.8])
    assert found["states"].shape == (2, 6, 2) and found["events"].shape == (len(found["event_times"]), 6, 2)
    h = 1e-6
    ends = [throw.replace(restitution=0.5 + d).run(0.8).at(0.8) for d in (-h, h)]
    difference = (ends[1].position - ends[0].position) / (2 * h)
    np.testing.assert_allclose(found["states"][1, :2, 0], difference, atol=1e-8)
    np.testing.assert_allclose(found["states"][:, 0, 1], [0.2, 0.8], atol=1e-12)


def test_pictures(sim):
    import matplotlib

    matplotlib.use("Agg")
    run = sim.run(3.05)
    figure = run.plot()
    assert len(figure.axes) == 4
    assert run._repr_html_().startswith("<iframe srcdoc=")
    assert "<canvas" in run.html()


@pytest.mark.parametrize("kind", ["impact", "landing"])
def test_kinds_of_until(sim, kind):
    assert sim.replace(until=kind).run(3.05).events.kind[-1] == kind
