import pytest

import kugelbahn as kb


@pytest.fixture
def sim():
    return kb.Simulation(
        ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05),
        ground=kb.Ground.graph("0.25*sin(pi*x)"),
        restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9,
    )


@pytest.fixture
def throw():
    """A point that bounces on level ground."""
    return kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), restitution=0.5, position=(0, 1), velocity=(1, 0))
