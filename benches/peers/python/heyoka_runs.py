"""heyoka: Taylor's method compiled for the task, terminal events whose callback is the bounce, places from `propagate_grid`.

The compiled integrator is made before the clock starts, as its users do; each run begins it again.
"""

try:
    import heyoka
    import numpy
    from heyoka import event_direction, make_vars, sin, sqrt, t_event, taylor_adaptive, taylor_outcome
except ImportError as error:
    print(f"missing\t{error}")
    raise SystemExit from None

from serve import GRAVITY, STUCK, seconds, serve


def along(integrator, duration):
    """Places at the whole seconds that are left, and whether it came to the end."""
    wanted = seconds(duration, integrator.time)
    outcome, *_, states = integrator.propagate_grid(numpy.array([integrator.time, *wanted]))
    return states[1:], outcome == taylor_outcome.time_limit


def throw(task, _, tolerance, duration):
    x, y, vx, vy = make_vars("x", "y", "vx", "vy")
    brake = task.drag * sqrt(vx**2 + vy**2)
    gap = y - task.height * sin(task.wave * x) if task.height else y
    count = [0]

    def bounce(integrator, *_):
        count[0] += 1
        integrator.state[:] = task.bounce(integrator.state)
        return count[0] < STUCK

    event = t_event(gap, callback=bounce, direction=event_direction.negative)
    system = [(x, vx), (y, vy), (vx, -brake * vx), (vy, -brake * vy - GRAVITY)]
    integrator = taylor_adaptive(system, task.start, tol=tolerance, t_events=[event])

    def solve():
        integrator.time, integrator.state[:], count[0] = 0.0, task.start, 0
        integrator.reset_cooldowns()
        states, whole = along(integrator, duration)
        places = [state[:2] for state in states]
        return places, "to the end" if whole else f"**sticks** at {integrator.time:.6f} s, {count[0]} bounces"

    return solve


def bowl(task, _, tolerance, duration):
    angle, rate = make_vars("angle", "rate")
    start = [task.release, 0.0]
    integrator = taylor_adaptive([(angle, rate), (rate, -task.rate * sin(angle))], start, tol=tolerance)

    def solve():
        integrator.time, integrator.state[:] = 0.0, start
        states, _ = along(integrator, duration)
        return [task.place(state[0]) for state in states], "to the end"

    return solve


def crest(task, _, tolerance, duration):
    angle, rate = make_vars("angle", "rate")
    x, y, vx, vy = make_vars("x", "y", "vx", "vy")
    force = t_event(GRAVITY * heyoka.cos(angle) - rate**2, direction=event_direction.negative)
    start = [0.0, task.speed]
    slide = taylor_adaptive([(angle, rate), (rate, task.rate * sin(angle))], start, tol=tolerance, t_events=[force])
    zero = heyoka.expression(0.0)
    flight = taylor_adaptive([(x, vx), (y, vy), (vx, zero), (vy, zero - GRAVITY)], [0.0] * 4, tol=tolerance)

    def solve():
        slide.time, slide.state[:] = 0.0, start
        slide.reset_cooldowns()
        slide.propagate_until(duration)
        flight.time, flight.state[:] = slide.time, task.leave(*slide.state)
        states, _ = along(flight, duration)
        return [state[:2] for state in states], "to the end"

    return solve


serve(f"heyoka {heyoka.__version__}", {"throw": throw, "bowl": bowl, "crest": crest})
