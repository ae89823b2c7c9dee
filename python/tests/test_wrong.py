"""Whatever is wrong is an InputError that names the argument and the rule; nothing aborts."""

import faulthandler
import inspect
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import kugelbahn as kb

faulthandler.enable()

BALL, LEVEL = kb.Ball.point(1.0), kb.Ground.graph("0")


def sim(**more):
    return kb.Simulation(**{"ball": BALL, "ground": LEVEL, "position": (0, 1), **more})


@pytest.mark.parametrize(
    ("call", "key", "rule"),
    [
        (lambda: kb.Ball.solid_sphere(mass=-1.0, radius=0.1), "mass", "positive"),
        (lambda: kb.Ball.solid_sphere(mass=1.0, radius=math.nan), "radius", "number"),
        (lambda: kb.Ball.solid_sphere(1.0), "radius", "give"),
        (lambda: kb.Ball.solid_sphere(1.0, 0.1, 0.2), None, "2 arguments"),
        (lambda: kb.Ball.point("heavy"), "mass", "a number"),
        (lambda: kb.Ball.point(mas=1.0), "mas", "did you mean `mass`"),
        (lambda: kb.Ground.spline([[0.0, 0.0]]), "xy", "two points"),
        (lambda: kb.Ground.spline([0.0, 1.0]), "xy", r"shape \(n, 2\)"),
        (lambda: kb.Ground.polyline(np.array([[0, 0], [1, math.inf]])), "xy", "finite"),
        (lambda: kb.Ground.spline(np.array([object(), object()])), "xy", "finite numbers"),
        (lambda: kb.Ground.graph("0.25*sine(x)"), "y", "sine"),
        (lambda: kb.Ground.from_file("nowhere.toml"), "path", "nowhere"),
        (lambda: sim(restitution=1.5), "restitution", "0 to 1|from 0|between"),
        (lambda: sim(restitution="much"), "restitution", "unknown name `much`"),
        (lambda: sim(position=(0, 1, 2)), "position", "two finite numbers"),
        (lambda: sim(position=(0, -1)), "position", "below the ground"),
        (lambda: sim(velocity=(0, math.nan)), "velocity", "finite"),
        (lambda: sim(frcition=0.1), "frcition", "did you mean `friction`"),
        (lambda: sim(method="euler"), "method", "newmark"),
        (lambda: sim(tolerance=0.0), "tolerance", "1e-15"),
        (lambda: sim(ball=1.0), "ball", "kugelbahn.Ball"),
        (lambda: kb.Simulation(ball=BALL, ground=LEVEL).run(1.0), "position", "where the ball starts"),
        (lambda: sim().run(), "duration", "needs"),
        (lambda: sim().run(-1.0), "duration", "positive"),
        (lambda: sim().run(math.inf), "duration", "finite"),
        (lambda: sim().run(1.0, observer=3), "observer", "callable"),
        (lambda: sim(until="crash"), "until", "impact"),
        (lambda: sim().replace(**{"contact.restituton": 0.5}), "contact.restituton", "did you mean"),
        (lambda: sim().run(1.0).at(2.0), "times", "not in it"),
        (lambda: sim().run(1.0).at(["a"]), "times", "finite number"),
        (lambda: sim().run(1.0).at([object()]), "times", "finite number"),
        (lambda: sim().run(1.0).resume(0.5), "until", "can't go back"),
        (lambda: sim().run(1.0).events_frame("excel"), "kind", "polars"),
        (lambda: sim().run(1.0).sensitivities(["contact.e"]), None, "contact.e"),
        (lambda: kb.Simulation.from_toml("ball = 3\n"), None, "ground"),
        (lambda: kb.Simulation.from_toml("no/such/file.toml"), None, "no/such/file.toml"),
        (lambda: kb.sweep(sim(), vary=[1, 2]), "vary", "dict"),
        (lambda: kb.sweep(sim(), vary={"contact.friction": [0, 1]}, observe="nothing.x"), None, "nothing"),
        (lambda: kb.compare(sim(), "euler", steps=[0.1]), "methods", "^methods: .*euler"),
        (lambda: kb.sweep(sim(), vary={"restituton": [0.5]}), None, "^(?!.*--).*restituton"),
        (lambda: kb.aim(sim(), "", targets="landing.x = 1"), "free", "^(?!.*--)"),
        (lambda: sim().run(True), "duration", "a number"),
        (lambda: kb.aim(sim(), "initial.velocity.x"), None, "nothing to aim at"),
        (lambda: kb.fit(np.zeros((3, 2)), sim(), "contact.restitution"), "table", r"shape \(n, 3\)"),
        (lambda: kb.fit(object(), sim(), "contact.restitution"), "table", "columns t, x, y"),
    ],
)
def test_names_argument_and_rule(call, key, rule):
    with pytest.raises(kb.InputError, match=rule) as raised:
        call()
    assert key is None or raised.value.key == key, raised.value.key


def test_masked_numbers_are_none():
    masked = np.ma.array([[0, 0], [1, 1], [2, 0.0]], mask=[[0, 0], [0, 1], [0, 0]])
    with pytest.raises(kb.InputError, match="masked"):
        kb.Ground.polyline(masked)
    assert kb.Ground.polyline(np.ma.array([[0, 0], [2, 0.0]])).lines(0, 2)


def test_place_and_cure():
    with pytest.raises(kb.InputError) as raised:
        kb.Simulation.from_toml('ground = { curve = { kind = "graph", y = "0" } }\ncontact = { restituton = 0.5 }\n')
    assert ":2:" in str(raised.value) and raised.value.help


def test_stopped_has_the_run_so_far():
    sim = kb.Simulation.from_toml(
        "ball = { mass = 1, radius = 0.1 }\ninitial = { position = [0.1, 1] }\n"
        'ground = { curve = { kind = "graph", y = "0" } }\ncontact = { restitution = 0.9 }\n'
        "solver = { duration = 10, limit = 4 }\n"
    )
    with pytest.raises(kb.Stopped, match="steps|limit") as raised:
        sim.run()
    assert raised.value.run.end < 10.0 and raised.value.run.stop


ANY = st.one_of(
    st.none(), st.booleans(), st.integers(-10**30, 10**30), st.floats(), st.text(max_size=8), st.binary(max_size=4),
    st.lists(st.floats(), max_size=4), st.tuples(st.floats(), st.floats()), st.just(object()), st.just(np.zeros((2, 2, 2))),
    st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), max_size=6), st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
    st.just(np.array([object()])), st.just(BALL), st.just(LEVEL), st.just(lambda *a: (0.0, 0.0)), st.just("impact"), st.just("x^2"),
    st.complex_numbers(),
)
NUMBER = st.one_of(st.floats(0.0, 1.0), st.floats(), ANY)
NAMES = [*inspect.signature(kb.Simulation).parameters, "contact.friction", "solver.duration", "forces.gravity", "nonsense"]
CALLS = [
    lambda more: kb.Ball.solid_sphere(*more.values()),
    lambda more: kb.Ball(*more.values()),
    lambda more: kb.Ground.spline(*more.values()),
    lambda more: kb.Ground.smoothing_spline(*more.values()),
    lambda more: kb.Ground.graph(*more.values()),
    lambda more: kb.Ground.parametric(*more.values()),
    lambda more: sim(**{"solver.limit": 2000, **more}).run(0.5),
    lambda more: SHORT.replace(**more).run(0.2),
    lambda more: RUN.at(*more.values()),
    lambda more: RUN.resume(*more.values()),
    lambda more: RUN.sensitivities(*more.values()),
    lambda more: RUN.events_frame(*more.values()),
    lambda more: kb.Simulation.from_toml(*more.values()),
    lambda more: kb.sweep(SHORT, **{"count": 3, **more}),
    lambda more: kb.aim(SHORT, **{"free": "initial.velocity.x", "runs": 3, **more}),
    lambda more: kb.fit(*more.values()),
    lambda more: kb.compare(SHORT, *more.values()),
]
SHORT = sim(**{"solver.limit": 2000})
RUN = SHORT.run(0.2)


@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(CALLS), st.dictionaries(st.sampled_from(NAMES), NUMBER, max_size=4))
def test_random_calls(call, more):
    try:
        call(more)
    except (kb.InputError, kb.Stopped):
        pass
