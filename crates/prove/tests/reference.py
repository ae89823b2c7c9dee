"""Random runs to 50 digits, for proof.rs: prints references.csv. Nothing of Kugelbahn is used.

Flight by Taylor series of order 40, contact by Taylor series of order 24, events by Newton's method, all with mpmath:
pip install mpmath gmpy2; python3 reference.py COUNT SEED > references.csv
"""
import math
import random
import sys

from mpmath import cos, mp, mpf, sin, sqrt

mp.dps = 50
G = mpf(9.81)  # the double


def mul(a, b):
    n = min(len(a), len(b))
    return [mp.fsum(a[j] * b[k - j] for j in range(k + 1)) for k in range(n)]


def root(a):
    y = [sqrt(a[0])]
    for k in range(1, len(a)):
        y.append((a[k] - mp.fsum(y[j] * y[k - j] for j in range(1, k))) / (2 * y[0]))
    return y


def div(a, b):
    y = []
    for k in range(min(len(a), len(b))):
        y.append((a[k] - mp.fsum(y[j] * b[k - j] for j in range(k))) / b[0])
    return y


def sincos(a):
    s, c = [sin(a[0])], [cos(a[0])]
    for k in range(1, len(a)):
        s.append(mp.fsum(j * a[j] * c[k - j] for j in range(1, k + 1)) / k)
        c.append(-mp.fsum(j * a[j] * s[k - j] for j in range(1, k + 1)) / k)
    return s, c


def horner(a, t):
    y = mpf(0)
    for c in reversed(a):
        y = y * t + c
    return y


class Ground:
    """flat; graph a sin(b x); circle of radius a about (0, 0), inside or outside."""

    def __init__(self, kind, a, b):
        self.kind, self.a, self.b = kind, mpf(a), mpf(b)

    def series(self, s):
        """c, c', c'' along a series of parameters; a circle's by the angle."""
        n = len(s)
        zero, one = [mpf(0)] * n, [mpf(1)] + [mpf(0)] * (n - 1)
        if self.kind == "flat":
            return [(s, zero), (one, zero), (zero, zero)]
        if self.kind == "graph":
            u, v = sincos([self.b * c for c in s])
            a, b = self.a, self.b
            return [(s, [a * c for c in u]), (one, [a * b * c for c in v]), (zero, [-a * b * b * c for c in u])]
        u, v = sincos(s)
        way = 1 if self.kind == "inside" else -1
        # The outside is run through clockwise: angle -s.
        a = self.a
        return [
            ([a * c for c in v], [way * a * c for c in u]),
            ([-a * c for c in u], [way * a * c for c in v]),
            ([-a * c for c in v], [-way * a * c for c in u]),
        ]

    def at(self, s):
        return [(x[0], y[0]) for x, y in self.series([s])]

    def frame(self, s):
        (x, y), (dx, dy), (ddx, ddy) = self.at(s)
        speed = sqrt(dx * dx + dy * dy)
        return (x, y), (dx / speed, dy / speed), (-dy / speed, dx / speed), (dx * ddy - dy * ddx) / speed**3, speed

    def gap(self, x, y, r):
        """In floats."""
        if self.kind == "flat":
            return y - r
        if self.kind != "graph":
            d = math.hypot(x, y)
            return (float(self.a) - d if self.kind == "inside" else d - float(self.a)) - r
        a, b = float(self.a), float(self.b)
        if r == 0:
            return y - a * math.sin(b * x)
        low = min((x - s) ** 2 + (y - a * math.sin(b * s)) ** 2 for s in (x + r * 1.2 * i / 30 for i in range(-30, 31)))
        below = y < a * math.sin(b * x)
        return -r if below else math.sqrt(low) - r

    def guess(self, x, y, r):
        if self.kind == "inside":
            return mpf(math.atan2(y, x))
        if self.kind == "outside":
            return mpf(-math.atan2(y, x))
        if self.kind == "flat" or r == 0:
            return mpf(x)
        a, b = float(self.a), float(self.b)
        return mpf(min((x + r * 1.2 * i / 60 for i in range(-60, 61)), key=lambda s: (x - s) ** 2 + (y - a * math.sin(b * s)) ** 2))


class Speed:
    """sqrt(u^2 + v^2), a coefficient at a time."""

    def __init__(self):
        self.w = []

    def push(self, u, v):
        k = len(self.w)
        square = mp.fsum(u[j] * u[k - j] + v[j] * v[k - j] for j in range(k + 1))
        if k == 0:
            self.w.append(sqrt(square))
        else:
            rest = mp.fsum(self.w[j] * self.w[k - j] for j in range(1, k))
            self.w.append((square - rest) / (2 * self.w[0]))


def flight(z, k, n):
    x, y, u, v = ([c] for c in z)
    speed = Speed()
    for i in range(n):
        au = av = mpf(0)
        if k and u[0] == 0:
            # Straight up or down: |v|, whose root has no branch that changes by itself.
            speed.w.append(v[i] if v[0] > 0 else -v[i])
            av = -k * mp.fsum(speed.w[j] * v[i - j] for j in range(i + 1))
        elif k:
            speed.push(u, v)
            au = -k * mp.fsum(speed.w[j] * u[i - j] for j in range(i + 1))
            av = -k * mp.fsum(speed.w[j] * v[i - j] for j in range(i + 1))
        if i == 0:
            av -= G
        x.append(u[i] / (i + 1))
        y.append(v[i] / (i + 1))
        u.append(au / (i + 1))
        v.append(av / (i + 1))
    return x, y, u, v


def reach(series, n, most):
    h = mpf(most)
    for k in (n, n - 1):
        size = max(abs(s[k]) for s in series)
        if size:
            h = min(h, (mpf(10) ** -32 / size) ** (mpf(1) / k))
    return h


def first_contact(ground, r, z, k, leaving, until):
    """Time, parameter and state of the next contact."""
    time = mpf(0)
    while time < until:
        series = flight(z, k, 40)
        h = reach(series, 40, 0.25)
        if k and z[2] == 0 and z[3] > 0 and horner(series[3], h) < 0:
            # To the top, and on from there.
            t = z[3] / G
            for _ in range(200):
                dt = horner(series[3], t) / horner([(i + 1) * c for i, c in enumerate(series[3][1:])], t)
                t -= dt
                if abs(dt) < mpf(10) ** -48:
                    break
            h = t
        fl = [[float(c) for c in s] for s in series]
        at = lambda i, t: sum(c * t**j for j, c in enumerate(fl[i]))
        count = 24
        for i in range(1, count + 1):
            t = float(h) * i / count
            if leaving and float(time) + t < 1e-3:
                continue
            if ground.gap(at(0, t), at(1, t), float(r)) < 0:
                tau = mpf(t)
                s = ground.guess(at(0, t), at(1, t), float(r))
                for _ in range(60):
                    (cx, cy), (tx, ty), (nx, ny), kappa, speed = ground.frame(s)
                    ex, ey = horner(series[0], tau) - cx - r * nx, horner(series[1], tau) - cy - r * ny
                    u, v = horner(series[2], tau), horner(series[3], tau)
                    wx, wy = -speed * (1 - kappa * r) * tx, -speed * (1 - kappa * r) * ty
                    det = u * wy - v * wx
                    dt, ds = (-ex * wy + ey * wx) / det, (-u * ey + v * ex) / det
                    tau, s = tau + dt, s + ds
                    if abs(dt) + abs(ds) < mpf(10) ** -45:
                        break
                return time + tau, s, (u, v)
        z = tuple(horner(s, h) for s in series)
        if z[2] == 0 and abs(z[3]) < mpf(10) ** -40:
            z = (z[0], z[1], z[2], mpf(0))
        time += h
    return None


def contact_rate(ground, r, k, s, v):
    """s', v', lambda/m as series, without friction."""
    (_, _), (dx, dy), (ddx, ddy) = ground.series(s)
    speed = root([a + b for a, b in zip(mul(dx, dx), mul(dy, dy))])
    tx, ty = div(dx, speed), div(dy, speed)
    cross = [a - b for a, b in zip(mul(dx, ddy), mul(dy, ddx))]
    kappa = div(cross, mul(speed, mul(speed, speed)))
    shrink = [-r * c for c in kappa]
    shrink[0] += 1
    sign = 1 if v[0] > 0 else -1
    ds = div(v, mul(speed, shrink))
    dv = [-G * a - k * sign * b for a, b in zip(ty, mul(v, v))]
    normal = [a + G * b for a, b in zip(mul(div(kappa, shrink), mul(v, v)), tx)]
    return ds, dv, normal


def slide(ground, r, k, s, v, until):
    """To lift-off: time, parameter, speed."""
    time, n = mpf(0), 24
    while time < until:
        a, b = [s], [v]
        for i in range(n):
            ds, dv, normal = contact_rate(ground, r, k, a, b)
            a.append(ds[i] / (i + 1))
            b.append(dv[i] / (i + 1))
        _, _, normal = contact_rate(ground, r, k, a, b)
        h = reach((a, b), n, 0.1)
        if normal[0] <= 0:
            return None
        if horner(normal, h) < 0:
            t = h / 2
            for _ in range(60):
                slope = (horner(normal, t + mpf(10) ** -20) - horner(normal, t - mpf(10) ** -20)) / (2 * mpf(10) ** -20)
                dt = horner(normal, t) / slope
                t -= dt
                if abs(dt) < mpf(10) ** -40:
                    break
            return time + t, horner(a, t), horner(b, t)
        s, v = horner(a, h), horner(b, h)
        if abs(v) < 0.02:
            return None
        time += h
    return None


def run(case):
    ground = Ground(case["kind"], case["a"], case["b"])
    r, m, k = mpf(case["r"]), mpf(case["m"]), mpf(case["k"]) / mpf(case["m"])
    e, mu = mpf(case["e"]), mpf(case["mu"])
    events, time, spin = [], mpf(0), mpf(case["spin"])
    inertia = mpf(0.4)
    if case["start"] == "contact":
        s, v = mpf(case["x"]), mpf(case["vx"])
        found = slide(ground, r, k, s, v, 3)
        if not found:
            return events
        time, s, v = found
        (cx, cy), (tx, ty), (nx, ny), _, _ = ground.frame(s)
        z = (cx + r * nx, cy + r * ny, v * tx, v * ty)
        events.append(("lift-off", time, z[0], z[1]))
        leaving = True
    else:
        z = tuple(mpf(case[c]) for c in ("x", "y", "vx", "vy"))
        leaving = False
    while len(events) < case["events"]:
        hit = first_contact(ground, r, z, k, leaving, 3)
        if not hit:
            break
        t, s, (u, v) = hit
        time += t
        (cx, cy), (tx, ty), (nx, ny), _, _ = ground.frame(s)
        vn, vt = u * nx + v * ny, u * tx + v * ty
        if vn > -0.05:
            break
        events.append(("impact", time, cx + r * nx, cy + r * ny))
        pn = -(1 + e) * vn
        if r:
            slip = vt + r * spin
            want = -inertia / (1 + inertia) * slip
        else:
            slip = vt
            want = -slip
        if mu == 0:
            pt = mpf(0)
        else:
            pt = want if abs(want) <= mu * pn else (mu * pn if want > 0 else -mu * pn)
        vt += pt
        if r:
            spin += pt / (inertia * r)
        vn *= -e
        z = (cx + r * nx, cy + r * ny, vt * tx + vn * nx, vt * ty + vn * ny)
        leaving = True
    return events


def draw(rng):
    pick = lambda a, b: round(rng.uniform(a, b), 3)
    kind = rng.choice(["flat", "graph", "graph", "inside", "outside"])
    case = {"kind": kind, "a": 0.0, "b": 0.0, "r": rng.choice([0.0, 0.05, pick(0.01, 0.1)]), "m": pick(0.1, 2.0)}
    case["k"] = rng.choice([0.0, pick(0.001, 0.05), pick(0.05, 0.3)])
    case["e"], case["mu"] = pick(0.4, 0.95), rng.choice([0.0, pick(0.02, 0.8)])
    case["spin"] = pick(-10, 10) if case["r"] and rng.random() < 0.5 else 0.0
    case["events"] = 8
    case["start"] = "flight"
    x, y, vx, vy = pick(-1, 1), pick(0.8, 1.6), pick(-3, 3), pick(-2, 2)
    if kind == "graph":
        case["b"] = pick(1.0, 4.0)
        case["a"] = round(rng.uniform(0.05, 0.8) / case["b"], 3)
    elif kind == "inside":
        case["a"] = pick(1.0, 2.0)
        x, y = pick(-0.4, 0.4), pick(-0.3, 0.3)
    elif kind == "outside":
        case["a"] = pick(0.5, 2.0)
        x, y = pick(-0.5, 0.5), pick(2.3, 3.0)
    if kind == "graph" and rng.random() < 0.4:
        # At a crest.
        case["start"], case["mu"], case["spin"] = "contact", 0.0, 0.0
        x, vx = round(math.pi / 2 / case["b"] + rng.uniform(-0.1, 0.1), 3), pick(0.5, 3.0) * rng.choice([-1, 1])
        y = vy = 0.0
    case.update(x=x, y=y, vx=vx, vy=vy)
    return case


def main():
    """Rows of random runs, or of those of a file again."""
    count, rng = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    keys = ["kind", "a", "b", "r", "m", "k", "e", "mu", "spin", "start", "x", "y", "vx", "vy"]
    print(",".join(keys + ["events"]))
    done = 0
    while done < count:
        case = draw(rng)
        events = run(case)
        if not events:
            continue
        told = ";".join(f"{kind} {mp.nstr(t, 28)} {mp.nstr(x, 28)} {mp.nstr(y, 28)}" for kind, t, x, y in events)
        print(",".join(str(case[key]) for key in keys) + "," + told, flush=True)
        done += 1


main()
