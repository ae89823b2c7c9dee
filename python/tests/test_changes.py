"""Variants, copies and what holds what."""

import gc
import multiprocessing
import pickle
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import kugelbahn as kb


def e(sim):
    """The restitution that runs show."""
    event = sim.run(1.0).events[0]
    return -event.normal_velocity_after / event.normal_velocity_before


def push(*_):
    return (0.1, 0.0)


def by_file(sim):
    return kb.Simulation.from_toml(sim.to_toml())


@pytest.mark.parametrize("made", [lambda sim: sim, by_file])
def test_the_later_value_holds(throw, made):
    # By whatever name, in run, pickle, text and further variants.
    steps = [
        ({"restitution": 0.9}, 0.9), ({"keys": {"contact.restitution": 0.6}}, 0.6), ({"restitution": 0.7}, 0.7),
        ({"contact.restitution": 0.3}, 0.3), ({"contact.restitution": 0.8}, 0.8),
    ]
    sim = made(throw)
    for change, expected in steps:
        sim = sim.replace(**change)
        for one in (sim, pickle.loads(pickle.dumps(sim)), by_file(sim), sim.replace(keys={"solver.limit": 1000}), sim.replace(friction=0.0)):
            assert e(one) == pytest.approx(expected, abs=1e-12)


def test_starts_and_steps_in_their_order(throw):
    pushed = throw.replace(keys={"initial.velocity.x": 5.0}).replace(position=(0, 2))
    assert pickle.loads(pickle.dumps(pushed)).run(0.1).at(0.0).velocity[0] == pushed.run(0.1).at(0.0).velocity[0] == 5.0
    stepped = throw.replace(keys={"solver.step": 1e-3}).replace(tolerance=1e-6)
    assert stepped.to_toml() == pickle.loads(pickle.dumps(stepped)).to_toml() and "1e-6" in stepped.to_toml().replace("0.000001", "1e-6")
    # Keys are put at once: none alone would fit.
    ball = kb.Simulation(ball=kb.Ball(1.0, 0.1, 0.4), ground=kb.Ground.graph("0"), position=(0, 0.2))
    assert ball.replace(keys={"ball.radius": 0.5, "initial.position": (0, 1)}).run(0.1).at(0.0).position[1] == 1.0
    other = throw.replace(restitution=0.9).replace(ball=kb.Ball.point(2.0))
    assert e(other) == pytest.approx(0.9, abs=1e-12)


def test_what_is_found_is_what_runs(throw):
    sim = throw.replace(keys={"solver.duration": 1.2}).replace(restitution=0.8)
    path = sim.replace(restitution=0.73).run(1.2).at(np.arange(0, 1.2, 0.01))
    table = {"t": path.time, "x": path.position[:, 0], "y": path.position[:, 1]}
    found = kb.fit(table, sim, "restitution", sigma=1e-4)
    assert e(found["simulation"]) == pytest.approx(found["parameters"][0]["estimate"], abs=1e-12)
    again = pickle.loads(pickle.dumps(found["simulation"].replace(restitution=0.9)))
    assert e(again) == pytest.approx(0.9, abs=1e-12)


def test_none_takes_away(throw):
    assert throw.replace(until="impact").replace(until=None).run(2.0).end == 2.0
    assert throw.replace(until=["impact.1"]).replace(until=None).run(2.0).end == 2.0
    assert throw.replace(force=push).replace(force=None).run(0.2).at(0.2).velocity[0] == 1.0
    assert throw.replace(force=("1", "0")).replace(force=None).run(0.2).at(0.2).velocity[0] == 1.0
    assert "watch" not in throw.replace(watch={"gate": {"x": 0.5}}).replace(watch=None).run(1.0).events.kind
    with pytest.raises(kb.InputError, match="restitution = None"):
        throw.replace(restitution=None)


def test_formulas_take_the_place_of_a_callable(throw):
    pushed = throw.replace(force=push)
    for sim in (pushed.replace(force=("0.5", "0")), pushed.replace(keys={"forces.external": '{ x = "0.5", y = "0" }'})):
        for one in (sim, pickle.loads(pickle.dumps(sim)), by_file(sim)):
            assert one.run(0.2).at(0.2).velocity[0] == pytest.approx(1.1, abs=1e-12)


def test_until_is_kept_or_refused(throw):
    sim = throw.replace(until="impact", keys={"solver.duration": 5.0})
    assert len(by_file(sim).run().events) == len(sim.run().events) == 1
    assert kb.sweep(sim, {"restitution": [0.5]}, observe="end.time")["end.time"][0] == sim.run().end
    call = throw.replace(until=lambda event: True)
    for use in (call.to_toml, lambda: kb.sweep(call, {"restitution": [0.5]}), lambda: kb.aim(call, "velocity.x", targets="impact.1.x = 1")):
        with pytest.raises(kb.InputError, match="until"):
            use()


def test_stopped_comes_back(throw):
    sim = throw.replace(restitution=0.9, keys={"solver.limit": 4})
    with pytest.raises(kb.Stopped) as raised:
        sim.run(10.0)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.run.end == raised.value.run.end
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(kb.Stopped):
        pool.apply_async(sim.run, (10.0,)).get(60)


def test_exceptions_come_out_where_they_were_raised(throw):
    bad = []

    def force(*_):
        if bad:
            raise RuntimeError("boom")
        return (0.0, 0.0)

    run = throw.replace(force=force).run(1.0)
    bad.append(1)
    with pytest.raises(RuntimeError, match="boom"):
        run.html()
    assert throw.replace(force=push).run(1.0).end == 1.0


class Model:
    def __init__(self, **what):
        call = {"force": self.force, "until": self.ends}
        self.sim = kb.Simulation(
            ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.5,
            **{name: call[name] for name in what},
        )
        self.run = self.sim.run(0.5)

    def force(self, t, x, y, vx, vy):
        return (0.1, 0.0)

    def ends(self, event):
        return False


@pytest.mark.parametrize("what", ["force", "until"])
def test_cycles_are_freed(what):
    alive = [weakref.ref(Model(**{what: True})) for _ in range(20)]
    gc.collect()
    assert not any(one() for one in alive)


def test_a_force_lives_as_long_as_its_runs():
    def run():
        return Model(force=True).sim.replace(restitution=0.4).run(0.3)

    made = run()
    gc.collect()
    assert made.at(0.3).velocity[0] == pytest.approx(0.03, abs=1e-12) and made.resume(0.4).end == 0.4


@pytest.mark.parametrize("size", [256 << 10, 1 << 20])
def test_calls_within_calls_end(throw, size):
    told = []

    def force(t, *_):
        runs[-1].at(0.1)
        return (0.0, 0.0)

    runs = [throw.run(0.2)]
    sim = throw.replace(force=force)
    runs.append(sim.run(0.2))

    def work():
        try:
            runs[-1].at(0.05)
        except RecursionError as error:
            told.append(error)

    before = threading.stack_size(size)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert "calls are under way" in str(told[0])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize("work", [
    lambda run: run.sensitivities(["restitution", "velocity.x", "gravity"], np.linspace(0, 60, 3000)),
    lambda run: [run.html() for _ in range(1000)],
])
def test_ctrl_c_is_heard_at_once(sim, work):
    run = sim.replace(restitution=0.97).run(60.0)

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.process_time()
        with pytest.raises(KeyboardInterrupt):
            work(run)
        assert time.process_time() - start < 1.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_a_path_with_an_equals_sign(tmp_path, throw):
    folder = tmp_path / "e=0.7"
    folder.mkdir()
    (folder / "s.toml").write_text(throw.to_toml())
    assert kb.Simulation.from_toml(str(folder / "s.toml")).to_toml() == throw.to_toml()


def test_rows_of_sensitivities(throw):
    run = throw.replace(watch={"gate": {"x": 0.2}}).run(1.0)
    found = run.sensitivities(["restitution"], [0.5, 1.0])
    assert len(found["event_rows"]) == len(found["events"])
    assert set(run.events.kind[found["event_rows"]]) == {"impact"}
    with pytest.raises(kb.InputError, match="ascend"):
        run.sensitivities(["restitution"], [1.0, 0.5])


def test_events_are_read_only(throw):
    with pytest.raises(ValueError):
        throw.run(1.0).events.time[0] = 3.0
