"""Siconos: Moreau's time stepping as in its tutorial's bouncing ball (`BouncingBallTS.py`), θ = 1/2."""

import math
import os
import subprocess
import tempfile
from importlib.metadata import version

try:
    import numpy
    import siconos.kernel as kernel
except ImportError as error:
    print(f"missing\t{error}")
    raise SystemExit from None

from serve import GRAVITY, serve


# Gap and gradient as a C plugin, the way of its user's guide: relations derived in Python crash in computeOneStep.
PLUGIN = """
#include <math.h>
void gap(unsigned int n, const double *q, unsigned int m, double *y, unsigned int k, double *z) {{ y[0] = {gap}; }}
void gradient(unsigned int n, const double *q, unsigned int m, double *g, unsigned int k, double *z) {{
    g[0] = {x};
    g[1] = {y};
}}
"""
FOLDER = tempfile.TemporaryDirectory()


def relation(name, gap, x, y):
    source, library = (os.path.join(FOLDER.name, f"{name}Plugin.{end}") for end in ("c", "so"))
    if not os.path.exists(library):
        with open(source, "w", encoding="ascii") as file:
            file.write(PLUGIN.format(gap=gap, x=x, y=y))
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    return kernel.LagrangianScleronomousR(f"{library[:-3]}:gap", f"{library[:-3]}:gradient")


def stepping(ground, position, velocity, restitution, step, duration, drag=0.0):
    body = kernel.LagrangianLinearTIDS(position, velocity, numpy.eye(2))
    body.setFExtPtr([0.0, -GRAVITY])
    model = kernel.NonSmoothDynamicalSystem(0.0, duration)
    model.insertDynamicalSystem(body)
    interaction = kernel.Interaction(kernel.NewtonImpactNSL(restitution), ground)
    model.link(interaction, body)
    integrator, clock, problem = kernel.MoreauJeanOSI(0.5), kernel.TimeDiscretisation(0.0, step), kernel.LCP()
    simulation = kernel.TimeStepping(model, clock, integrator, problem)
    each, count = round(1 / step), round(duration / step)

    def solve():
        places = []
        for k in range(1, count + 1):
            if drag:
                vx, vy = body.velocity()
                brake = drag * math.hypot(vx, vy)
                body.setFExtPtr([-brake * vx, -brake * vy - GRAVITY])
            simulation.computeOneStep()
            if k % each == 0:
                places.append(tuple(body.q()))
            simulation.nextStep()
        return places, "to the end"

    # What keeps the model alive in Python.
    solve.parts = (model, ground, interaction, integrator, clock, problem, simulation)
    return solve


def throw(task, method, step, duration):
    if task.height:
        a, k = repr(task.height), repr(task.wave)
        ground = relation("Hills", f"q[1] - {a} * sin({k} * q[0])", f"-{a} * {k} * cos({k} * q[0])", "1.0")
    else:
        ground = kernel.LagrangianLinearTIR(numpy.array([[0.0, 1.0]]))
    return stepping(ground, task.start[:2], task.start[2:], task.e, step, duration, task.drag)


def bowl(task, method, step, duration):
    if task.factor:
        raise ValueError("rolling is not written for it here")
    far = "hypot(q[0], q[1])"
    inside = relation("Inside", f"1.0 - {far}", f"-q[0] / {far}", f"-q[1] / {far}")
    return stepping(inside, task.place(task.release), [0.0, 0.0], 0.0, step, duration)


def crest(task, method, step, duration):
    far = "hypot(q[0], q[1])"
    outside = relation("Outside", f"{far} - 1.0", f"q[0] / {far}", f"q[1] / {far}")
    return stepping(outside, [0.0, 1.0], [task.speed, 0.0], 0.0, step, duration)


serve(f"Siconos {version('siconos')}", {"throw": throw, "bowl": bowl, "crest": crest})
