"""Makes again what was pickled, of what it was made of."""

from ._kugelbahn import Ball, Ground, Simulation


def ball(mass, radius, inertia):
    return Ball.point(mass) if radius == 0.0 else Ball(mass, radius, inertia)


def ground(maker, arguments):
    return getattr(Ground, maker)(*arguments)


def simulation(file, given):
    return Simulation(**dict(given)) if file is None else Simulation.from_toml(*file, _given=given)


def run(simulation, parts):
    """The same run: each part ends where it did, after as many steps and events."""
    (to, cut), *others = parts
    made = simulation.run(to, _cut=cut)
    for to, cut in others:
        made = made.resume(to, _cut=cut)
    return made
