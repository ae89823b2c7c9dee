"""Box2D 2.3 by its Python bindings: rigid circles, edges and chains as ground; numbers of single precision.

    pip install box2d; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import importlib.metadata
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import Box2D
import entry
import stepped
from Box2D import b2ChainShape, b2CircleShape, b2EdgeShape, b2FixtureDef, b2World


class World:
    def __init__(self, task, setting, step):
        self.size, self.iterations = step, (8, 3) if "1/60" in setting else (50, 50)
        self.world = b2World(gravity=(0, -task.g), doSleep=False)
        law = {"friction": task.mu, "restitution": task.e}
        line = stepped.outline(task)
        slope, y = task.ground.get("slope", 0.0), task.ground.get("y", 0.0)
        if task.ground["kind"] == "arc" and task.ground["from"] > 0:
            shape = b2CircleShape(radius=task.ground["radius"])
        elif line:
            # Vertices nearer than its linear slop are not allowed.
            shape = b2ChainShape(vertices_chain=line[:: max(1, len(line) // 300)])
        else:
            # No longer than needed: single precision. Gravity says how lengths are scaled.
            reach = 60 * task.g / 9.81
            shape = b2EdgeShape(vertices=[(-reach, y - reach * slope), (reach, y + reach * slope)])
        self.floor = self.world.CreateKinematicBody(fixtures=b2FixtureDef(shape=shape, **law))
        self.bodies = []
        for x, y, vx, vy, spin in task.balls:
            body = self.world.CreateDynamicBody(position=(x, y), linearVelocity=(vx, vy), angularVelocity=spin, bullet=True, fixtures=b2FixtureDef(shape=b2CircleShape(radius=task.radius), density=1.0, **law))
            body.massData = Box2D.b2MassData(mass=task.mass, center=(0, 0), I=0.4 * task.mass * task.radius**2)
            self.bodies.append(body)

    def table(self, height, speed):
        self.floor.position, self.floor.linearVelocity = (0, height), (0, speed)

    def push(self, fx, fy):
        self.bodies[0].ApplyForceToCenter((fx, fy), True)

    def step(self):
        self.world.Step(self.size, *self.iterations)
        self.world.ClearForces()

    def balls(self):
        return [(b.position.x, b.position.y, b.linearVelocity.x, b.linearVelocity.y, b.angularVelocity) for b in self.bodies]

    def touching(self):
        return any(edge.contact.touching for edge in self.bodies[0].contacts)


def answer(task, setting):
    ready = stepped.prepared(task)
    scale = 1 / ready.radius if ready and setting.startswith("best") else 1
    return stepped.answer(World, task, setting, 1 / 60 if "1/60" in setting else 1e-3, scale)


entry.write(__file__, "Box2D", importlib.metadata.version("box2d"), "sequential impulses, bullet; best: 50 iterations, lengths such that R = 1 m", ["default, 1/60 s", "best, 1e-3 s"], answer)
