"""SciPy: `solve_ivp`, terminal events, begun again after each bounce as its documentation's cannon is."""

import math

try:
    import numpy
    import scipy
    from scipy.integrate import solve_ivp
except ImportError as error:
    print(f"missing\t{error}")
    raise SystemExit from None

from serve import STUCK, seconds, serve


def throw(task, method, tolerance, duration):
    def slope(_, state):
        return task.slope(state)

    def gap(_, state):
        return task.gap(state)

    gap.terminal, gap.direction = True, -1

    def solve():
        places, time, state = [], 0.0, task.start
        for _ in range(STUCK):
            wanted = seconds(duration, time)
            run = solve_ivp(
                slope, (time, duration), state, method, wanted, events=gap, rtol=tolerance, atol=tolerance
            )
            places += zip(*run.y[:2]) if len(run.t) else []
            if run.status == 0:
                return places, "to the end"
            if run.status < 0:
                return places, f"**stops** at {time:.6f} s: {run.message}"
            time, state = run.t_events[0][0], task.bounce(run.y_events[0][0])
        return places, f"**sticks** at {time:.6f} s, {STUCK} bounces"

    return solve


def bowl(task, method, tolerance, duration):
    def slope(_, state):
        return [state[1], -task.rate * math.sin(state[0])]

    def solve():
        run = solve_ivp(
            slope, (0, duration), [task.release, 0], method, seconds(duration), rtol=tolerance, atol=tolerance
        )
        return [task.place(angle) for angle in run.y[0]], "to the end"

    return solve


def crest(task, method, tolerance, duration):
    def slope(_, state):
        return [state[1], task.rate * math.sin(state[0])]

    def force(_, state):
        return task.force(*state)

    def flight(_, state):
        return [state[2], state[3], 0, -9.81]

    force.terminal, force.direction = True, -1

    def solve():
        run = solve_ivp(
            slope, (0, duration), [0, task.speed], method, events=force, rtol=tolerance, atol=tolerance
        )
        start = task.leave(*run.y_events[0][0])
        span = (run.t_events[0][0], duration)
        run = solve_ivp(flight, span, start, method, seconds(duration, span[0]), rtol=tolerance, atol=tolerance)
        return list(zip(*run.y[:2])), "to the end"

    return solve


serve(f"SciPy {scipy.__version__}, NumPy {numpy.__version__}", {"throw": throw, "bowl": bowl, "crest": crest})
