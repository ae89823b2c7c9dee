"""Bullet 3 by pybullet: spheres held in a plane by nothing but symmetry; rings of boxes as ground.

    pip install pybullet; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import importlib.metadata
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import pybullet as bullet
import stepped

bullet.connect(bullet.DIRECT)


class World:
    def __init__(self, task, setting, step):
        bullet.resetSimulation()
        bullet.setGravity(0, -task.g, 0)
        best = setting.startswith("best")
        bullet.setTimeStep(step)
        # Bounces below its threshold (0.2 m/s) are none; rest is asked for.
        if best:
            bullet.setPhysicsEngineParameter(fixedTimeStep=step, numSolverIterations=200, restitutionVelocityThreshold=1e-6, contactSlop=0, erp=0.2, contactERP=0.2)
        self.law = {"restitution": task.e**0.5, "lateralFriction": min(task.mu, 1e3) ** 0.5, "linearDamping": 0, "angularDamping": 0, "rollingFriction": 0, "spinningFriction": 0}
        ground = task.ground
        line = stepped.outline(task)
        if ground["kind"] == "arc" and ground["from"] > 0:
            shape = bullet.createCollisionShape(bullet.GEOM_CYLINDER, radius=ground["radius"], height=1.0)
            self.floor = bullet.createMultiBody(0, shape)
        elif line:
            line = line[::10] if ground["kind"] == "arc" else line
            sizes, places, turns = [], [], []
            for (a, b), (c, d) in zip(line, line[1:]):
                turn = math.atan2(d - b, c - a)
                sizes.append([math.hypot(c - a, d - b) / 2, 0.05, 0.5])
                places.append([(a + c) / 2 + 0.05 * math.sin(turn), (b + d) / 2 - 0.05 * math.cos(turn), 0])
                turns.append(bullet.getQuaternionFromEuler([0, 0, turn]))
            for size, place, turn in zip(sizes, places, turns):
                self.floor = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=size), basePosition=place, baseOrientation=turn)
                bullet.changeDynamics(self.floor, -1, **self.law)
        else:
            slope, y = ground.get("slope", 0.0), ground.get("y", 0.0)
            c = 1 / math.hypot(1, slope)
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[100, 1, 10])
            self.offset = [slope * c, y - c, 0]
            self.floor = bullet.createMultiBody(0, shape, basePosition=self.offset, baseOrientation=bullet.getQuaternionFromEuler([0, 0, math.atan(slope)]))
        bullet.changeDynamics(self.floor, -1, **self.law)
        self.bodies = []
        for x, y, vx, vy, spin in task.balls:
            body = bullet.createMultiBody(task.mass, bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=task.radius), basePosition=[x, y, 0])
            bullet.changeDynamics(body, -1, maxJointVelocity=1e6, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING, **self.law)
            bullet.resetBaseVelocity(body, [vx, vy, 0], [0, 0, spin])
            self.bodies.append(body)

    def table(self, height, speed):
        bullet.resetBasePositionAndOrientation(self.floor, [self.offset[0], self.offset[1] + height, 0], [0, 0, 0, 1])
        bullet.resetBaseVelocity(self.floor, [0, speed, 0], [0, 0, 0])

    def push(self, fx, fy):
        bullet.applyExternalForce(self.bodies[0], -1, [fx, fy, 0], bullet.getBasePositionAndOrientation(self.bodies[0])[0], bullet.WORLD_FRAME)

    def step(self):
        bullet.stepSimulation()

    def balls(self):
        rows = []
        for body in self.bodies:
            (x, y, _), _ = bullet.getBasePositionAndOrientation(body)
            (vx, vy, _), (_, _, spin) = bullet.getBaseVelocity(body)
            rows.append((x, y, vx, vy, spin))
        return rows

    def touching(self):
        return any(point[8] <= 0 for point in bullet.getContactPoints(self.bodies[0]))


def answer(task, setting):
    return stepped.answer(World, task, setting, 1 / 240 if "1/240" in setting else 1e-3)


version = f"pybullet {importlib.metadata.version('pybullet')}"
entry.write(__file__, "Bullet", version, "sequential impulses; best: 200 iterations, no slop, restitution from 1e-6 m/s", ["default, 1/240 s", "best, 1e-3 s"], answer)
