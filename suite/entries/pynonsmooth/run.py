"""PyNonsmooth: nonsmooth generalized-α (Capobianco, Harsch, Eugster, Leine 2021) and Moreau's scheme as their authors published them.

    git clone https://github.com/JonasBreuling/PyNonsmooth; pip install numpy tqdm matplotlib
    PYNONSMOOTH=PyNonsmooth python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT

A model states gaps, directions and their derivatives; rows of balls have one a pair. Case 2's drag is part of its force h.
"""
import contextlib
import io
import math
import os
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), os.environ["PYNONSMOOTH"]]
import entry
import numpy
import stepped
from solvers.generalized_alpha import Generalized_alpha
from solvers.moreau import Moreau


class Ball:
    """A ball on level ground or in a hollow circle, with friction."""

    nq = nu = 3
    nla_g = nla_gamma = 0
    nla_N = nla_F = 1
    NF_connectivity = [[0]]

    def __init__(self, task):
        self.task, self.rows = task, []
        x, y, vx, vy, spin = task.balls[0]
        self.q0, self.u0 = numpy.array([x, y, 0.0]), numpy.array([vx, vy, spin])
        self.mu, self.e_N, self.e_F = numpy.array([task.mu]), numpy.array([task.e]), numpy.zeros(1)
        # Their parameter of the prox form is 0.3, for 1 kg.
        self.prox_r_N = self.prox_r_F = numpy.array([0.3])
        inertia = 0.4 * task.mass * task.radius**2
        self.mass = numpy.diag([task.mass, task.mass, inertia])
        self.rho = task.ground["radius"] - task.radius if task.ground["kind"] == "arc" else None
        self.la_g0 = self.la_gamma0 = numpy.zeros(0)
        normal = task.mass * task.g * -y / self.rho if self.rho else task.mass * task.g if y <= task.radius + task.ground["y"] else 0.0
        force = 2 / 7 * task.mass * task.g * x / self.rho if self.rho and task.mu else 0.0
        if task.number == "11":
            force = -task.mu * normal * numpy.sign(vx + task.radius * spin)
        self.la_N0, self.la_F0 = numpy.array([normal]), numpy.array([force])

    def M(self, t, q):
        return self.mass

    def h(self, t, q, u):
        drag = self.task.drag * math.hypot(u[0], u[1])
        return numpy.array([-drag * u[0], -drag * u[1] - self.task.mass * self.task.g, 0.0])

    def q_dot(self, t, q, u):
        return u

    def q_ddot(self, t, q, u, a):
        return a

    def B(self, t, q):
        return numpy.eye(3)

    def _none(self, *_):
        return numpy.zeros(0)

    g = g_dot = g_ddot = gamma = gamma_dot = _none

    def _no_direction(self, t, q):
        return numpy.zeros((3, 0))

    W_g = W_gamma = _no_direction

    def normal(self, q):
        return -q[:2] / math.hypot(*q[:2]) if self.rho else numpy.array([0.0, 1.0])

    def tangent(self, q):
        n = self.normal(q)
        return numpy.array([n[1], -n[0]])

    def g_N(self, t, q):
        return numpy.array([self.rho - math.hypot(*q[:2]) if self.rho else q[1] - self.task.radius - self.task.ground["y"]])

    def g_N_dot(self, t, q, u):
        return numpy.array([self.normal(q) @ u[:2]])

    def g_N_ddot(self, t, q, u, a):
        bend = (self.tangent(q) @ u[:2]) ** 2 / math.hypot(*q[:2]) if self.rho else 0.0
        return numpy.array([self.normal(q) @ a[:2] - bend])

    def W_N(self, t, q):
        return numpy.array([[*self.normal(q), 0.0]]).T

    def xi_N(self, t, q, before, after):
        return self.g_N_dot(t, q, after) + self.e_N * self.g_N_dot(t, q, before)

    def gamma_F(self, t, q, u):
        return numpy.array([self.tangent(q) @ u[:2] + self.task.radius * u[2]])

    def W_F(self, t, q):
        return numpy.array([[*self.tangent(q), self.task.radius]]).T

    def gamma_F_dot(self, t, q, u, a):
        # The tangent turns with the place: dτ/dt·v = (τ·v)(n·v)/ρ.
        turn = (self.tangent(q) @ u[:2]) * (self.normal(q) @ u[:2]) / math.hypot(*q[:2]) if self.rho else 0.0
        return numpy.array([self.tangent(q) @ a[:2] + turn + self.task.radius * a[2]])

    def xi_F(self, t, q, before, after):
        return self.gamma_F(t, q, after) + self.e_F * self.gamma_F(t, q, before)

    def step_callback(self, q, u):
        self.rows.append([(q[0], q[1], u[0], u[1], u[2])])
        return q, u

    def touching(self, row):
        return bool(self.g_N(0.0, numpy.array(row[0][:3])) <= 1e-9)


class Row(Ball):
    """Balls on a line along x, or y with the floor below."""

    nla_F = 0

    def __init__(self, task):
        self.task, self.rows, count = task, [], len(task.balls)
        self.axis = 1 if task.g else 0
        self.nq = self.nu = count
        self.q0 = numpy.array([ball[self.axis] for ball in task.balls])
        self.u0 = numpy.array([ball[2 + self.axis] for ball in task.balls])
        self.directions = numpy.array([[(j == i + 1) - (j == i) for j in range(count)] for i in range(count - 1)] + ([[1] + [0] * (count - 1)] if self.axis else []), dtype=float).T
        self.nla_N = self.directions.shape[1]
        self.NF_connectivity = [numpy.zeros(0, dtype=int) for _ in range(self.nla_N)]
        self.mu, self.e_N, self.e_F = numpy.zeros(self.nla_N), numpy.full(self.nla_N, task.e), numpy.zeros(0)
        self.prox_r_N, self.prox_r_F = numpy.full(self.nla_N, 0.3), numpy.zeros(self.nla_N)
        self.mass = task.mass * numpy.eye(count)
        self.la_g0 = self.la_gamma0 = self.la_F0 = numpy.zeros(0)
        self.la_N0 = numpy.zeros(self.nla_N)

    def h(self, t, q, u):
        return numpy.full(self.nu, -self.task.mass * self.task.g)

    def B(self, t, q):
        return numpy.eye(self.nu)

    def _no_direction(self, t, q):
        return numpy.zeros((self.nu, 0))

    W_g = W_gamma = W_F = _no_direction

    def g_N(self, t, q):
        gaps = self.directions.T @ q - 2 * self.task.radius
        if self.axis:
            gaps[-1] += self.task.radius - self.task.ground["y"]
        return gaps

    def g_N_dot(self, t, q, u):
        return self.directions.T @ u

    def g_N_ddot(self, t, q, u, a):
        return self.directions.T @ a

    def W_N(self, t, q):
        return self.directions

    gamma_F = gamma_F_dot = xi_F = Ball._none

    def step_callback(self, q, u):
        place = lambda a, b: (0.0, a, 0.0, b, 0.0) if self.axis else (a, 0.0, b, 0.0, 0.0)
        self.rows.append([place(a, b) for a, b in zip(q, u)])
        return q, u

    def touching(self, row):
        return False


def answer(task, setting):
    if task.number not in ("1", "2", "6", "7", "11", "12", "18"):
        return None
    name, step = setting.split(", ")
    step = float(step.split()[0])
    task = stepped.prepared(task)
    # Its friction is a cone of μ; where nothing slips 10 is as good as any more.
    task.mu = min(task.mu, 10.0)
    model = Row(task) if len(task.balls) > 1 else Ball(task)
    end = max([*task.times.values(), *task.until.values()])
    solver = Generalized_alpha(model, 0, end, step, rho_inf=0.5, newton_tol=1e-8) if name == "generalized-α" else Moreau(model, 0, end, step)
    model.rows.clear()
    start = [ball for ball in task.balls]
    done = None
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            done = solver.solve()
        except (RuntimeError, ValueError, numpy.linalg.LinAlgError) as error:
            print(error, file=sys.__stderr__)
    rows = iter((k * step, row, model.touching(row)) for k, row in enumerate([start, *model.rows]))
    outcome = stepped.follow(task, rows, step)
    if done is not None and name == "generalized-α" and len(task.balls) == 1:
        times, normal, friction = numpy.asarray(done[0]), done[11][:, 0], done[13][:, 0]
        for index in outcome.states:
            outcome.states[index]["lambda"] = numpy.interp(task.times[index], times, normal)
            outcome.states[index]["friction"] = numpy.interp(task.times[index], times, friction)
    return outcome


entry.write(__file__, "PyNonsmooth", "93c16cd (2021-12-02)", "nonsmooth generalized-α, ρ∞ = 0.5; Moreau", ["generalized-α, 1e-2 s", "generalized-α, 5e-3 s", "Moreau, 2e-3 s"], answer)
