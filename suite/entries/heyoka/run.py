"""heyoka: Taylor's method compiled for each case, a terminal event at the ground, begun again after each bounce.

    pip install heyoka; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import flight
import heyoka
import numpy
from heyoka import event_direction, make_vars, t_event, taylor_adaptive

AT = heyoka.time


def integrator(task, tolerance):
    x, y, vx, vy = make_vars("x", "y", "vx", "vy")
    ground, zero = task.ground, heyoka.expression(0.0)
    match ground["kind"]:
        case "sine":
            height = ground["a"] * heyoka.sin(numpy.pi * x)
        case "crest":
            height = ground["h"] / (1.0 + (heyoka.sin(numpy.pi * x) / ground["w"]) ** 2)
        case "parabola":
            height = ground["a"] * x**2
        case _:
            height = zero
    if task.motion:
        a, w, p = task.motion
        height = height + a * heyoka.sin(w * AT + p)
    gap = ground["x"] - x if ground["kind"] == "wall" else y - height
    brake = task.drag / task.mass * heyoka.sqrt(vx**2 + vy**2) if task.drag else zero
    along = -brake * vx if task.drag else zero
    if task.push:
        along = (-task.push[0] * x - task.push[1] * heyoka.cos(AT)) / task.mass
    system = [(x, vx), (y, vy), (vx, along), (vy, -brake * vy - task.g)]
    return taylor_adaptive(system, task.balls[0][:4], time=task.start, tol=tolerance, t_events=[t_event(gap, direction=event_direction.negative)])


def answer(task, setting):
    tolerance = float(setting.split()[1])
    kept = []

    def arc(flight, t, z, end, times):
        if not kept:
            kept.append(integrator(task, tolerance))
        run = kept[0]
        run.time, run.state[:] = t, z
        grid = [t, *times] if end in times else [t, *times, end]
        outcome, *_, states = run.propagate_grid(numpy.array(grid))
        found = list(zip(grid[1:], states[1:]))
        hit = int(outcome) == -1
        return run.time, [*run.state], hit, found, 0

    def integrate(rates, z, times):
        angle, turn = make_vars("angle", "turn")
        rate = -rates(0.0, [numpy.pi / 2, 0.0])[1]
        run = taylor_adaptive([(angle, turn), (turn, -rate * heyoka.sin(angle))], z, tol=tolerance)
        return run.propagate_grid(numpy.array([0.0, *times]))[-1][1:], None

    outcome = flight.answer(task, arc, integrate)
    if outcome:
        outcome.evaluations = None
    return outcome


entry.write(__file__, "heyoka", heyoka.__version__, "Taylor's method, terminal event, begun again after each impact", ["tolerance 1e-6", "tolerance 1e-16"], answer)
