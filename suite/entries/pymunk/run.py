"""pymunk (Chipmunk 2D): rigid circles, segments and polylines as ground.

    pip install pymunk; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import pymunk
import stepped


class World:
    def __init__(self, task, setting, step):
        self.size = step
        self.space = pymunk.Space()
        self.space.gravity = (0, -task.g)
        if setting.startswith("best"):
            self.space.iterations, self.space.collision_slop, self.space.collision_bias = 50, 1e-7, (1 - 0.1) ** 60
        self.floor = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        self.space.add(self.floor)
        line = stepped.outline(task)
        slope, y = task.ground.get("slope", 0.0), task.ground.get("y", 0.0)
        line = line or [(-100.0, y - 100 * slope), (100.0, y + 100 * slope)]
        if task.ground["kind"] == "arc" and task.ground["from"] > 0:
            shapes = [pymunk.Circle(self.floor, task.ground["radius"])]
        else:
            shapes = [pymunk.Segment(self.floor, a, b, 0) for a, b in zip(line, line[1:])]
        self.bodies = []
        for x, y, vx, vy, spin in task.balls:
            body = pymunk.Body(task.mass, 0.4 * task.mass * task.radius**2)
            body.position, body.velocity, body.angular_velocity = (x, y), (vx, vy), spin
            self.bodies.append(body)
            shapes.append(pymunk.Circle(body, task.radius))
            self.space.add(body)
        for shape in shapes:
            # Products of two shapes' numbers count.
            shape.elasticity, shape.friction = task.e**0.5, task.mu**0.5
        self.space.add(*shapes)

    def table(self, height, speed):
        self.floor.position, self.floor.velocity = (0, height), (0, speed)

    def push(self, fx, fy):
        self.bodies[0].apply_force_at_world_point((fx, fy), self.bodies[0].position)

    def step(self):
        self.space.step(self.size)

    def balls(self):
        return [(*b.position, *b.velocity, b.angular_velocity) for b in self.bodies]

    def touching(self):
        found = []
        self.bodies[0].each_arbiter(lambda arbiter: found.append(arbiter))
        return bool(found)


def answer(task, setting):
    return stepped.answer(World, task, setting, 1 / 60 if "1/60" in setting else 1e-4)


entry.write(__file__, "pymunk", pymunk.version, "Chipmunk 2D, sequential impulses; best: 50 iterations, slop 1e-7 m", ["default, 1/60 s", "best, 1e-4 s"], answer)
