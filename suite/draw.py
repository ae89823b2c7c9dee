"""The cases of the suite: problems, exact answers, scenarios. pip install mpmath; then

    python3 draw.py                          writes the printed cases to cases/
    python3 draw.py --seed N FOLDER          draws the parameters of cases 1 to 18 and 20 anew
    python3 draw.py --seed N FOLDER 3 9      the same, of these cases alone

Answers are computed twice, by two ways that share no step, and no formula but the law of motion in some (see exact.py); where they differ nothing is written.
"""
import argparse
import csv
import pathlib
import random
import re
import sys
from fractions import Fraction

try:
    from mpmath import acos, asin, atan2, cos, ellipf, ellipfun, ellipk, findroot, matrix, mp, mpf, odefun, pi, quad, sin, sqrt
except ImportError:
    sys.exit("draw.py: mpmath is not installed: pip install mpmath")

import exact
from exact import Ground, agree, both, extrapolate

HERE = pathlib.Path(__file__).parent
G = mpf("9.81")


# Impacts of a row of balls after which it is taken for one that accumulates.
MOST = 300


class Unfit(Exception):
    """Parameters that were drawn make no case of this kind: others are drawn."""


def text(number, digits=25):
    return mp.nstr(number, digits, min_fixed=-6, max_fixed=18)


class Case:
    """One folder: tasks with a letter each, or one task without."""

    def __init__(self, number, slug, title, seed, drawn):
        self.number, self.slug, self.title, self.seed, self.random = number, slug, title, seed, drawn
        self.tasks, self.problem, self.sources = [], "", ""

    def pick(self, printed, low, high, digits=3):
        """A parameter: the printed one, or drawn, as a decimal number."""
        return printed if self.seed is None else f"{self.random.uniform(low, high):.{digits}f}"

    def task(self, scenario, letter="", says=""):
        task = Task(f"{self.number}{letter}", letter, scenario.strip() + "\n", says)
        self.tasks.append(task)
        return task

    def write(self, folder):
        folder = folder / f"{self.number:02}-{self.slug}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "problem.md").write_text(self.page())
        with open(folder / "answers.csv", "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["case", "quantity", "index", "value", "within", "kind", "condition"])
            for task in self.tasks:
                for quantity, index, number, kind, condition in task.rows:
                    within = 0 if kind in ("given", "until") else max(abs(number), 1) * mpf(10) ** -20
                    out.writerow([task.name, quantity, index, text(number), text(within, 1), kind, text(condition, 2)])
        for task in self.tasks:
            (folder / f"scenario{task.letter and '-' + task.letter}.toml").write_text(task.scenario)

    def page(self):
        lines = [f"# {self.number} {self.title}", "", self.problem.strip(), ""]
        for task in self.tasks:
            lines += [f"**{task.name}.** {task.says} {task.asked()}".replace("  ", " "), ""]
        return "\n".join([*lines, f"*How the answers were found.* {self.sources.strip()}", ""])


class Task:
    def __init__(self, name, letter, scenario, says):
        self.name, self.letter, self.scenario, self.says, self.rows = name, letter, scenario, says, []
        found = re.search(r"radius = ([0-9.]+)", scenario.replace("centre = [0.0, 0.0], radius", "")) if "ball" in scenario else None
        if found and mpf(found[1]) > 0:
            self.row("radius", "", mpf(found[1]), "given")
        self.row("deepest", "", mpf(0), "least")
        self.row("unexplained", "", mpf(0), "least")

    def row(self, quantity, index, number, kind, condition=1):
        self.rows.append((quantity, index, mpf(number), kind, mpf(condition)))

    def events(self, quantity, times, end, conditions=None):
        """All events of this kind up to `end`: before the next one, by so much that one told late is still taken for itself."""
        for i, time in enumerate(times):
            self.row(quantity, i + 1, time, "event", conditions[i] if conditions else 1)
        self.row(quantity, "", end, "until")

    def states(self, times, names, rows, kind="state", conditions=None):
        first = 1 + sum(r[0] == "time" for r in self.rows)
        for i, (time, row) in enumerate(zip(times, rows, strict=True), first):
            self.row("time", i, time, "given")
            for name, number in zip(names.split(), row, strict=True):
                self.row(name, i, number, kind if name not in ("lambda", "friction") else "force", conditions[i - first] if conditions else 1)

    def asked(self):
        says = []
        for quantity in dict.fromkeys(r[0] for r in self.rows if r[3] == "until"):
            end = next(r[2] for r in self.rows if r[0] == quantity and r[3] == "until")
            says.append(f"the times of every `{quantity}` up to {text(end, 12)} s")
        times = [text(r[2], 12) for r in self.rows if r[0] == "time"]
        names = list(dict.fromkeys(r[0] for r in self.rows if r[3] in ("state", "after", "force")))
        if times:
            says.append(f"{', '.join(f'`{n}`' for n in names)} at {', '.join(times)} s (index 1 to {len(times)})")
        says += [f"`{r[0]}` {r[1]}".strip() for r in self.rows if r[3] in ("number", "most")]
        return "Asked: " + "; ".join([*says, *(f"`{r[0]}`" for r in self.rows if r[3] == "least")]) + "."


def told(times, most):
    """How many of them are asked for: hops of less than 10 µs may be summed up."""
    return next((i for i in range(1, min(most, len(times) - 1)) if times[i] - times[i - 1] < mpf("1e-5")), min(most, len(times) - 1))


def middle(a, b, digits=4):
    """A time between two events as a decimal number."""
    return mpf(mp.nstr((a + b) / 2, digits + 2))


def decimal(number, digits):
    """A decimal number near it."""
    return mpf(f"{float(number):.{digits}f}")


def arcs(task, ground, states, conditions, picks, names="x y vx vy"):
    """States halfway along some flights; `conditions` of both impacts at their ends."""
    times = [middle(states[i][0], states[i + 1][0]) for i in picks]
    rows = [ground.fly(states[i], t - states[i][0])[1:] for i, t in zip(picks, times)]
    rows = [[r["x y vx vy".split().index(n)] for n in names.split()] for r in rows]
    task.states(times, names, rows, conditions=[conditions[i + 1] for i in picks])


def drop(case):
    h, e = case.pick("1", 0.5, 2), case.pick("0.9", 0.6, 0.92)
    case.problem = f"""
A point mass of 1 kg falls from rest at y = {h} m onto the level y = 0, g = 9.81 m/s². Impacts follow Newton's law: v_y⁺ = −e v_y⁻, e = {e}.
There is no air. The bounces accumulate (Zeno); after that the mass lies at y = 0. `landing` is the end of all bounces."""
    case.sources = """Geometric series: t_k = t₁ (1 + 2(e + … + e^(k−1))), t₁ = √(2h/g), t_∞ = t₁(1+e)/(1−e), with 50 digits; and, independently,
first impacts of each flight by search (`exact.march` and `exact.sampled`), added up."""
    task = case.task(f"""
title = "1 Drop with Zeno"
initial = {{ position = [0.0, {h}] }}
ground = {{ curve = {{ kind = "graph", y = 0 }} }}
contact = {{ restitution = {e} }}
solver = {{ duration = DURATION }}""")
    h, e = mpf(h), mpf(e)
    first = sqrt(2 * h / G)
    times = [first * (1 + 2 * (e - e**k) / (1 - e)) for k in range(1, 22)]
    ground = Ground(G)
    states, _ = both("drop", ground, (mpf(0), mpf(0), h, mpf(0), mpf(0)), e, 21, 3 * first)
    agree("drop", times, [s[0] for s in states[1:]])
    count = told(times, 20)
    task.events("impact", times[:count], (times[count - 1] + times[count]) / 2)
    end = first * (1 + e) / (1 - e)
    task.events("landing", [end], end * mpf("1.1"))
    arcs(task, ground, states, [1] * 30, (1, 4, 8, 12), "y vy")
    after = decimal(end * mpf("1.2"), 1)
    task.states([after], "y vy lambda", [[0, 0, G]], "after")
    task.scenario = task.scenario.replace("DURATION", text(after + 1, 5))


def drag(case):
    vx, vy, e = case.pick("1", 0.5, 3), case.pick("5", 2, 7), case.pick("0.9", 0.6, 0.92)
    kd = "0.01015005" if case.seed is None else case.pick("", 0.002, 0.05, 4)
    case.problem = f"""
A point mass m = 1.1 kg starts at (0, 2) m with velocity ({vx}, {vy}) m/s: m q̈ = −m g e_y − k_D ‖q̇‖ q̇, g = 9.81 m/s², k_D = {kd} kg/m (the
benchmark of Gallois, Brac and Soriano has ½ · 0.5 · 1.293 · 3.14 · 0.1²). Impact on y = 0: v_y⁺ = −e v_y⁻, e = {e}; v_x stays. After the
bounces have accumulated the mass slides on without friction, against the air alone."""
    case.sources = """Taylor series of order 30 with 50 digits, hop by hop, until hops are 1e-14 s; what is left is a geometric series to 26 digits. The
same hops by Gragg, Bulirsch and Stoer's extrapolation end at y = 0 to 22 digits. The first 40 impacts agree to 5e-24 s with those of
`crates/reference/data/bounces.json`."""
    task = case.task(f"""
title = "2 Hard sphere with drag"
ball = {{ mass = 1.1 }}
initial = {{ position = [0.0, 2.0], velocity = [{vx}, {vy}] }}
ground = {{ curve = {{ kind = "graph", y = 0 }} }}
forces = {{ drag = {{ coefficient = {kd} }} }}
contact = {{ restitution = {e} }}
solver = {{ tolerance = 1e-12, duration = DURATION }}""")
    e, k = mpf(e), mpf(kd) / mpf("1.1")
    state = (mpf(0), mpf(0), mpf(2), mpf(vx), mpf(vy))
    rates = lambda _, z: [z[2], z[3], -k * sqrt(z[2] ** 2 + z[3] ** 2) * z[2], -G - k * sqrt(z[2] ** 2 + z[3] ** 2) * z[3]]
    times, kept = [], []
    while True:
        pieces = list(exact.drag_arc(state, G, k, 30))
        s, (t, x, y, _, _), us, vs = pieces[-1]
        u, v = exact.value(us, s), exact.value(vs, s)
        here = (t + s, exact.poly(us, s, x), mpf(0), u, v)
        if len(times) < 60:
            agree("drag", here[1:], extrapolate(rates, state[0], list(state[1:]), here[0], mpf(1) / 64))
        times.append(here[0])
        kept.append(pieces)
        state = (*here[:4], -e * v)
        if -v < mpf(10) ** -14:
            break
    rest = 2 * state[4] / (G * (1 - e))
    end, x, u = state[0] + rest, state[1] + state[3] * rest, state[3]
    count = told(times, 40)
    task.events("impact", times[:count], (times[count - 1] + times[count]) / 2)
    task.events("landing", [end], end + mpf("0.5"))
    picked, rows = [], []
    for i in (0, 5, 15, 25):
        time = middle(times[i - 1] if i else mpf("0.2"), times[i], 4)
        s, at, us, vs = next(p for p in kept[i] if p[1][0] <= time <= p[1][0] + p[0])
        d = time - at[0]
        picked.append(time)
        rows.append([exact.poly(us, d, at[1]), exact.poly(vs, d, at[2]), exact.value(us, d), exact.value(vs, d)])
    task.states(picked, "x y vx vy", rows)
    after = mpf(20) if case.seed is None else decimal(end + 3, 1)
    d = after - end
    slide = [x + mp.log(1 + k * u * d) / k, mpf(0), u / (1 + k * u * d), mpf(0), mpf("1.1") * G]
    agree("slide", slide[:1] + slide[2:3], extrapolate(lambda _, z: [z[1], -k * z[1] ** 2], mpf(0), [x, u], d, mpf(1) / 8))
    task.states([after], "x y vx vy lambda", [slide], "after")
    task.scenario = task.scenario.replace("DURATION", text(after, 6))


def wave(a, q):
    """a sin(q x), its slope, and a bound of its second derivative."""
    return (lambda x: (a * sin(q * x), a * q * cos(q * x))), a * q * q


def sine(case):
    a, vx, e = case.pick("0.5", 0.1, 0.6), case.pick("1", 0.5, 2), case.pick("0.9", 0.8, 0.95)
    case.problem = f"""
A point mass starts at (0, 2) m with velocity ({vx}, 5) m/s over the ground y = A sin(πx), A = {a} m; g = 9.81 m/s², no air. At an impact the
normal velocity is reversed, v_n⁺ = −e v_n⁻, e = {e}; the tangential one stays (no friction). A small change of the start grows with every bounce;
column `condition` of `answers.csv` says how much."""
    case.sources = """First impacts with a proof (`exact.march`: the gap's second derivative is bounded) with 50 digits, and by samples and the Illinois
method with 70 (`exact.sampled`). The first 30 impacts agree to 5e-24 s with those of `crates/reference/data/bounces.json`."""
    task = case.task(f"""
title = "3 Sine ground, thirty bounces"
initial = {{ position = [0.0, 2.0], velocity = [{vx}, 5.0] }}
ground = {{ curve = {{ kind = "graph", y = "A*sin(pi*x)", parameters = {{ A = {a} }} }} }}
contact = {{ restitution = {e} }}
solver = {{ duration = DURATION }}""")
    height, bend = wave(mpf(a), pi)
    ground = Ground(G, height, bend)
    states, conditions = both("sine", ground, (mpf(0), mpf(0), mpf(2), mpf(vx), mpf(5)), mpf(e), 31, mpf(10))
    count = next((i for i, c in enumerate(conditions) if c > mpf(10) ** 8), len(states)) - 1
    times = [s[0] for s in states[1:]]
    task.events("impact", times[:count - 1] if count < 30 else times[:30], (times[count - 2] + times[count - 1]) / 2, conditions[1:])
    arcs(task, ground, states, conditions, (1, count // 4, count // 2, 3 * count // 4, count - 1))
    task.scenario = task.scenario.replace("DURATION", text(mp.ceil(times[count - 1]), 5))


def crests(case):
    w, e = case.pick("0.01", 0.008, 0.02), case.pick("0.8", 0.5, 0.95)
    case.problem = f"""
The ground has a sharp crest at every whole x: y = h/(1 + (sin(πx)/w)²), h = 0.1 m, w = {w}, so that a crest is some millimetres wide and its
radius of curvature at the top w²/(2π²h). A point mass flies to the right at 10 m/s from x = −0.5 m, at rest vertically; g = 9.81 m/s². Its path passes the
top of the crest at x = 2 m with a clearance c, so it starts at y = h + g/2 (0.25 s)² + c. Impacts as in case 3, e = {e}. Some throws miss that crest,
some clip it; a crest that is stepped over is a missed impact, one that is told where the path clears it an invented one."""
    case.sources = """First impacts with a proof (`exact.march`) with 50 digits; again by samples, the least gap between two of them, and brackets."""
    base = mpf("0.1") + G / 2 * mpf("0.0625")
    width = mpf(w)
    bend = mpf("0.1") * (2 * (pi / width) ** 2 + (pi / width) ** 2)

    def height(x):
        s, c = sin(pi * x) / width, cos(pi * x) * pi / width
        return mpf("0.1") / (1 + s * s), mpf("-0.2") * s * c / (1 + s * s) ** 2

    ground = Ground(G, height, bend)
    graze = mpf("0.245") ** 2 / (4 * mpf("0.1") * (pi / width) ** 2)
    clear = [mpf(c) for c in ("1e-3", "1e-5", "1e-4")] + [decimal(graze * f, 9) for f in (1.2, 1.05, 0.95, 0.5)] + [mpf(c) for c in ("-1e-6", "-1e-4", "-1e-3")]
    for letter, c in zip("abcdefghij", clear):
        start = base + c
        task = case.task(f"""
title = "4 Sharp crests, clearance {text(c, 9)} m"
initial = {{ position = [-0.5, {text(start, 15)}], velocity = [10.0, 0.0] }}
ground = {{ curve = {{ kind = "graph", y = "h/(1+(sin(pi*x)/w)^2)", parameters = {{ h = 0.1, w = {w} }} }} }}
contact = {{ restitution = {e} }}
solver = {{ duration = 0.5 }}""", letter, f"c = {text(c, 9)} m.")
        state = (mpf(0), mpf("-0.5"), start, mpf(10), mpf(0))
        hits = ground.hops(state, mpf(e), 2, mpf(1))
        small = mpf(10) ** -25
        moved = ground.hops((*state[:2], start + small, *state[3:]), mpf(e), 1, mpf(1))
        first = exact.sampled(ground.gap(state), bend * 100, mpf("0.5"), touching=False)
        agree("crests", [hits[1][0]], [first], 20)
        task.events("impact", [hits[1][0]], hits[1][0] + (min(hits[2][0] if len(hits) > 2 else mpf(1), mpf("0.5")) - hits[1][0]) / 2, [abs(hits[1][0] - moved[1][0]) / small])


def billiard(case):
    f, x, y, vx = "0.5", case.pick("0.3", -0.5, 0.5), case.pick("1.5", 1, 2), case.pick("1", -2, 2)
    case.problem = f"""
A point mass bounces elastically (v_n⁺ = −v_n⁻, no friction) in the parabola y = x²/(4f), f = {f} m, from ({x}, {y}) m with velocity ({vx}, 0) m/s; g = 9.81
m/s², m = 1 kg. The motion is integrable (Korsch and Lang, J. Phys. A 24 (1991) 45): beside the energy E = ‖v‖²/2 + g y per kg it keeps
D = ‖P − S‖, P = (x + v_x v_y/g, y + (v_y² − v_x²)/(2g)) the focus of the flight, S = (0, f) that of the ground. `energy` and `focal-distance` are
E and D just after bounce number 10^index, index 1 to 6 (10⁶ bounces last some days of motion)."""
    case.sources = """E and D from the start; times by each flight's quadratic equation in closed form and by `exact.march`, 50 digits each; the recursion
keeps E and D to 40 digits over 1000 bounces."""
    task = case.task(f"""
title = "5 Billiard in a parabola"
initial = {{ position = [{x}, {y}], velocity = [{vx}, 0.0] }}
ground = {{ curve = {{ kind = "graph", y = "x^2/(4*f)", parameters = {{ f = {f} }} }} }}
contact = {{ restitution = 1.0 }}
solver = {{ duration = 1e9 }}""")
    f = mpf(f)
    ground = Ground(G, lambda x: (x * x / (4 * f), x / (2 * f)), 1 / (2 * f))
    state = (mpf(0), mpf(x), mpf(y), mpf(vx), mpf(0))
    integrals = lambda s: [(s[3] ** 2 + s[4] ** 2) / 2 + G * s[2], mp.hypot(s[1] + s[3] * s[4] / G, s[2] + (s[4] ** 2 - s[3] ** 2) / (2 * G) - f)]
    states, conditions = both("billiard", ground, state, mpf(1), 21, mpf(5))
    here, times = states[1], [states[1][0]]
    for _ in range(1000):
        t, px, py, u, v = here
        s = (v - px * u / (2 * f)) / (G / 2 + u * u / (4 * f))
        here = ground.bounce(ground.fly(here, s), mpf(1))
        times.append(here[0])
    agree("billiard", times[:20], [s[0] for s in states[1:21]])
    agree("integrals", integrals(here), integrals(state), 30)
    task.events("impact", times[:20], (times[19] + times[20]) / 2, conditions[1:])
    for i in range(1, 7):
        task.row("energy", i, integrals(state)[0], "number")
        task.row("focal-distance", i, integrals(state)[1], "number")


def swing(rho, k, m, theta, t, radius):
    """A bead or rolling ball on a circle from rest at `theta`: by elliptic functions (Whittaker, Analytical Dynamics, IV)."""
    rate = sqrt(G / ((1 + k) * rho))
    q = sin(theta / 2)
    u = rate * t + ellipk(q * q)
    sn, cn, dn = (ellipfun(name, u, m=q * q) for name in ("sn", "cn", "dn"))
    return on_circle(rho, k, m, 2 * atan2(q * sn, dn), 2 * q * rate * cn, radius)


def on_circle(rho, k, m, angle, turn, radius):
    """x, y, vx, vy, spin, λ, f of a centre on a circle about the origin, angle from the bottom."""
    s, c = sin(angle), cos(angle)
    row = [rho * s, -rho * c, rho * turn * c, rho * turn * s]
    forces = [m * (rho * turn**2 + G * c), k / (1 + k) * m * G * s]
    return [*row, -rho * turn / radius, *forces] if radius else [*row, forces[0]]


def bowl(case, rolls):
    radius, k = (mpf("0.1"), mpf(2) / 5) if rolls else (mpf(0), mpf(0))
    x = case.pick("0.8", 0.2, 0.95)
    ball = "a solid sphere (R = 0.1 m, m = 1 kg, I = 2/5 m R²) that rolls without slip" if rolls else "a bead of 1 kg that slides without friction"
    contact = f"{mpf(x) * (1 + radius)}" if rolls else x
    case.problem = f"""
The ground is the lower half of a circle of radius {"1.1" if rolls else "1"} m about the origin; on it {ball}, released from rest with its centre at x = {x} m, where
the centre's circle has radius 1 m; g = 9.81 m/s². (1+k) θ̈ = −g/ρ sin θ, ρ = 1 m, k = {"2/5" if rolls else "0"}. `lambda` is the ground's normal force in N{
", `friction` its force along the ground, positive counter-clockwise as seen from the circle's centre, `spin` in rad/s counter-clockwise" if rolls else ""}."""
    case.sources = """Elliptic functions: sin(θ/2) = κ sn(ω₀t + K), κ = sin(θ₀/2) (Whittaker, Analytical Dynamics, chapter IV); λ = m(ρθ̇² + g cos θ)
and f = k/(1+k) m g sin θ by Newton's law. θ again by Gragg, Bulirsch and Stoer's extrapolation. 50 digits each."""
    task = case.task(f"""
title = "{case.number} {case.title}"
ball = {{ mass = 1.0, radius = {text(radius, 3)} }}
initial = {{ contact = {{ x = {text(mpf(x) * (1 + radius), 15)} }} }}
ground = {{ curve = {{ kind = "arc", centre = [0.0, 0.0], radius = {text(1 + radius, 3)}, from = "-pi", to = 0 }} }}
contact = {{ friction = {'"infinite"' if rolls else '0.0'} }}
solver = {{ tolerance = 1e-12, duration = 4.0 }}""")
    theta = asin(mpf(x))
    times = [mpf(t) for t in ("0.3", "0.8", "1.5", "2.2", "4")]
    rows, z, t = [], [theta, mpf(0)], mpf(0)
    for time in times:
        z, t = extrapolate(lambda _, z: [z[1], -G * sin(z[0]) / (1 + k)], t, z, time, mpf(1) / 16), time
        rows.append(agree("bowl", swing(mpf(1), k, 1, theta, time, radius), on_circle(mpf(1), k, 1, *z, radius)))
    task.states(times, "x y vx vy spin lambda friction" if rolls else "x y vx vy lambda", rows)


def take_off(case):
    v = case.pick("0.5", 0.1, 2)
    k, rho, v0 = mpf(2) / 5, mpf("1.1"), mpf(v)
    case.problem = f"""
A solid sphere (R = 0.1 m, 1 kg, I = 2/5 m R²) rolls without slip from the top of a circle of radius 1 m about the origin, its centre at {v} m/s to the right; g = 9.81
m/s². It leaves where the normal force falls to zero (`lift-off`) and flies."""
    case.sources = """cos θ = (2 + (1+k) v₀²/(gρ))/(3+k) by energy and Newton's law along the normal, ρ = 1.1 m; t = ∫ ρ dθ/v by tanh–sinh quadrature; and
extrapolation of θ̈ = g sin θ/((1+k)ρ) to the zero of λ by secants. Then the parabola."""
    task = case.task(f"""
title = "8 Take-off from a circle"
ball = {{ mass = 1.0, radius = 0.1 }}
initial = {{ contact = {{ x = 0.0, speed = {v}, spin = "rolling" }} }}
ground = {{ curve = {{ kind = "arc", centre = [0.0, 0.0], radius = 1.0, from = "pi", to = 0 }} }}
contact = {{ friction = "infinite" }}
solver = {{ tolerance = 1e-12, duration = DURATION }}""")
    speed = lambda a: sqrt(v0**2 + 2 * G * rho * (1 - cos(a)) / (1 + k))
    time = lambda a: quad(lambda z: rho / speed(z), mp.linspace(0, a, 9))
    angle = acos((2 + (1 + k) * v0**2 / (G * rho)) / (3 + k))
    rates = lambda _, z: [z[1], G * sin(z[0]) / ((1 + k) * rho)]
    off, z = exact.until(rates, [mpf(0), v0 / rho], lambda z: G * cos(z[0]) - rho * z[1] ** 2, mpf(1) / 32)
    agree("take-off", [time(angle), angle, speed(angle)], [off, z[0], rho * z[1]])
    task.events("lift-off", [off], off + mpf("0.4"))
    times = [decimal(off * mpf(p), 3) for p in ("0.4", "0.8")] + [decimal(off + mpf(d), 3) for d in ("0.1", "0.2", "0.3")]
    rows = []
    for t in times:
        if t < off:
            a, w = extrapolate(rates, mpf(0), [mpf(0), v0 / rho], t, mpf(1) / 32)
            agree("rolls", [time(a), speed(a)], [t, rho * w])
            rows.append([rho * sin(a), rho * cos(a), rho * w * cos(a), -rho * w * sin(a), -rho * w / mpf("0.1")])
        else:
            d, s = t - off, speed(angle)
            rows.append([rho * sin(angle) + s * cos(angle) * d, rho * cos(angle) - s * sin(angle) * d - G * d * d / 2, s * cos(angle), -s * sin(angle) - G * d, -s / mpf("0.1")])
    task.states(times, "x y vx vy spin", rows)
    task.scenario = task.scenario.replace("DURATION", text(off + mpf("0.45"), 3))


def loop(case):
    v = case.pick("5.5", 4.5, 5.9)
    k, v0, radius = mpf(2) / 5, mpf(v), mpf("0.1")
    case.problem = f"""
Inside a circle of radius 1.1 m about the origin (its lower part from 2.4 rad clockwise of the lowest point to 3.8 rad counter-clockwise of it) a solid sphere (R = 0.1 m, 1 kg,
I = 2/5 m R²) rolls without slip; at the lowest point its centre has {v} m/s to the right; g = 9.81 m/s². Too slow for the loop, it leaves the track (`lift-off`), flies
and lands (`landing`: e = 0) where it rolls on at once: friction takes as much of the speed as rolling asks for."""
    case.sources = """Energy and Newton's law along the normal: cos φ = (2gρ/(1+k) − v₀²)/(gρ(1 + 2/(1+k))), ρ = 1 m, φ from the lowest point; t by the incomplete elliptic integral and
by extrapolation to the zero of λ. The flight meets the circle after 4 v sin φ/g (from ‖q‖² = ρ² the double root of take-off is divided out); the place is checked on the circle.
Landing: v_t⁺ = (v_t − kRω)/(1+k) (angular momentum about the contact point)."""
    task = case.task(f"""
title = "9 Loop: off and landing"
ball = {{ mass = 1.0, radius = 0.1 }}
initial = {{ contact = {{ s = 2.64, speed = {v}, spin = "rolling" }} }}
ground = {{ curve = {{ kind = "arc", centre = [0.0, 0.0], radius = 1.1, from = "-pi/2-2.4", to = "-pi/2+3.8" }} }}
contact = {{ friction = "infinite" }}
solver = {{ tolerance = 1e-12, duration = DURATION }}""")
    c = (2 * G / (1 + k) - v0**2) / (G * (1 + 2 / (1 + k)))
    phi, speed = acos(c), sqrt(-G * c)
    rates = lambda _, z: [z[1], -G * sin(z[0]) / (1 + k)]
    off, z = exact.until(rates, [mpf(0), v0], lambda z: z[1] ** 2 + G * cos(z[0]), mpf(1) / 32)
    rate = sqrt(G / (1 + k))
    q = 2 * rate / v0
    agree("loop", [2 / v0 * ellipf(phi / 2, q * q), phi, speed], [off, z[0], z[1]])
    fly = lambda d: [sin(phi) + speed * c * d, -c + speed * sin(phi) * d - G * d * d / 2, speed * c, speed * sin(phi) - G * d]
    long = 4 * speed * sin(phi) / G
    x, y, vx, vy = fly(long)
    agree("circle", [x * x + y * y], [mpf(1)])
    along = vx * -y + vy * x
    after = (along + k * speed) / (1 + k)
    task.events("lift-off", [off], off + long / 2)
    task.events("landing", [off + long], off + long + mpf("0.05"))
    times = [decimal(off * mpf(p), 3) for p in ("0.5", "0.9")] + [decimal(off + long * mpf(p), 3) for p in ("0.3", "0.7")]
    rows = []
    for t in times:
        if t < off:
            a, w = extrapolate(rates, mpf(0), [mpf(0), v0], t, mpf(1) / 32)
            agree("rolls", [2 / v0 * ellipf(a / 2, q * q)], [t])
            rows.append([sin(a), -cos(a), w * cos(a), w * sin(a), -w / radius])
        else:
            rows.append([*fly(t - off), -speed / radius])
    # After the landing it rolls on along the circle.
    last = decimal(off + long + mpf("0.05"), 3)
    a, w = extrapolate(rates, mpf(0), [atan2(x, -y), after], last - off - long, mpf(1) / 64)
    again = odefun(lambda _, z: rates(0, z), 0, [atan2(x, -y), after])(last - off - long)
    agree("after landing", [a, w], again)
    times.append(last)
    rows.append([sin(a), -cos(a), w * cos(a), w * sin(a), -w / radius])
    task.states(times, "x y vx vy spin", rows)
    task.scenario = task.scenario.replace("DURATION", text(last, 5))


def marble(case):
    slope, v = case.pick("0.1", 0.02, 0.3), case.pick("1", 0.2, 3)
    case.problem = f"""
A marble (solid sphere, R = 8 mm, m = 5 g, I = 2/5 m R²) rolls without slip down the plane y = −{slope} x for 10 s; its centre starts over the point (0, 0) of the plane with {v} m/s;
g = 9.81 m/s², no air, friction as large as needed. Asked is also how deep it sinks into the ground."""
    case.sources = """Newton's law: v̇ = g sin α/(1+k), λ = m g cos α; and extrapolation of the same law in polar form of the slope (cos α = 1/√(1+p²))."""
    task = case.task(f"""
title = "10 Marble rolling 10 s"
ball = {{ mass = 0.005, radius = 0.008 }}
initial = {{ contact = {{ x = 0.0, speed = {v}, spin = "rolling" }} }}
ground = {{ curve = {{ kind = "graph", y = "-p*x", parameters = {{ p = {slope} }} }} }}
contact = {{ friction = "infinite" }}
solver = {{ tolerance = 1e-12, duration = 10.0 }}""")
    p, v, k, radius, m = mpf(slope), mpf(v), mpf(2) / 5, mpf("0.008"), mpf("0.005")
    c = 1 / sqrt(1 + p * p)
    s = p * c
    times, rows = [mpf(t) for t in ("0.5", "2", "5", "8", "10")], []
    for t in times:
        a = G * s / (1 + k)
        way, speed = v * t + a * t * t / 2, v + a * t
        agree("marble", [way, speed], extrapolate(lambda _, z: [z[1], G * sin(mp.atan(p)) / (1 + k)], mpf(0), [mpf(0), v], t, mpf(5), 6))
        rows.append([radius * s + way * c, radius * c - way * s, speed * c, -speed * s, -speed / radius, m * G * c])
    task.states(times, "x y vx vy spin lambda", rows)


def slip(case):
    v, mu, w = case.pick("3", 1, 5), case.pick("0.2", 0.05, 0.5), case.pick("0", -10, 30)
    case.problem = f"""
A solid sphere (R = 0.1 m, 1 kg, I = 2/5 m R²) is set on level ground at x = 0 with {v} m/s and spin {w} rad/s (counter-clockwise); Coulomb friction μ = {mu}, g = 9.81 m/s².
It slips until u = v + Rω is zero (`stick`), then rolls."""
    case.sources = """Coriolis, Théorie mathématique des effets du jeu de billard (1835): t = |u| k/((1+k) μ g), v = (v₀ − kRω₀)/(1+k); and the linear equations of motion, solved for u = 0 by rational
arithmetic with the decimal numbers of the problem."""
    task = case.task(f"""
title = "11 Slip to roll"
ball = {{ mass = 1.0, radius = 0.1 }}
initial = {{ contact = {{ x = 0.0, speed = {float(v)}, spin = {float(w)} }} }}
ground = {{ curve = {{ kind = "graph", y = 0 }} }}
contact = {{ friction = {mu} }}
solver = {{ tolerance = 1e-12, duration = DURATION }}""")
    v0, w0, f, r = Fraction(v), Fraction(w), Fraction(mu) * Fraction("9.81"), Fraction(1, 10)
    u = v0 + r * w0
    sign = 1 if u > 0 else -1
    end = abs(u) / (f * (1 + Fraction(5, 2)))
    number = lambda q: mpf(q.numerator) / q.denominator
    k = mpf(2) / 5
    agree("slip", [abs(mpf(v) + mpf(w) / 10) * k / ((1 + k) * mpf(mu) * G), (mpf(v) - k * mpf(w) / 10) / (1 + k)], [number(end), number(v0 - sign * f * end)])
    task.events("stick", [number(end)], number(end) * mpf("1.5"))
    times = [decimal(number(end) * mpf(p), 4) for p in ("0.25", "0.5", "0.75", "1.2", "1.6")]
    rows = []
    for t in times:
        q = Fraction(text(t, 12))
        d = min(q, end)
        speed = v0 - sign * f * d
        x = v0 * d - sign * f * d * d / 2 + (q - d) * speed
        rows.append([number(n) for n in (x, speed, w0 - sign * f * d * Fraction(25))])
    task.states(times, "x vx spin", rows)
    task.scenario = task.scenario.replace("DURATION", text(times[-1] + mpf("0.1"), 4))


def row_of(v, e, positions, radius, solver, title, gravity="0"):
    balls = "".join(f"""
[[ball]]
radius = {radius}
initial = {{ position = [{p[0]}, {p[1]}], velocity = [{p[2]}, 0.0] }}""" for p in positions)
    return f"""
title = "{title}"{balls}
[ground.curve]
kind = "graph"
y = {"-1" if gravity == "0" else "0"}
[forces]
gravity = {gravity}
[contact]
restitution = {e}
[solver]
{solver}
"""


def at_once(n, e):
    """Speeds after: the law v_rel⁺ + e v_rel⁻ ≥ 0 ⊥ P ≥ 0 of all contacts at once, by the linear system with all contacts closed."""
    a = matrix(n - 1, n - 1)
    for i in range(n - 1):
        a[i, i] = 2
        if i:
            a[i, i - 1] = a[i - 1, i] = -1
    push = mp.lu_solve(a, matrix([(1 + e) if i == 0 else 0 for i in range(n - 1)]))
    assert all(p > 0 for p in push)
    speeds = [mpf(1) if i == 0 else mpf(0) for i in range(n)]
    for i in range(n - 1):
        speeds[i] -= push[i]
        speeds[i + 1] += push[i]
    return agree("row", speeds, [1 - (1 + e) * mpf(n - 1) / n] + [(1 + e) / n] * (n - 1))


def four(case):
    case.problem = """
Four equal balls (R = 0.05 m, 1 kg) on a line without gravity and friction. Three of them touch and rest, at x = 0, 0.1, 0.2 m; the first comes from x = −0.2 m with 1 m/s. The law is *Newton's,
for all contacts at once* (as Moreau; Capobianco, Harsch, Eugster and Leine, IJNME 122 (2021) 6497): for the impulses P_i and relative velocities γ_i of all touching pairs,
0 ≤ P ⊥ γ⁺ + e γ⁻ ≥ 0. (A law that passes impacts on in pairs has other answers: case 18.) `vx1` … `vx4` after the impact."""
    case.sources = """The linear system of all contacts closed, whose impulses are positive (so it solves the complementarity problem, whose matrix is positive definite: uniquely); and in closed form: the three
that touch move as one body. The figures of the paper were not compared."""
    for letter, e in zip("abc", ("1", case.pick("0.5", 0.2, 0.9), "0")):
        task = case.task(row_of("1", float(e), [(-0.2, 0.0, 1.0), (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.2, 0.0, 0.0)], 0.05, 'method = "moreau"\nstep = 1e-3\nduration = 0.3', f"12 Four balls in a row, e = {e}"), letter, f"e = {e}.")
        task.states([mpf("0.3")], "vx1 vx2 vx3 vx4", [at_once(4, mpf(e))])


def walls(case):
    v, w, k = case.pick("2", 1, 4), case.pick("3", -10, 10), mpf(2) / 5
    case.problem = f"""
A solid sphere (R = 0.1 m, 1 kg, I = 2/5 m R²) flies between upright walls x = 0 and x = 1 m; its centre starts at (0.5, 0) m with velocity ({v}, 0) m/s and spin {w} rad/s; g = 9.81 m/s². Impacts are
elastic and *no-slip*: v_x⁺ = −v_x⁻, and the velocity of the contact point is reversed, u⁺ = −u⁻ with u = v_y ± Rω (+ at the right wall), by an impulse along the wall: Δv_y = −2k/(1+k) u, Δω = ∓2/(1+k) u/R.
Against intuition the ball does not fall: it stays within bounds for ever (Chumley, Cook, Cox and Feres, *Rolling and no-slip bouncing in cylinders*, 2020)."""
    case.sources = """The affine recursion of (y, v_y, Rω) from wall to wall, by rational arithmetic (exact), and in 50 digits by powers of its matrix."""
    task = case.task(f"""
title = "13 No-slip ball between upright walls"
ball = {{ mass = 1.0, radius = 0.1 }}
initial = {{ position = [0.5, 0.0], velocity = [{float(v)}, 0.0], spin = {float(w)} }}
ground = [
    {{ name = "left", curve = {{ kind = "line", from = [0.0, 1000.0], to = [0.0, -1000.0] }} }},
    {{ name = "right", curve = {{ kind = "line", from = [1.0, -1000.0], to = [1.0, 1000.0] }} }},
]
contact = {{ restitution = 1.0, tangential-restitution = 1.0, friction = "infinite" }}
solver = {{ tolerance = 1e-12, duration = 40.0 }}""")
    one, first, long = Fraction(v), Fraction(2, 5) / Fraction(v), Fraction(4, 5) / Fraction(v)
    g, r = Fraction("9.81"), Fraction(1, 10)
    number = lambda q: mpf(q.numerator) / q.denominator

    def fly(y, s, t):
        return y + s * t - g * t * t / 2, s - g * t

    def hit(s, spin, right):
        u = s + r * spin if right else s - r * spin
        change = -Fraction(4, 7) * u
        return s + change, spin + (change if right else -change) * Fraction(5, 2) / r

    t, y, s, spin, right = Fraction(0), Fraction(0), Fraction(0), Fraction(w), True
    arcs_, lengths = [], first
    while t < 40:
        arcs_.append((t, y, s, spin, right))
        y, s = fly(y, s, lengths)
        t += lengths
        s, spin = hit(s, spin, right)
        right, lengths = not right, long
    # In 50 digits, mirrored at each wall so that one matrix does both: z = (y, v, ±Rω, 1).
    tl = number(long)
    flight = matrix([[1, tl, 0, -G * tl * tl / 2], [0, 1, 0, -G * tl], [0, 0, 1, 0], [0, 0, 0, 1]])
    q = mpf(4) / 7
    impact = matrix([[1, 0, 0, 0], [0, 1 - q, -q, 0], [0, q * mpf(5) / 2, q * mpf(5) / 2 - 1, 0], [0, 0, 0, 1]])
    z = matrix([number(arcs_[1][1]), number(arcs_[1][2]), -number(r * arcs_[1][3]), 1])
    picks = [3, len(arcs_) // 4, len(arcs_) // 2, 3 * len(arcs_) // 4, len(arcs_) - 2]
    for i in picks:
        powered = (impact * flight) ** (i - 1) * z
        turn = number(r * arcs_[i][3]) * (1 if arcs_[i][4] else -1)
        agree("walls", [*powered[:3]], [number(arcs_[i][1]), number(arcs_[i][2]), turn])
    times = [middle(number(arcs_[i][0]), number(arcs_[i + 1][0])) for i in picks]
    rows = []
    for i, time in zip(picks, times):
        t, y, s, spin, right = arcs_[i]
        d = Fraction(text(time, 15)) - t
        y, s = fly(y, s, d)
        x = (Fraction(1, 2) if i == 0 else (r if right else 1 - r)) + (one if right else -one) * d
        rows.append([number(n) for n in (x, y, one if right else -one, s, spin)])
    task.events("impact", [number(a[0]) for a in arcs_[1:41]], number((arcs_[40][0] + arcs_[41][0]) / 2))
    task.states(times, "x y vx vy spin", rows)


def table_step(t, v, p, e):
    """One impact of a ball on a shaken table: time and speed after it, and the map's derivatives."""
    s = 2 * pi / p["w"]
    height, lift, jolt = (lambda t: p["a"] * sin(p["w"] * t)), (lambda t: p["a"] * p["w"] * cos(p["w"] * t)), (lambda t: -p["a"] * p["w"] ** 2 * sin(p["w"] * t))
    for _ in range(50):
        step = (v * s - G * s * s / 2 - height(t + s) + height(t)) / (v - G * s - lift(t + s))
        s -= step
        if abs(step) < mpf(10) ** (5 - mp.dps):
            break
    rate = v - G * s - lift(t + s)
    st, sv = -(lift(t) - lift(t + s)) / rate, -s / rate
    b = (1 + e) * jolt(t + s)
    return t + s, -e * (v - G * s) + (1 + e) * lift(t + s), [[1 + st, sv], [e * G * st + b * (1 + st), -e + e * G * sv + b * sv]]


def second_flip(e, w, guess, derive):
    """Γ at which the orbit with two bounces in two periods flips: 1 + trace + e⁴ = 0."""
    period = 2 * pi / w

    def twice(t, v, p):
        t, v, one = table_step(t, v, p, e)
        t, v, two = table_step(t, v, p, e)
        return t, v, [sum(two[0][j] * one[j][0] for j in (0, 1)), sum(two[1][j] * one[j][1] for j in (0, 1))]

    def flips(gamma, t, v):
        p = {"a": gamma * G / w**2, "w": w}
        t2, v2, trace = twice(t, v, p)
        if not derive:
            h = mpf(10) ** -18
            trace = [(twice(t + h, v, p)[0] - twice(t - h, v, p)[0]) / (2 * h), (twice(t, v + h, p)[1] - twice(t, v - h, p)[1]) / (2 * h)]
        return [(t2 - 2 * period - t) * w, (v2 - v) / v, 1 + sum(trace) + e**4]

    return findroot(flips, guess, tol=mpf(10) ** -60, maxsteps=40)[0]


def table(case):
    e, gamma, w = case.pick("0.3", 0.1, 0.4), case.pick("1.2", 1.1, 1.4), mpf(60)
    flip = case.pick("0.5", 0.4, 0.6)
    case.problem = f"""
A point mass of 1 kg on a level table that is shaken as y = A sin(ωt + φ), ω = 60 1/s; g = 9.81 m/s², Γ = Aω²/g. Impacts by the velocity relative to the table, v_r⁺ = −e v_r⁻. **14a**: it lies on the table, which throws it (`lift-off`)
where Γ sin ωt = 1; it bounces, ever less, until it is locked again (`landing`), and is thrown in the next period. **14b, c**: e = {flip}, beside the orbit with one bounce a period, with Γ below and
above the first flip, where the period of the motion doubles; **14d** asks for the first two flips themselves: the Γ at which the orbit with one bounce a period, and the one with two bounces in two
periods that it becomes, have a multiplier −1."""
    case.sources = """Release: arcsine. Impacts by `exact.march` with 90 digits and by Newton's method from the hop's own parabola; the lock is the sum of all hops down to 1e-27 m/s. First flip: Γ² = π²((1−e)/(1+e))² + 4((1+e²)/(1+e)²)²
(Holmes, J. Sound Vib. 84 (1982) 173, for high bounces; here exact); second: Newton's method for orbit and 1 + trace + e⁴ = 0, the trace by derivatives in closed form and by differences."""
    with mp.workdps(90):
        a = mpf(gamma) * G / w**2
        shake = lambda t: (a * sin(w * t), a * w * cos(w * t))
        ground = Ground(G, shake=shake, jolt=a * w * w)
        release = asin(1 / mpf(gamma)) / w
        state = (release, mpf(0), shake(release)[0], mpf(0), shake(release)[1])
        # While Γ sin ωt > 1 the table's acceleration is above −g: the gap grows.
        skip = (pi - 2 * asin(1 / mpf(gamma))) / w
        state = ground.fly(state, skip)
        times, kept = [], []
        s = exact.march(ground.gap(state), G + ground.jolt, mpf(1), touching=False)
        while True:
            state = ground.bounce(ground.fly(state, s), mpf(e))
            times.append(state[0])
            kept.append(state)
            relative = state[4] - shake(state[0])[1]
            if relative < mpf(10) ** -27:
                break
            s = exact.march(ground.gap(state), G + ground.jolt, mpf(1))
            other = 2 * relative / (G - a * w * w * sin(w * state[0]))
            for _ in range(40):
                value, rate = ground.gap(state)(other)
                other -= value / rate
            agree("table", [s], [other], 24)
        lock, period = times[-1], 2 * pi / w
        if not (sin(w * lock) * mpf(gamma) < 1 and lock < release + period):
            raise Unfit("it does not lock within the period")
    task = case.task(f"""
title = "14a Shaken table: lock and release"
initial = {{ contact = {{ x = 0.0 }} }}
ground = {{ curve = {{ kind = "graph", y = 0 }}, motion = {{ y = "Gamma*9.81/60^2*sin(60*t)", parameters = {{ Gamma = {gamma} }} }} }}
contact = {{ restitution = {e} }}
solver = {{ tolerance = 1e-12, duration = {text(release + period * mpf('1.1'), 3)} }}""", "a", f"Γ = {gamma}, e = {e}, φ = 0, from t = 0 at rest on the table.")
    task.events("lift-off", [release, release + period], release + period * mpf("1.05"))
    count = told(times, 8)
    task.events("impact", times[:count], (times[count - 1] + times[count]) / 2)
    task.events("landing", [lock], lock + (release + period - lock) / 2)
    picked = [middle(a, b, 6) for a, b in ((release + skip, times[0]), (times[0], times[1]), (times[1], times[2]))]
    rows = []
    for t in picked:
        at = max([(release, mpf(0), shake(release)[0], mpf(0), shake(release)[1])] + [k for k in kept if k[0] <= t], key=lambda k: k[0])
        rows.append(ground.fly(at, t - at[0])[2:5:2])
    task.states(picked, "y vy", rows)
    after = middle(lock, release + period, 6)
    task.states([after], "y vy lambda", [[*shake(after), G - a * w * w * sin(w * after)]], "after")
    e = mpf(flip)
    first = sqrt((pi * (1 - e) / (1 + e)) ** 2 + 4 * ((1 + e * e) / (1 + e) ** 2) ** 2)
    for letter, part in (("b", "0.98"), ("c", "1.02")):
        gamma = decimal(first * mpf(part), 4)
        a = gamma * G / w**2
        speed = G * pi / w
        phase = decimal(acos(speed * (1 - e) / (1 + e) / (a * w)), 6)
        # Rounded upwards, so that it starts above the table.
        y0 = decimal(a * sin(phase) + mpf("0.6e-12"), 12)
        v0 = decimal(speed * mpf("1.001"), 6)
        shake = lambda t, a=a, phase=phase: (a * sin(w * t + phase), a * w * cos(w * t + phase))
        ground = Ground(G, shake=shake, jolt=a * w * w)
        states, conditions = both("flip", ground, (mpf(0), mpf(0), y0, mpf(0), v0), e, 31, mpf(1))
        task = case.task(f"""
title = "14{letter} Shaken table beside a flip"
initial = {{ position = [0.0, {text(y0, 15)}], velocity = [0.0, {text(v0, 15)}] }}
ground = {{ curve = {{ kind = "graph", y = 0 }}, motion = {{ y = "Gamma*9.81/60^2*sin(60*t + phi)", parameters = {{ Gamma = {text(gamma, 8)}, phi = {text(phase, 8)} }} }} }}
contact = {{ restitution = {flip} }}
solver = {{ tolerance = 1e-12, duration = {text(mp.ceil(states[31][0] * 10) / 10, 4)} }}""", letter, f"Γ = {text(gamma, 8)}, φ = {text(phase, 8)}, from y = {text(y0, 15)} m with {text(v0, 15)} m/s upwards.")
        task.events("impact", [s[0] for s in states[1:31]], (states[30][0] + states[31][0]) / 2, conditions[1:])
        arcs(task, ground, states, conditions, (2, 8, 14, 20, 28), "y vy")
    task = case.task("# Two numbers, found by whatever search one likes; no single run has them.\n", "d", f"e = {flip}.")
    # Beside the flip the two bounces part; from there Newton's method finds the second one.
    p = {"a": first * mpf("1.06") * G / w**2, "w": w}
    t, v = acos(G * pi / w * (1 - e) / (1 + e) / (p["a"] * w)) / w, G * pi / w * mpf("1.01")
    with mp.workdps(20):
        for _ in range(600):
            t, v, _ = table_step(t, v, p, e)
            t -= mp.floor(t * w / (2 * pi)) * 2 * pi / w
    second = agree("second flip", [second_flip(e, w, (first * mpf("1.06"), t, v), True)], [second_flip(e, w, (first * mpf("1.06"), t, v), False)], 20)[0]
    task.rows = []
    task.row("flip", 1, first, "number")
    task.row("flip", 2, second, "number")


def parabola(case):
    lift = case.pick("0.1", 0.05, 0.15)
    case.problem = f"""
The parabola y = a x² + E sin(2πt), E = {lift} m, is shaken with the period T = 1 s; g = 9.81 m/s², impacts elastic (e = 1) in the frame of the ground, without friction. A point mass starts at t = 0.25 s at x = 1 mm, 1e-9 m above the ground at its highest, with gT/2
upwards: beside the bounces at x = 0, once a period. Sideways these are unstable for a > 2/(gT²) = 0.2038… 1/m (the law of the shaken parabola, as in Church and Fortin, 2020)."""
    case.sources = """First impacts with a proof (`exact.march`) with 50 digits, by samples and brackets with 70."""
    for letter, a in (("a", case.pick("0.18", 0.15, 0.195)), ("b", case.pick("0.22", 0.21, 0.25))):
        amount, slope = mpf(lift), mpf(a)
        ground = Ground(G, lambda x, s=slope: (s * x * x, 2 * s * x), 2 * slope, lambda t: (amount * sin(2 * pi * t), amount * 2 * pi * cos(2 * pi * t)), amount * 4 * pi**2)
        y0 = slope * mpf("1e-6") + amount + mpf("1e-9")
        states, conditions = both("parabola", ground, (mpf("0.25"), mpf("0.001"), y0, mpf(0), G / 2), mpf(1), 21, mpf(5))
        count = next((i for i, c in enumerate(conditions) if c > mpf(10) ** 8), len(states)) - 1
        task = case.task(f"""
title = "15{letter} Shaken parabola"
initial = {{ time = 0.25, position = [0.001, {text(y0, 15)}], velocity = [0.0, 4.905] }}
ground = {{ curve = {{ kind = "graph", y = "a*x^2", parameters = {{ a = {a} }} }}, motion = {{ y = "E*sin(2*pi*t)", parameters = {{ E = {lift} }} }} }}
contact = {{ restitution = 1.0 }}
solver = {{ tolerance = 1e-12, duration = {text(mp.ceil(states[count][0]), 4)} }}""", letter, f"a = {a}.")
        task.events("impact", [s[0] for s in states[1:count]], (states[count - 1][0] + states[count][0]) / 2, conditions[1:])
        arcs(task, ground, states, conditions, (1, count // 4, count // 2, 3 * count // 4, count - 1))


def oscillator(case):
    e = case.pick("0.8", 0.5, 0.95)
    case.problem = f"""
m ẍ = −4x − F cos t along a line, m = 1 kg, with a wall at x = 1 m: v⁺ = −e v⁻, e = {e}; no gravity. From x = −F/3, at rest, the free motion is x = −(F/3) cos t, which touches the wall for F = 3. **16a** F = 2.999999997: it never does.
**16b** F = 3.000003, **16c** F = 3.03: it grazes, where the map has its square-root singularity (Nordmark, J. Sound Vib. 145 (1991) 279)."""
    case.sources = """Between impacts x = A cos 2t + B sin 2t − (F/3) cos t in closed form; first impacts with a proof (|ẍ| is bounded by amplitudes) with 50 digits, by samples and brackets with 70."""

    def hops(f, e, count, find, shift=0):
        t, x, v, out = mpf(0), -f / 3 + shift, mpf(0), []
        p = f / 3
        for i in range(count):
            a, b = x + p * cos(t), (v - p * sin(t)) / 2

            def gap(s):
                return 1 - (a * cos(2 * s) + b * sin(2 * s) - p * cos(t + s)), -(-2 * a * sin(2 * s) + 2 * b * cos(2 * s) + p * sin(t + s))

            s = find(gap, 4 * (abs(a) + abs(b)) + p, mpf(20), i > 0)
            if s is None:
                break
            v = e * gap(s)[1]
            t, x = t + s, mpf(1)
            out.append((t, v, p))
        return out

    for letter, f, count in (("a", "2.999999997", 3), ("b", case.pick("3.000003", 3.000002, 3.000009, 7), 9), ("c", case.pick("3.03", 3.01, 3.2), 9)):
        hits = hops(mpf(f), mpf(e), count, exact.march)
        with mp.workdps(70):
            other = hops(mpf(f), mpf(e), count, exact.sampled)
        agree("oscillator", [c for h in hits for c in h], [c for h in other for c in h], 18)
        small = mpf(10) ** -25
        moved = hops(mpf(f), mpf(e), count, exact.march, -small)
        conditions = [max(abs(a - b) / small for a, b in zip(p, q)) for p, q in zip(hits, moved)]
        keep = next((i for i, c in enumerate(conditions) if c > mpf(10) ** 9), len(hits) - 1)
        task = case.task(f"""
title = "16{letter} Impact oscillator at grazing"
initial = {{ position = [{text(-mpf(f) / 3, 17)}, 0.0] }}
ground = {{ curve = {{ kind = "line", from = [1.0, -1.0], to = [1.0, 1.0] }} }}
forces = {{ gravity = 0.0, external = {{ x = "-4*x - {f}*cos(t)" }} }}
contact = {{ restitution = {e} }}
solver = {{ tolerance = 1e-12, duration = {text(mp.ceil(hits[keep][0]) if hits else 20, 4)} }}""", letter, f"F = {f}.")
        if hits:
            task.events("impact", [h[0] for h in hits[:keep]], (hits[keep - 1][0] + hits[keep][0]) / 2, conditions)
        else:
            task.events("impact", [], mpf(20))
        times = [mpf(1), mpf(2), mpf("2.8")] + ([mpf(10), mpf(20)] if not hits else [])
        task.states(times, "x vx", [[-mpf(f) / 3 * cos(t), mpf(f) / 3 * sin(t)] for t in times])


def refined(around, z):
    """The fixed point of a map near z by Newton's method with differences, or None where a flight meets the ground before."""
    h = mpf(10) ** -28
    for _ in range(8):
        images = [around([c + (h if i == k else 0) for k, c in enumerate(z)])[1] for i in range(-1, 4)]
        if None in images:
            return None
        miss = matrix([p - q for p, q in zip(images[0], z)])
        if mp.norm(miss) < mpf(10) ** -40:
            return z
        j = matrix(4, 4)
        for i, image in enumerate(images[1:]):
            for k in range(4):
                j[k, i] = (image[k] - images[0][k]) / h - (1 if i == k else 0)
        z = [p - q for p, q in zip(z, mp.lu_solve(j, miss))]
    return None


def orbits(case):
    case.problem = """
A point mass bounces on the shaken parabola y = a x² + E sin(2πt) (lengths in m, times in s), g = 9.81 m/s², restitution e in the frame of the ground, no friction. Church and Fortin (2020; public repository BilliardOscillatingParabola) list periodic orbits with two impacts; here are
twenty that exist, once around: the start is just after the first impact (its place is on the ground to rounding), asked are the next two impacts, after which the orbit is closed, and where the mass is halfway along each of the two flights."""
    case.sources = """The nine printed digits are refined by Newton's method on the map of two impacts (50 digits, first impacts by `exact.march`, which proves that none lies before); the refined orbit by samples and brackets with 70 digits. Orbits whose flights would pass through the ground are left out."""
    rows = list(csv.DictReader(line for line in open(HERE / "orbits.csv") if not line.startswith("#")))
    order = list(range(len(rows)))
    if case.seed is not None:
        case.random.shuffle(order)
    letters = iter("abcdefghijklmnopqrst")
    for row in (rows[i] for i in order):
        a, e, lift = mpf(row["a"]), mpf(row["e"]), mpf(row["E"])
        ground = Ground(G, lambda x, a=a: (a * x * x, 2 * a * x), 2 * a, lambda t, b=lift: (b * sin(2 * pi * t), b * 2 * pi * cos(2 * pi * t)), lift * 4 * pi**2)

        def around(z):
            t, x, u, v = z
            state = ground.bounce((t, x, a * x * x + lift * sin(2 * pi * t), u, v), e)
            states = ground.hops(state, e, 2, mpf(5), touching=True)
            if len(states) < 3:
                return None, None
            long = states[2][0] - states[1][0]
            t, x, _, u, v = ground.fly(states[1], long)
            return states, [t - mpf(row["period"]), x, u, v]

        z = [mpf(row[n]) for n in ("t0", "x0", "vx0", "vy0")]
        states, after = around(z)
        if states is None or abs(states[1][0] - mpf(row["t1"])) > mpf("1e-5"):
            continue
        z = refined(around, z)
        if z is None or max(abs(p - mpf(row[n])) for p, n in zip(z, ("t0", "x0", "vx0", "vy0"))) > mpf("1e-6"):
            continue
        letter = next(letters, None)
        if letter is None:
            break
        start = ground.bounce((z[0], z[1], a * z[1] ** 2 + lift * sin(2 * pi * z[0]), z[2], z[3]), e)
        start = tuple(mpf(text(c)) for c in start)
        states, conditions = both("orbit", ground, start, e, 2, mpf(5), touching=True)
        # The next flight is the first one again.
        t0, until = start[0], states[2][0] + (states[1][0] - start[0]) / 2
        t, x, y, u, v = (text(c) for c in start)
        task = case.task(f"""
title = "17{letter} Orbit {row['number']}"
initial = {{ time = {t}, position = [{x}, {y}], velocity = [{u}, {v}] }}
ground = {{ curve = {{ kind = "graph", y = "a*x^2", parameters = {{ a = {row['a']} }} }}, motion = {{ y = "E*sin(2*pi*t)", parameters = {{ E = {row['E']} }} }} }}
contact = {{ restitution = {row['e']} }}
solver = {{ tolerance = 1e-12, duration = {text(mp.ceil(until - t0), 4)} }}""", letter, f"Orbit {row['number']}: a = {row['a']}, E = {row['E']}, e = {row['e']}; t = {t}, (x, y) = ({x}, {y}), (v_x, v_y) = ({u}, {v}).")
        task.events("impact", [s[0] for s in states[1:]], until, conditions[1:])
        arcs(task, ground, states, conditions, (0, 1))
    assert next(letters, None) is None or case.seed is not None, "twenty orbits"


def chain(number, places, speeds, radius, e, g, end, floor):
    """Balls on a line by impacts of two at a time, in the order of time; `number` makes the numbers (Fraction or mpf)."""
    x, v, t, told = list(places), list(speeds), number(0), 0
    while True:
        best = None
        for i in range(len(x) - 1):
            closing = v[i] - v[i + 1]
            gap = x[i + 1] - x[i] - 2 * radius
            if closing > 0 and (best is None or gap / closing < best[0]):
                best = (gap / closing, i)
        if floor:
            drop = x[0] - radius
            s = (v[0] + sqrt(v[0] ** 2 + 2 * g * drop)) / g
            if v[0] > 0 or drop > mpf(10) ** -40 or s > 0:
                if best is None or s < best[0]:
                    best = (s, -1)
        if best is None or t + best[0] > end:
            d = end - t
            return [p + w * d - g * d * d / 2 for p, w in zip(x, v)], [w - g * d for w in v], told
        if told == MOST:
            raise Unfit("impacts accumulate")
        d, i = best
        x, v, t, told = [p + w * d - g * d * d / 2 for p, w in zip(x, v)], [w - g * d for w in v], t + d, told + 1
        if i < 0:
            v[0] = -e * v[0]
        else:
            mean, half = (v[i] + v[i + 1]) / 2, e * (v[i] - v[i + 1]) / 2
            v[i], v[i + 1] = mean - half, mean + half


def cradle(case):
    e = case.pick("0.9", 0.7, 0.95)
    case.problem = f"""
Which law is meant decides. **18a**: five equal balls (R = 0.05 m, 1 kg) on a line without gravity; four touch and rest, one comes with 1 m/s: *Newton's law for all contacts at once* (see case 12), e = {e}. **18b**: the same with gaps of 10 mm between the four: *Newton's law for two balls at a time, in the
order of time*, e = {e}. **18c**: a column of three such balls, 10 mm apart, the lowest 0.5 m above the floor (from its lowest point), falls with g = 9.81 m/s² on it: impacts with floor and neighbours two at a time, e = {e}. `x1`, `vx1`, …, in 18c `y1`, `vy1`, … from below."""
    case.sources = """18a: as case 12. 18b: rational arithmetic (exact), and 50 digits. 18c: between impacts distances of balls are linear and the floor's is quadratic in time, with 50 digits and with 80; which impact comes first is decided by comparison."""
    balls = lambda gap: [(-0.3, 0.0, 1.0)] + [(round(-0.1 + i * (0.1 + gap), 3), 0.0, 0.0) for i in range(4)]
    task = case.task(row_of("1", e, balls(0), 0.05, 'method = "moreau"\nstep = 1e-3\nduration = 0.3', "18a Cradle, all contacts at once"), "a")
    task.states([mpf("0.3")], "vx1 vx2 vx3 vx4 vx5", [at_once(5, mpf(e))])
    task = case.task(row_of("1", e, balls(0.01), 0.05, 'method = "events"\nstep = 1e-3\nduration = 5.0', "18b Cradle, two at a time"), "b")
    places = [Fraction(-3, 10)] + [Fraction(-1, 10) + i * Fraction(11, 100) for i in range(4)]
    number = lambda q: mpf(q.numerator) / q.denominator
    times = [mpf(t) for t in ("0.2", "0.4", "1", "2", "5")]
    rows = []
    for t in times:
        x, v, _ = chain(Fraction, places, [Fraction(1)] + [Fraction(0)] * 4, Fraction(1, 20), Fraction(e), 0, Fraction(text(t)), False)
        y, w, _ = chain(mpf, [number(p) for p in places], [mpf(1)] + [mpf(0)] * 4, mpf("0.05"), mpf(e), 0, t, False)
        rows.append(agree("cradle", [number(n) for n in x + v], y + w))
    task.states(times, "x1 x2 x3 x4 x5 vx1 vx2 vx3 vx4 vx5", rows)
    task = case.task(row_of("0", e, [(0.0, y, 0.0) for y in (0.55, 0.66, 0.77)], 0.05, 'method = "events"\nstep = 1e-3\nduration = 1.0', "18c Column, two at a time", "9.81"), "c")
    times, rows = [mpf(t) for t in ("0.3", "0.34", "0.5", "0.8", "1")], []
    column = lambda t: chain(mpf, [mpf("0.55"), mpf("0.66"), mpf("0.77")], [mpf(0)] * 3, mpf("0.05"), mpf(e), G, t, True)
    for t in times:
        x, v, _ = column(t)
        with mp.workdps(80):
            y, w, _ = column(t)
        rows.append(agree("column", x + v, y + w))
    task.states(times, "y1 y2 y3 vy1 vy2 vy3", rows)


def heap(case):
    case.problem = """
Fifty balls (R = 0.02 m, m = 0.05 kg, I = 2/5 m R²), at rest in ten columns of five, fall into the bowl y = x² (metres); friction 0.3 and restitution 0.3, between balls and with the ground; g = 9.81 m/s²; 2 s. The motion is chaotic and differs from law to law, so only what no law may break is asked: the deepest overlap of two balls or of
a ball and the ground (0 is exact; in parts of R), and that the energy does not grow: `energy` at 0.5, 1, 1.5 and 2 s (index 1 to 4), kinetic with rotation and potential, in J, at most that of the start. The places are in `scenario.toml`: x = −0.27 + 0.06 i + 0.003 ((7i + 3j) mod 5), y = 0.4 + 0.05 j with i from 0 to 9 and j from 0 to 4."""
    case.sources = """The bounds are laws: rigid bodies do not overlap, friction and restitution below 1 take energy. E₀ = Σ m g y by rational arithmetic and with 50 digits."""
    places = [(Fraction(-27, 100) + Fraction(6, 100) * i + Fraction(3, 1000) * ((7 * i + 3 * j) % 5), Fraction(4, 10) + Fraction(5, 100) * j) for i in range(10) for j in range(5)]
    balls = "".join(f"""
[[ball]]
mass = 0.05
radius = 0.02
initial = {{ position = [{float(x)}, {float(y)}] }}""" for x, y in places)
    task = case.task(f"""
title = "19 Heap of fifty"{balls}
[ground.curve]
kind = "graph"
y = "x^2"
[contact]
restitution = 0.3
friction = 0.3
[solver]
method = "moreau"
step = 5e-4
projection = true
duration = 2.0""")
    energy = sum(y for _, y in places) * Fraction("0.05") * Fraction("9.81")
    energy = agree("heap", [mpf(energy.numerator) / energy.denominator], [sum(mpf("0.05") * G * y.numerator / y.denominator for _, y in places)])[0]
    for i in range(1, 5):
        task.row("time", i, mpf(i) / 2, "given")
        task.row("energy", i, energy, "most")


def derivatives(case):
    h, e, vx, a = case.pick("1", 0.5, 2), case.pick("0.9", 0.6, 0.92), case.pick("1", 0.5, 2), case.pick("0.5", 0.1, 0.6)
    case.problem = f"""
How do times and ends of runs change with their parameters? **20a** is case 1's drop, with h = {h} m and e = {e}: `impact-by-e` and `impact-by-h` are dt_k/de and dt_k/dh of impact k = index. **20b** is case 3, with A = {a} m, v_x = {vx} m/s, e = 0.9: `impact-by-e` and `impact-by-vx` are dt_k/de and dt_k/dv_x of impact k = index (1 to 5), and
`x-by-e`, `x-by-vx` are dx/de and dx/dv_x at the fixed time halfway between impacts 5 and 6 (index 1)."""
    case.sources = """20a: the geometric series differentiated, and differences of 1e-22 in 70 digits. 20b: saltation (the variation is carried through each impact: δ⁺ = Db(δ⁻ + f⁻δt) − f⁺δt, δt from the gap), and central differences of 1e-20 of runs with 50 digits."""
    small = mpf(10) ** -20
    task = case.task(f"""
title = "20a Derivatives of a drop"
initial = {{ position = [0.0, {h}] }}
ground = {{ curve = {{ kind = "graph", y = 0 }} }}
contact = {{ restitution = {e} }}
solver = {{ duration = DURATION }}""", "a")
    impact = lambda k, e, h: sqrt(2 * h / G) * (1 + 2 * sum(e**j for j in range(1, k)))
    task.scenario = task.scenario.replace("DURATION", text(impact(6, mpf(e), mpf(h)), 3))
    for k in range(1, 6):
        by_e = 2 * sqrt(2 * mpf(h) / G) * sum(j * mpf(e) ** (j - 1) for j in range(1, k))
        by_h = impact(k, mpf(e), mpf(h)) / (2 * mpf(h))
        other = [(impact(k, mpf(e) + small, mpf(h)) - impact(k, mpf(e) - small, mpf(h))) / (2 * small), (impact(k, mpf(e), mpf(h) + small) - impact(k, mpf(e), mpf(h) - small)) / (2 * small)]
        agree("drop", [by_e, by_h], other, 20)
        task.row("impact-by-e", k, by_e, "number")
        task.row("impact-by-h", k, by_h, "number")
    task = case.task(f"""
title = "20b Derivatives through bounces on a sine"
initial = {{ position = [0.0, 2.0], velocity = [{vx}, 5.0] }}
ground = {{ curve = {{ kind = "graph", y = "A*sin(pi*x)", parameters = {{ A = {a} }} }} }}
contact = {{ restitution = 0.9 }}
solver = {{ duration = DURATION }}""", "b")
    height, bend = wave(mpf(a), pi)
    ground = Ground(G, height, bend)
    run = lambda e, u: ground.hops((mpf(0), mpf(0), mpf(2), u, mpf(5)), e, 6, mpf(10))
    e, u = mpf("0.9"), mpf(vx)
    states = run(e, u)
    end = middle(states[5][0], states[6][0])
    task.scenario = task.scenario.replace("DURATION", text(mp.ceil(states[6][0]), 4))
    answers = {}
    for name, de, du in (("e", 1, 0), ("vx", 0, 1)):
        plus, minus = run(e + de * small, u + du * small), run(e - de * small, u - du * small)
        x = lambda states: ground.fly(states[5], end - states[5][0])[1]
        differences = [(p[0] - q[0]) / (2 * small) for p, q in zip(plus[1:6], minus[1:6])] + [(x(plus) - x(minus)) / (2 * small)]
        d, salted = [mpf(0), mpf(0), mpf(du), mpf(0)], []
        moved = mpf(0)
        for before, after in zip(states[:5], states[1:6]):
            s = after[0] - before[0]
            _, px, py, pu, pv = ground.fly(before, s)
            d = [d[0] + d[2] * s, d[1] + d[3] * s, d[2], d[3]]
            slope, bent = height(px)[1], -mpf(a) * pi**2 * sin(pi * px)
            dt = -(d[1] - slope * d[0]) / (pv - slope * pu)
            d = [d[0] + pu * dt, d[1] + pv * dt, d[2], d[3] - G * dt]
            n2, w = 1 + slope**2, slope * pu - pv
            ds = bent * d[0]
            push = (1 + e) * w / n2
            dpush = de * w / n2 + (1 + e) * (ds * pu + slope * d[2] - d[3]) / n2 - (1 + e) * w * 2 * slope * ds / n2**2
            d = [d[0], d[1], d[2] - dpush * slope - push * ds, d[3] + dpush]
            d = [d[0] - after[3] * dt, d[1] - after[4] * dt, d[2], d[3] + G * dt]
            salted.append(dt)
        salted.append(d[0] + d[2] * (end - states[5][0]))
        answers[name] = agree("saltation", salted, differences, 18)
    for name, numbers in answers.items():
        for k, number in enumerate(numbers[:5], 1):
            task.row(f"impact-by-{name}", k, number, "number")
        task.row(f"x-by-{name}", 1, numbers[5], "number")
    task.row("time", 1, end, "given")


CASES = [
    ("drop", "Flat drop with Zeno", drop),
    ("drag", "Hard sphere with drag", drag),
    ("sine", "Sine ground, thirty bounces", sine),
    ("crests", "Sharp crests: missed and invented impacts", crests),
    ("billiard", "Parabola billiard: two integrals", billiard),
    ("bowl", "Bead in a bowl: place, velocity, normal force", lambda c: bowl(c, False)),
    ("rolling-bowl", "Ball rolling in a bowl", lambda c: bowl(c, True)),
    ("take-off", "Take-off from a circle", take_off),
    ("loop", "Loop: off and landing", loop),
    ("marble", "Marble rolling 10 s", marble),
    ("slip", "Slip to roll", slip),
    ("four-balls", "Four balls in a row", four),
    ("walls", "A no-slip ball between upright walls does not fall", walls),
    ("table", "Shaken table: lock, release, flips", table),
    ("parabola", "Shaken parabola", parabola),
    ("oscillator", "Impact oscillator at grazing", oscillator),
    ("orbits", "Twenty orbits, once around", orbits),
    ("cradle", "Cradle and column, by named law", cradle),
    ("heap", "Heap of fifty: penetration and energy", heap),
    ("derivatives", "Derivatives through impacts", derivatives),
]


def asked():
    """Seed, folder and numbers of the cases to write, of the command line; a mistake is told in one line."""
    parser = argparse.ArgumentParser(prog="draw.py", description=__doc__.splitlines()[0])
    parser.error = lambda why: sys.exit(f"draw.py: {why}: see draw.py --help")
    parser.add_argument("--seed", type=int, metavar="N", help="draw the parameters anew; the same number draws the same")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where cases are written; without --seed this is cases/")
    parser.add_argument("cases", nargs="*", type=int, metavar="CASE", help="numbers of the cases to write; all by default")
    given = parser.parse_args()
    printed = HERE / "cases"
    if given.seed is not None and (given.folder is None or given.folder.resolve() == printed.resolve()):
        parser.error("--seed needs a folder of its own, as cases/ has the printed cases")
    for number in given.cases:
        if not 1 <= number <= len(CASES):
            parser.error(f"no case has the number {number}, they go from 1 to {len(CASES)}")
    return given.seed, given.folder or printed, set(given.cases)


def main():
    seed, folder, chosen = asked()
    for number, (slug, title, make) in enumerate(CASES, 1):
        if chosen and number not in chosen:
            continue
        drawn = random.Random(f"{number} {seed}")
        while True:
            case = Case(number, slug, title, seed, drawn)
            try:
                make(case)
            except Unfit as reason:
                assert seed is not None, reason
                continue
            break
        case.write(folder)
        print(number, title, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (OSError, exact.Disagreement) as error:
        sys.exit(f"draw.py: {error}")
