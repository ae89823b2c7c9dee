"""Balls in a box by Siconos: `src/bin/heaps.rs` starts it with a file of the start, and reads two times and the states.

Discs and planes of its `mechanics`, its own search for neighbours (whose cells are whole numbers wide: lengths are in cm),
`MoreauJeanOSI(0.5)`, `NewtonImpactFrictionNSL`, `FrictionContact(2)` by NSGS.
"""

import os
import sys
import time

import numpy
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision.bodies import Disk
from siconos.mechanics.collision.native import SpaceFilter

CM = 100.0
with open(sys.argv[1], encoding="utf-8") as file:
    first, walls, *balls = file.read().splitlines()
tolerance, iterations, step, friction, gravity, fall, rest, every = first.split()
step, fall, rest, every = float(step), int(fall), int(rest), int(every)

model = kernel.NonSmoothDynamicalSystem(0.0, 2 * step * (fall + rest))
bodies = []
for line in balls:
    mass, radius, x, y, vx, vy = map(float, line.split())
    body = Disk(CM * radius, mass, [CM * x, CM * y, 0.0], [CM * vx, CM * vy, 0.0])
    # A sphere's, where Siconos has a disc's.
    body.mass()[2, 2] = 0.4 * mass * (CM * radius) ** 2
    body.setFExtPtr([0.0, -CM * mass * float(gravity), 0.0])
    model.insertDynamicalSystem(body)
    bodies.append(body)
numbers = [CM * float(number) for number in walls.split()]
corners = list(zip(numbers[::2], numbers[1::2]))
planes = []
for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
    normal = numpy.array([y0 - y1, x1 - x0])
    normal /= numpy.linalg.norm(normal)
    planes.append([*normal, -normal @ [x0, y0], 0.0, 0.0, 0.0])
space = SpaceFilter(3, 3, numpy.array(planes))
space.insertNonSmoothLaw(kernel.NewtonImpactFrictionNSL(0.0, 0.0, float(friction), 2), 0, 0)
problem = kernel.FrictionContact(2)
options = problem.numericsSolverOptions()
options.dparam[numerics.SICONOS_DPARAM_TOL] = float(tolerance)
options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = int(float(iterations))
problem.setMaxSize(20 * len(bodies))
problem.setMStorageType(numerics.NM_SPARSE_BLOCK)
simulation = kernel.TimeStepping(model, kernel.TimeDiscretisation(0.0, step))
simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
simulation.insertNonSmoothProblem(problem)
simulation.insertInteractionManager(space)
simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
simulation.setNewtonMaxIteration(1)

times, pictures = [0.0, 0.0], []
out = os.dup(1)
os.dup2(2, 1)
for k in range((fall + rest) // every):
    begin = time.process_time()
    for _ in range(every):
        simulation.computeOneStep()
        simulation.nextStep()
    times[k >= fall // every] += time.process_time() - begin
    states = [(body.q(), body.velocity()) for body in bodies]
    pictures.append([(q[0] / CM, q[1] / CM, v[0] / CM, v[1] / CM, v[2]) for q, v in states])
os.dup2(out, 1)
print(*times)
for picture in pictures:
    for ball in picture:
        print(*ball)
