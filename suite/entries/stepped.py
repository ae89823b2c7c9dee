"""Fixed steps for physics engines: what happens is read off the states after each step, as their user sees them.

An engine's class makes a world from a task and a step; `step()` steps, `balls()` gives (x, y, vx, vy, spin) of each, `touching()` says whether
the first touches the ground. A point mass is a ball of 0.1 m where the ground is level, with its centre that much higher; `table(height, speed)` moves it.
"""
import copy
import math
import time

from entry import DRAWN, Outcome

# Cases that a rigid ball over level, inclined or round ground, or a row of balls, can state; impact laws of their own are the engine's answer.
CASES = {"1", "2", "6", "7", "8", "9", "10", "11", "12a", "12b", "12c", "14a", "14b", "14c", "18a", "18b", "18c", "19"}
POINT = 0.1


def prepared(task):
    """The same problem for a ball with a radius, or None."""
    if task.name not in CASES:
        return None
    task = copy.deepcopy(task)
    task.lift = 0.0
    if task.radius == 0.0:
        task.radius = POINT
        if task.ground["kind"] == "arc":
            task.ground["radius"] += POINT
        else:
            task.lift = POINT
            task.balls = [[x, y + POINT, *rest] for x, y, *rest in task.balls]
    return task


def outline(task):
    """Ground that is not level, as a line: the free side is to the left of travel."""
    ground = task.ground
    wide = 50 * task.radius
    if ground["kind"] == "arc":
        low, high = ground["from"], ground["to"]
        low, high = (low - math.pi, high + math.pi) if low > 0 else (low, high)
        count = 2000
        return [(ground["radius"] * math.cos(low + (high - low) * i / count), ground["radius"] * math.sin(low + (high - low) * i / count)) for i in range(count + 1)]
    if ground["kind"] == "parabola":
        return [(x * wide / 100, ground["a"] * (x * wide / 100) ** 2) for x in range(-150, 151)]
    return None


def deepest(task, t, balls):
    depth = max(-task.gap(t, x, y) for x, y, *_ in balls)
    for i, (x, y, *_) in enumerate(balls):
        for x2, y2, *_ in balls[:i]:
            depth = max(depth, 2 * task.radius - math.hypot(x - x2, y - y2))
    return depth


def steps(world, task, step):
    """Time, balls and whether the first touches, at the start and after each step."""
    k = 0
    yield 0.0, world.balls(), world.touching()
    while True:
        if task.motion:
            # The table is where it should be at the end of the step, and so fast on average.
            now, then = task.table(k * step)[0], task.table((k + 1) * step)[0]
            world.table(now, (then - now) / step)
        if task.drag:
            vx, vy = world.balls()[0][2:4]
            world.push(-task.drag * math.hypot(vx, vy) * vx, -task.drag * math.hypot(vx, vy) * vy)
        world.step()
        k += 1
        yield k * step, world.balls(), world.touching()


class Scaled:
    """A world with lengths so many times as large, for engines that are made for balls of some metres, as their manuals say."""

    def __init__(self, engine, task, setting, step, scale):
        task, self.scale = copy.deepcopy(task), scale
        for key in ("radius", "y", "left", "right"):
            task.ground[key] = task.ground.get(key, 0.0) * scale
        if task.ground["kind"] == "parabola":
            task.ground["a"] /= scale
        if task.motion:
            task.motion[0] *= scale
        task.radius, task.g, task.drag = task.radius * scale, task.g * scale, task.drag / scale
        task.balls = [[scale * x, scale * y, scale * vx, scale * vy, spin] for x, y, vx, vy, spin in task.balls]
        self.world = engine(task, setting, step)
        self.step, self.touching = self.world.step, self.world.touching

    def table(self, height, speed):
        self.world.table(self.scale * height, self.scale * speed)

    def push(self, fx, fy):
        self.world.push(self.scale * fx, self.scale * fy)

    def balls(self):
        return [(x / self.scale, y / self.scale, vx / self.scale, vy / self.scale, spin) for x, y, vx, vy, spin in self.world.balls()]


def answer(engine, task, setting, step, scale=1):
    task = prepared(task)
    if task is None:
        return None
    if task.number == "19":
        step = max(step, 1e-3)
    begun = time.perf_counter()
    outcome = follow(task, steps(Scaled(engine, task, setting, step, scale), task, step), step)
    outcome.seconds = time.perf_counter() - begun
    return outcome


def follow(task, rows, step):
    """Reads off all that is asked, up to the last time that is asked."""
    t, balls, touched = next(rows)
    k, depth, states, path, impacts, off, landing, stick = 0, 0.0, {}, [], [], [], [], []
    wanted = sorted((at, index) for index, at in task.times.items())
    last = max([at for at, _ in wanted] + [*task.until.values()])
    every = max(1, round(last / step / 250))
    for now, after, touches in rows:
        before, balls, k = balls, after, k + 1
        if len(balls) < 10 or k % 5 == 0:
            depth = max(depth, deepest(task, now, balls))
        lift = task.table(now)[1]
        # Less than gravity does in some steps is no impact but a ball that lies there.
        if before[0][3] - lift < 0 < balls[0][3] - lift and balls[0][3] - before[0][3] > 4 * task.g * step:
            impacts.append(now)
        if touched and not touches:
            off.append(now)
        if touches and not touched and off:
            landing.append(now)
        slip = [b[2] + task.radius * b[4] for b in (before[0], balls[0])]
        if abs(slip[0]) > 1e-3 >= abs(slip[1]) or slip[0] * slip[1] < 0:
            stick.append(now)
        touched = touches
        while wanted and wanted[0][0] <= now + 1e-12:
            at, index = wanted.pop(0)
            # States between two steps lie on the straight line.
            part = (at - t) / (now - t)
            states[index] = [[a + part * (b - a) for a, b in zip(p, q)] for p, q in zip(before, balls)]
        if task.number in DRAWN and k % every == 0:
            path.append((now, balls[0][1] - task.lift))
        t = now
        if t >= last:
            break
    off, landing = flown(off, landing)
    told = {index: named(task, rows) for index, rows in states.items()}
    events = {"stick": stick[:1]} if task.number == "11" else {"lift-off": off[:1], "landing": landing[:1]} if task.number in ("8", "9") else {}
    if task.number in ("1", "2", "14"):
        events = {"impact": impacts}
    return Outcome(events, told, depth, k, path)


def flown(off, landing):
    """Flights that last: a contact that is not there for some steps was none."""
    pairs = [(a, b) for a, b in zip(off, [*landing, math.inf]) if b - a > 0.02]
    return [a for a, _ in pairs], [b for _, b in pairs if b < math.inf]


def named(task, rows):
    state = {}
    if len(rows) > 1:
        for i, (x, y, vx, vy, _) in enumerate(rows, 1):
            state |= {f"x{i}": x, f"y{i}": y, f"vx{i}": vx, f"vy{i}": vy}
        moving = task.mass * sum((vx**2 + vy**2) / 2 + 0.2 * (task.radius * spin) ** 2 + task.g * y for _, y, vx, vy, spin in rows)
        return state | {"energy": moving}
    x, y, vx, vy, spin = rows[0]
    return {"x": x, "y": y - task.lift, "vx": vx, "vy": vy, "spin": spin}
