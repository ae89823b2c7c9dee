"""compare, converge, aim, fit, sweep: small cases whose answers are known."""

import numpy as np
import pytest

import kugelbahn as kb

G = 9.81


def column(frame, name):
    return np.asarray(frame[name], dtype=float)


def test_sweep_is_a_run_a_row(throw):
    e = np.linspace(0.1, 0.9, 9)
    frame = kb.sweep(throw.replace(**{"solver.duration": 1.0}), {"contact.restitution": e}, observe=["impact.1.time", "impact.2.time"])
    fall = np.sqrt(2 / G)
    np.testing.assert_allclose(column(frame, "impact.1.time"), fall, rtol=1e-14)
    second = column(frame, "impact.2.time")
    there = fall * (1 + 2 * e) <= 1.0
    np.testing.assert_allclose(second[there], (fall * (1 + 2 * e))[there], rtol=1e-13)
    assert np.isnan(second[~there]).all() and len(second) == 9


def test_threads_change_no_bit(sim):
    long = sim.replace(**{"solver.duration": 2.0})
    one, three = (kb.sweep(long, sample={"contact.restitution": "uniform(0.3, 0.9)"}, count=50, observe="end.x", threads=n) for n in (1, 3))
    assert column(one, "end.x").tobytes() == column(three, "end.x").tobytes()


def test_aim_at_a_place(throw):
    found = kb.aim(throw.replace(**{"solver.duration": 1.0}), "initial.velocity.x", targets=["impact.1.x = 2.0"])
    run = found["simulation"].run(1.0)
    assert abs(run.events.x[0] - 2.0) < 1e-9
    assert abs(run.at(0).velocity[0] - 2.0 / np.sqrt(2 / G)) < 1e-8


def test_fit_finds_what_made_the_table(throw):
    long = throw.replace(**{"solver.duration": 1.2})
    truth = long.replace(restitution=0.73).run(1.2)
    states = truth.at(np.linspace(0.0, 1.2, 61))
    noise = np.random.default_rng(5).normal(0.0, 1e-3, (61, 2))
    table = np.column_stack([states.time, states.position + noise])
    found = kb.fit(table, long, ["contact.restitution"])
    (parameter,) = found["parameters"]
    assert abs(parameter["estimate"] - 0.73) < 4 * parameter["standard_error"] < 0.02
    for kind in ("polars", "pandas"):
        frame = __import__(kind).DataFrame({"t": table[:, 0], "x": table[:, 1], "y": table[:, 2]})
        assert kb.fit(frame, long, "contact.restitution")["parameters"] == found["parameters"]


def test_converge_sees_the_order_of_newmark(throw):
    roll = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0.5*x^2"), x=0.3, speed=0.0)
    frame = kb.converge(roll.replace(**{"solver.duration": 1.0}), "newmark:arc-length", [0.02, 0.01, 0.005], observe="x")
    orders = column(frame, "order")
    assert np.nanmin(orders) > 1.9 and np.nanmax(orders) < 2.1


def test_compare_gives_a_row_a_method(throw):
    drag = throw.replace(**{"solver.duration": 1.0, "forces.drag.coefficient": 0.05})
    frame = kb.compare(drag, ["newmark", "dop853"], tolerances=[1e-6])
    assert len(column(frame, frame.columns[-1] if False else "tolerance")) == 2


def test_names_of_the_constructor_are_keys(sim):
    by_name = kb.sweep(sim, vary={"restitution": [0.5, 0.6], "velocity.x": [3.0]}, observe="impact.1.x")
    by_key = kb.sweep(sim, vary={"contact.restitution": [0.5, 0.6], "initial.velocity.x": [3.0]}, observe="impact.1.x")
    assert by_name.equals(by_key)
    run = sim.run(2.0)
    # Nothing depends on the mass, through bounces without end too.
    assert np.abs(run.sensitivities(["mass"], [run.end])["states"]).max() < 1e-9
    np.testing.assert_array_equal(run.sensitivities(["restitution", "mass"])["states"], run.sensitivities(["contact.restitution", "ball.mass"])["states"])
