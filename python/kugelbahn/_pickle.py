"""Makes again what was pickled, of what it was made of."""

from ._errors import Stopped
from ._kugelbahn import Ball, Ground, Simulation


def ball(mass, radius, inertia):
    return Ball.point(mass) if radius == 0.0 else Ball(mass, radius, inertia)


def ground(maker, arguments):
    return getattr(Ground, maker)(*arguments)


def simulation(of_file, base, changes):
    """All changes in their order."""
    made = Simulation.from_toml(*base) if of_file else Simulation(ball=base[0], ground=base[1])
    for change in changes:
        made = made.replace(**dict(change))
    return made


def run(simulation, parts):
    """The same run: each part ends where it did, after as many steps and events. The last may be one that could not go on."""
    made = simulation
    for to, cut in parts:
        try:
            made = (made.run if made is simulation else made.resume)(to, _cut=cut)
        except Stopped as stopped:
            made = stopped.run
    return made
