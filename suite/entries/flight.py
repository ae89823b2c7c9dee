"""A point mass in flight and its bounces, for programs that integrate ordinary differential equations and find events: the way of SciPy's cannon.

Where the ball never leaves the ground (cases 6 and 7) the user has done the mechanics: a pendulum's angle, λ and f by its formula.
"""
import math

from entry import MOST, DRAWN, Outcome

FLIGHTS = ("1", "2", "3", "4", "5", "15", "16", "17")


class Flight:
    def __init__(self, task):
        self.task, self.start = task, task.start
        self.state = task.balls[0][:4]
        self.drag = task.drag / task.mass

    def rates(self, t, z):
        x, y, u, v = z
        if self.task.push:
            stiffness, force = self.task.push
            return [u, v, (-stiffness * x - force * math.cos(t)) / self.task.mass, 0.0]
        drag = self.drag * math.hypot(u, v)
        return [u, v, -drag * u, -self.task.g - drag * v]

    def height(self, x):
        """Height of the ground and its slope."""
        ground = self.task.ground
        match ground["kind"]:
            case "sine":
                return ground["a"] * math.sin(math.pi * x), ground["a"] * math.pi * math.cos(math.pi * x)
            case "crest":
                s, c = math.sin(math.pi * x) / ground["w"], math.cos(math.pi * x) * math.pi / ground["w"]
                return ground["h"] / (1 + s * s), -2 * ground["h"] * s * c / (1 + s * s) ** 2
            case "parabola":
                return ground["a"] * x * x, 2 * ground["a"] * x
        return 0.0, 0.0

    def gap(self, t, z):
        if self.task.ground["kind"] == "wall":
            return self.task.ground["x"] - z[0]
        return z[1] - self.height(z[0])[0] - self.task.table(t)[0]

    def bounce(self, t, z):
        x, y, u, v = z
        if self.task.ground["kind"] == "wall":
            return [x, y, -self.task.e * u, v]
        slope, lift = self.height(x)[1], self.task.table(t)[1]
        push = (1 + self.task.e) * (slope * u - (v - lift)) / (1 + slope * slope)
        return [x, y, u - push * slope, v + push]


def bounces(task, arc):
    """`arc(flight, t, z, end, times)` flies to an impact or to the end: (time, state, whether it hit, states at the times, evaluations)."""
    flight = Flight(task)
    t, z, impacts, states, deepest, count, hit = flight.start, flight.state, [], {}, 0.0, 0, True
    drawn = [task.start + (task.end - task.start) * i / 300 for i in range(301)] if task.number in DRAWN else []
    path, indices = [], {}
    for index, wanted in task.times.items():
        indices.setdefault(wanted, []).append(index)
    while hit and t < task.end and len(impacts) < MOST:
        wanted = sorted(w for w in {*indices, *drawn} if t < w <= task.end)
        to, z, hit, found, evaluations = arc(flight, t, z, task.end, wanted)
        count += evaluations
        for at, state in found:
            if at > to:
                break
            deepest = max(deepest, -flight.gap(at, state))
            for index in indices.get(at, ()):
                states[index] = dict(zip(("x", "y", "vx", "vy"), map(float, state)))
            if at in drawn:
                path.append((at, float(state[0 if task.push else 1])))
        if not hit:
            break
        if to <= t:
            break
        t, z = to, flight.bounce(to, z)
        impacts.append(t)
        if task.number in DRAWN:
            path.append((t, float(z[1])))
    return Outcome({"impact": impacts}, states, deepest, count, path)


def pendulum(task, integrate):
    """`integrate(rates, z, times)` gives states at times and evaluations."""
    rho = task.ground["radius"] - task.radius
    k = 0.4 if task.radius else 0.0
    x, y = task.balls[0][:2]
    rate = task.g / (rho * (1 + k))
    rows, count = integrate(lambda t, z: [z[1], -rate * math.sin(z[0])], [math.atan2(x, -y), 0.0], [*task.times.values()])
    states = {}
    for index, (angle, turn) in zip(task.times, rows):
        s, c = math.sin(angle), math.cos(angle)
        states[index] = {"x": rho * s, "y": -rho * c, "vx": rho * turn * c, "vy": rho * turn * s}
        states[index]["lambda"] = task.mass * (rho * turn**2 + task.g * c)
        if task.radius:
            states[index] |= {"spin": -rho * turn / task.radius, "friction": k / (1 + k) * task.mass * task.g * s}
    return Outcome({}, states, None, count)


def answer(task, arc, integrate):
    if task.number in FLIGHTS or task.name in ("14b", "14c"):
        return bounces(task, arc)
    return pendulum(task, integrate) if task.number in ("6", "7") else None
