"""Force, observer and `until` as callables: what they raise comes out as it went in."""

import pickle
import os
import signal
import threading
import time
import _thread

import numpy as np
import pytest

import kugelbahn as kb


class Odd(Exception):
    pass


def wind(t, x, y, vx, vy):
    return (0.3, -0.1 * vy)


def test_a_force_is_that_of_its_formula(sim):
    called = sim.replace(force=wind).run(1.0).at(1.0)
    formula = sim.replace(force=("0.3", "-0.1*vy")).run(1.0).at(1.0)
    np.testing.assert_allclose(called.position, formula.position, rtol=1e-7)
    again = pickle.loads(pickle.dumps(sim.replace(force=wind)))
    assert again.run(1.0).at(1.0).tobytes() == called.tobytes()
    with pytest.raises(kb.InputError, match="force that is a function of a program"):
        sim.replace(force=wind).to_toml()


def test_exceptions_come_out(sim):
    odd = Odd("here")

    def bad(*_):
        raise odd

    for run in (lambda: sim.replace(force=bad).run(1.0), lambda: sim.run(1.0, observer=bad), lambda: sim.replace(until=bad).run(1.0)):
        with pytest.raises(Odd) as raised:
            run()
        assert raised.value is odd
    # Nothing of it is left for the next run.
    assert sim.run(1.0).end == 1.0


@pytest.mark.parametrize("answer", [None, 1.0, (1, 2, 3), ("a", "b"), (float("nan"), 0.0)])
def test_a_force_that_is_none(sim, answer):
    with pytest.raises(kb.InputError, match="what force returned"):
        sim.replace(force=lambda *_: answer).run(1.0)


def heun(t, x, y, vx, vy, h, acceleration):
    ax, ay = acceleration(t, x, y, vx, vy)
    bx, by = acceleration(t + h, x + h * vx, y + h * vy, vx + h * ax, vy + h * ay)
    return x + h * vx + 0.5 * h * h * ax, y + h * vy + 0.5 * h * h * ay, vx + 0.5 * h * (ax + bx), vy + 0.5 * h * (ay + by)


def newton(un, ut, mobility, e, mu):
    pn = -(1 + e) * un / mobility[0][0]
    return pn, max(-mu * pn, min(mu * pn, -ut / mobility[1][1]))


def test_a_scheme_is_of_its_order_and_an_impact_is_that_of_its_law(sim):
    thrown = sim.replace(drag=0.05)
    exact = thrown.replace(method="dop853", tolerance=1e-12).run(0.3).at(0.3).position
    errors = [np.linalg.norm(thrown.replace(scheme=(heun, 2)).replace(step=h).run(0.3).at(0.3).position - exact) for h in (0.02, 0.01)]
    assert 3.5 < errors[0] / errors[1] < 4.5
    bounced, own = (run.run(1.5).events["time"] for run in (sim, sim.replace(impact=newton)))
    np.testing.assert_allclose(own[:5], bounced[:5], rtol=1e-9)
    again = pickle.loads(pickle.dumps(sim.replace(impact=newton, scheme=(heun, 2))))
    assert again.run(0.3).at(0.3).tobytes() == sim.replace(impact=newton, scheme=(heun, 2)).run(0.3).at(0.3).tobytes()


def test_exceptions_of_schemes_and_laws_come_out(sim):
    odd = Odd("here")

    def bad(*_):
        raise odd

    for made in (sim.replace(drag=0.05, scheme=(bad, 1)), sim.replace(impact=bad)):
        with pytest.raises(Odd) as raised:
            made.run(1.5)
        assert raised.value is odd
    with pytest.raises(kb.InputError, match="what the scheme returned"):
        sim.replace(drag=0.05, scheme=(lambda *_: 1.0, 1)).run(1.0)
    with pytest.raises(kb.InputError, match="its order"):
        sim.replace(scheme=heun)


def test_an_observer_hears_of_every_event(sim):
    heard = []
    run = sim.run(3.05, observer=heard.append)
    assert [event.time for event in heard] == run.events.time.tolist()


LONG = """
ball = { mass = 1, radius = 0.05 }
initial = { position = [0.1, 1], velocity = [1, 0] }
ground = { curve = { kind = "graph", y = "0.25*sin(pi*x)^2 + 0.05*x^2" } }
contact = { restitution = 1 }
solver = { duration = 1e7, limit = 1000000000000 }
"""


def interrupted(work, cores=1):
    """Seconds that each core worked from Ctrl-C to its exception, whatever else the machine does."""
    sent = []

    def send():
        sent.append(time.process_time())
        _thread.interrupt_main()

    timer = threading.Timer(0.5, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.cancel()
    return (time.process_time() - sent[0]) / cores


def test_ctrl_c_stops_a_run(sim):
    long = kb.Simulation.from_toml(LONG)
    assert interrupted(long.run) < 0.1
    assert sim.run(1.0).end == 1.0


def test_ctrl_c_stops_a_sweep(sim):
    many = {"contact.restitution": np.linspace(0, 0.99, 100_000), "contact.friction": np.linspace(0, 1, 50)}
    # Loads the library of frames: half a second may end within that, and it would stay loaded in part.
    kb.sweep(sim, {"contact.friction": [0.5]}, observe=["end.time"])
    assert interrupted(lambda: kb.sweep(kb.Simulation.from_toml(sim.to_toml()), many, observe=["end.time"]), os.cpu_count()) < 0.1


def test_threads_run_side_by_side():
    """The GIL is free: Python goes on while a run is made."""
    count, ended = 0, threading.Event()
    sim = kb.Simulation.from_toml(LONG.replace("1e7", "1e5"))

    def work():
        sim.run()
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while count <= 5 and not ended.is_set():
        count += 1
        time.sleep(1e-3)
    thread.join()
    assert count > 5


SIM = kb.Simulation(ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05), ground=kb.Ground.graph("0.25*sin(pi*x)"), restitution=0.7,
                    friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0))


def test_runs_within_runs_end():
    depth = []

    def again(event):
        depth.append(event.time)
        SIM.run(3.05, observer=again)

    def deep():
        with pytest.raises(RecursionError, match="under way"):
            SIM.run(3.05, observer=again)

    deep()
    assert 8 < len(depth) < 20
    # A thread has less room.
    thread = threading.Thread(target=deep)
    thread.start()
    thread.join()
    # One within the other is nothing special.
    inner = []
    SIM.run(3.05, observer=lambda event: inner.append(SIM.run(1.0).end) if event.index < 3 else None)
    assert inner == [1.0] * 3


def test_states_can_be_interrupted():
    run = SIM.run(3.05)
    times = np.linspace(0.0, 3.0, 6_000_000)
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            run.at(times)
