"""Siconos: Moreau's time stepping as in its tutorial's bouncing ball (θ = 1/2), an LCP in each step; no friction here.

    apt-get install python3-siconos; /usr/bin/python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT

Where apt refuses it for want of libcurl4-openssl-dev (headers that nothing here needs), an empty package of that name lets it be installed.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import numpy
import siconos.kernel as kernel
import stepped

# Gap and gradient as a C plugin, the way of its user's guide.
PLUGIN = """
#include <math.h>
void gap(unsigned int n, const double *q, unsigned int m, double *y, unsigned int k, double *z) { y[0] = FAR - hypot(q[0], q[1]); }
void gradient(unsigned int n, const double *q, unsigned int m, double *g, unsigned int k, double *z) {
    g[0] = -q[0] / hypot(q[0], q[1]);
    g[1] = -q[1] / hypot(q[0], q[1]);
}
"""
PLACE = tempfile.TemporaryDirectory()


def bowl(far):
    source, library = (pathlib.Path(PLACE.name, f"BowlPlugin.{end}") for end in ("c", "so"))
    source.write_text(PLUGIN.replace("FAR", repr(far)))
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    return kernel.LagrangianScleronomousR(f"{library.with_suffix('')}:gap", f"{library.with_suffix('')}:gradient")


class World:
    def __init__(self, task, setting, step):
        self.task, count = task, len(task.balls)
        axis = 1 if task.g else 0
        model = kernel.NonSmoothDynamicalSystem(0.0, task.end + 2 * step)
        self.bodies = []
        for x, y, vx, vy, _ in task.balls:
            body = kernel.LagrangianLinearTIDS([x, y], [vx, vy], task.mass * numpy.eye(2))
            body.setFExtPtr([0.0, -task.mass * task.g])
            model.insertDynamicalSystem(body)
            self.bodies.append(body)
        self.keep, self.contacts = [model], []
        row = numpy.zeros((1, 2))
        row[0, axis] = 1.0
        if task.ground["kind"] == "arc":
            relations = [(bowl(task.ground["radius"] - task.radius), self.bodies[:1])]
        elif task.g:
            relations = [(kernel.LagrangianLinearTIR(row, [-task.radius - task.ground["y"]]), self.bodies[:1])]
        else:
            relations = []
        for i in range(count - 1):
            relations.append((kernel.LagrangianLinearTIR(numpy.hstack([-row, row]), [-2 * task.radius]), self.bodies[i : i + 2]))
        for relation, bodies in relations:
            contact = kernel.Interaction(kernel.NewtonImpactNSL(task.e), relation)
            model.link(contact, *bodies)
            self.contacts.append(contact)
            self.keep.append(relation)
        scheme, clock, problem = kernel.MoreauJeanOSI(0.5), kernel.TimeDiscretisation(0.0, step), kernel.LCP()
        self.simulation = kernel.TimeStepping(model, clock, scheme, problem)
        self.keep += [scheme, clock, problem]

    def push(self, fx, fy):
        self.bodies[0].setFExtPtr([fx, fy - self.task.mass * self.task.g])

    def step(self):
        self.simulation.computeOneStep()
        self.simulation.nextStep()

    def balls(self):
        return [(*b.q(), *b.velocity(), 0.0) for b in self.bodies]

    def touching(self):
        return bool(self.contacts) and self.contacts[0].lambda_(1)[0] > 0


def answer(task, setting):
    if task.number not in ("1", "2", "6", "12", "18"):
        return None
    return stepped.answer(World, task, setting, float(setting.split()[0]))


version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"], capture_output=True, text=True).stdout
entry.write(__file__, "Siconos", version, "MoreauJeanOSI(0.5), NewtonImpactNSL, LCP", ["1e-2 s", "1e-3 s"], answer)
