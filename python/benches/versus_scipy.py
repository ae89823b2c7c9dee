"""A bouncing ball through its Zeno point by SciPy and by Kugelbahn: `python benches/versus_scipy.py`.

The benchmark's hard sphere: 1.1 kg, drag, e = 0.9. Its bounces end at t = 14.6984 s; from there on it slides. What is right after
20 s is known to 28 digits (crates/reference/data/bounces.json).
"""

import sys
import timeit

import numpy as np
from scipy.integrate import solve_ivp

import kugelbahn as kb

RESTITUTION, GRAVITY, DRAG, MASS = 0.9, 9.81, 0.5 * 0.5 * 1.293 * 0.0314, 1.1
END, X_END = 20.0, 16.045410324635556664821186347
MOST = 2000


def falls(t, y):
    speed = np.hypot(y[2], y[3])
    return [y[2], y[3], -DRAG / MASS * speed * y[2], -DRAG / MASS * speed * y[3] - GRAVITY]


def touches(t, y):
    return y[1]


touches.terminal = True
touches.direction = -1


def by_events(tolerance, rest=0.0):
    """The usual loop: up to an event, turn the velocity, go on. Bounces slower than `rest` m/s end in sliding."""
    t, state, bounces = 0.0, np.array([0.0, 2.0, 1.0, 5.0]), 0
    while t < END and bounces < MOST:
        run = solve_ivp(falls, (t, END), state, method="DOP853", rtol=tolerance, atol=tolerance, events=touches)
        t, state = run.t[-1], run.y[:, -1]
        if run.status != 1:
            break
        bounces += 1
        state[3] = -RESTITUTION * state[3]
        if state[3] < rest:
            state[1] = 0.0
            run = solve_ivp(lambda t, y: [y[1], -DRAG / MASS * abs(y[1]) * y[1]], (t, END), state[[0, 2]],
                            method="DOP853", rtol=tolerance, atol=tolerance)
            return END, np.array([run.y[0, -1], 0.0]), bounces
    return t, state, bounces


def by_kugelbahn(tolerance):
    sim = kb.Simulation(ball=kb.Ball.point(MASS), ground=kb.Ground.graph("0"), restitution=RESTITUTION,
                        position=(0, 2), velocity=(1, 5), drag=DRAG, gravity=(0, -GRAVITY), tolerance=tolerance)
    run = sim.run(END)
    return run.end, *run.at(END).position, len(run.events) - 1


def row(name, tolerance, work):
    t, x, y, bounces = work()
    seconds = min(timeit.repeat(work, number=1, repeat=3))
    place = f"{y:11.2e}" if t == END else f"at {t:.4f} s"
    off = f"{abs(x - X_END):9.1e}" if t == END else "        –"
    print(f"| {name} | {tolerance:.0e} | {bounces:6} | {place:>11} | {off} | {1e3 * seconds:9.3f} |")


def events(tolerance, rest=0.0):
    t, state, bounces = by_events(tolerance, rest)
    return t, state[0], state[1], bounces


if __name__ == "__main__":
    print("| way | tolerance | bounces | y after 20 s [m] | error of x [m] | time [ms] |")
    print("| --- | --- | --- | --- | --- | --- |")
    for tolerance in [1e-6, 1e-9, 1e-12]:
        row("`solve_ivp`, events", tolerance, lambda: events(tolerance))
        row("`solve_ivp`, events, slides below 1e-3 m/s", tolerance, lambda: events(tolerance, 1e-3))
        row("Kugelbahn", tolerance, lambda: by_kugelbahn(tolerance))
    sys.stdout.flush()
