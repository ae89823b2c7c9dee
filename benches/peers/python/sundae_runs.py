"""scikit-SUNDAE: CVODE with its own root finding; Adams where nothing is stiff, as its documentation advises."""

import math

try:
    import sksundae
    from sksundae.cvode import CVODE
except ImportError as error:
    print(f"missing\t{error}")
    raise SystemExit from None

from serve import STUCK, seconds, serve

# Enough for a second between two outputs.
STEPS = 100_000


def solver(slope, method, tolerance, events=None):
    options = {"method": method, "rtol": tolerance, "atol": tolerance, "max_num_steps": STEPS}
    if events is None:
        return CVODE(slope, **options)
    events.terminal, events.direction = [True], [-1]
    return CVODE(slope, eventsfn=events, num_events=1, **options)


def throw(task, method, tolerance, duration):
    def slope(_, state, into):
        into[:] = task.slope(state)

    def gap(_, state, into):
        into[0] = task.gap(state)

    cvode = solver(slope, method, tolerance, gap)

    def solve():
        places, time, state = [], 0.0, task.start
        for _ in range(STUCK):
            wanted = seconds(duration, time)
            if not wanted:
                return places, "to the end"
            run = cvode.solve([time, *wanted], state)
            reached = {*wanted}
            places += [(row[0], row[1]) for at, row in zip(run.t, run.y) if at in reached]
            if not run.success:
                return places, f"**stops** at {run.t[-1]:.6f} s: {run.message}"
            if run.t[-1] >= wanted[-1]:
                return places, "to the end"
            # The first found may be the bounce that it began with.
            time, state = float(run.t_events[-1]), task.bounce(run.y_events[-1])
        return places, f"**sticks** at {time:.6f} s, {STUCK} bounces"

    return solve


def bowl(task, method, tolerance, duration):
    def slope(_, state, into):
        into[0], into[1] = state[1], -task.rate * math.sin(state[0])

    cvode = solver(slope, method, tolerance)

    def solve():
        run = cvode.solve([0, *seconds(duration)], [task.release, 0])
        return [task.place(angle) for angle in run.y[1:, 0]], "to the end"

    return solve


def crest(task, method, tolerance, duration):
    def slope(_, state, into):
        into[0], into[1] = state[1], task.rate * math.sin(state[0])

    def force(_, state, into):
        into[0] = task.force(state[0], state[1])

    def flight(_, state, into):
        into[:] = [state[2], state[3], 0, -9.81]

    rolling, flying = solver(slope, method, tolerance, force), solver(flight, method, tolerance)

    def solve():
        run = rolling.solve([0, duration], [0, task.speed])
        time, wanted = float(run.t_events[0]), seconds(duration)
        run = flying.solve([time, *wanted], task.leave(*run.y_events[0]))
        # Between two times alone it returns its own steps as well.
        return [(row[0], row[1]) for at, row in zip(run.t, run.y) if at in wanted], "to the end"

    return solve


serve(
    f"scikit-SUNDAE {sksundae.__version__}, SUNDIALS {sksundae.SUNDIALS_VERSION}",
    {"throw": throw, "bowl": bowl, "crest": crest},
)
