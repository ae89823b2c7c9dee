"""A ball that flies, bounces, slides and rolls over curved ground.

>>> import kugelbahn as kb
>>> sim = kb.Simulation(ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05), ground=kb.Ground.graph("0.25*sin(pi*x)"),
...                     restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9)
>>> run = sim.run(3.05)
>>> run.at([0.5, 1.0]).position.shape
(2, 2)

SI units throughout; angles in radians, anticlockwise; x to the right, y up; positions are the centre's.
"""

from ._errors import InputError, Stopped
from ._kugelbahn import Ball, Ground, Run, Simulation, __version__, aim, compare, converge, fit, sweep

__all__ = [
    "Ball", "Ground", "InputError", "Run", "Simulation", "Stopped", "__version__", "aim", "compare", "converge", "fit", "sweep",
]
