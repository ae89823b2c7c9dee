"""Open Dynamics Engine by PyODE: spheres held in a plane (`Plane2DJoint`), contact joints with bounce and friction, made anew in each step.

    apt-get install python3-pyode; /usr/bin/python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT

Bowl and loop are rings of boxes: it has no hollow ground but meshes.
"""
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import ode
import stepped


class World:
    def __init__(self, task, setting, step):
        self.size, self.law, self.best = step, (task.e, min(task.mu, 1e9)), setting.startswith("best")
        self.world, self.space, self.group = ode.World(), ode.HashSpace(), ode.JointGroup()
        self.world.setGravity((0, -task.g, 0))
        if self.best:
            self.world.setERP(0.2)
            self.world.setCFM(1e-10)
            self.world.setQuickStepNumIterations(200)
        ground = task.ground
        line = stepped.outline(task)
        self.plane, self.bodies, self.touched, self.keep = None, [], False, []
        if ground["kind"] == "arc" and ground["from"] > 0:
            self.keep.append(ode.GeomSphere(self.space, ground["radius"]))
        elif line:
            line = line[::5] if ground["kind"] == "arc" else line
            for (a, b), (c, d) in zip(line, line[1:]):
                turn = math.atan2(d - b, c - a)
                box = ode.GeomBox(self.space, (math.hypot(c - a, d - b), 0.1, 1.0))
                box.setPosition(((a + c) / 2 + 0.05 * math.sin(turn), (b + d) / 2 - 0.05 * math.cos(turn), 0))
                box.setRotation((math.cos(turn), -math.sin(turn), 0, math.sin(turn), math.cos(turn), 0, 0, 0, 1))
                # What Python drops, ODE drops.
                self.keep.append(box)
        else:
            slope, y = ground.get("slope", 0.0), ground.get("y", 0.0)
            c = 1 / math.hypot(1, slope)
            self.plane = ode.GeomPlane(self.space, (-slope * c, c, 0), y * c)
        for x, y, vx, vy, spin in task.balls:
            body, mass = ode.Body(self.world), ode.Mass()
            mass.setSphere(1.0, task.radius)
            mass.mass = task.mass
            mass.setSphereTotal(task.mass, task.radius)
            body.setMass(mass)
            body.setPosition((x, y, 0))
            body.setLinearVel((vx, vy, 0))
            body.setAngularVel((0, 0, spin))
            geom = ode.GeomSphere(self.space, task.radius)
            geom.setBody(body)
            plane = ode.Plane2DJoint(self.world)
            plane.attach(body, ode.environment)
            self.bodies.append(body)
            self.keep += [geom, plane]
        self.speed = 0.0

    def table(self, height, speed):
        self.plane.setParams((0, 1, 0), height)
        self.speed = speed

    def push(self, fx, fy):
        self.bodies[0].addForce((fx, fy, 0))

    def meet(self, _, one, two):
        if one.getBody() is None and two.getBody() is None:
            return
        for contact in ode.collide(one, two):
            # Coulomb's law of the normal force; by itself μ is a force.
            contact.setMode(ode.ContactBounce | ode.ContactApprox1)
            contact.setBounce(self.law[0])
            contact.setBounceVel(0.0 if self.best else 0.1)
            contact.setMu(self.law[1])
            ode.ContactJoint(self.world, self.group, contact).attach(one.getBody(), two.getBody())
            self.touched |= self.bodies[0] in (one.getBody(), two.getBody())

    def step(self):
        self.touched = False
        self.space.collide(None, self.meet)
        self.world.quickStep(self.size)
        self.group.empty()

    def balls(self):
        return [(*b.getPosition()[:2], *b.getLinearVel()[:2], b.getAngularVel()[2]) for b in self.bodies]

    def touching(self):
        return self.touched


def answer(task, setting):
    # Its contacts with a plane that moves have no speed of the ground.
    if task.motion:
        return None
    return stepped.answer(World, task, setting, 0.01 if "0.01" in setting else 1e-4)


version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libode8"], capture_output=True, text=True).stdout
entry.write(__file__, "Open Dynamics Engine", version, "PyODE, quickStep (its step() fails with three contacts of a row), Coulomb friction; best: 200 iterations, CFM 1e-10, bounce from 0 m/s", ["default, 0.01 s", "best, 1e-4 s"], answer)
