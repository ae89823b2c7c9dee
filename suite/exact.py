"""Motion of a point mass or a ball to 25 digits and more, twice: what draw.py computes answers with. Pure Python and mpmath.

`march` finds first impacts with a proof (no root is passed over: the second derivative of the gap is bounded), `sampled` finds them
by samples, brackets and the Illinois method in more digits. `taylor` and `extrapolate` integrate equations of motion.
"""
from mpmath import cos, findroot, mp, mpf, pi, sin, sqrt

mp.dps = 50


class Disagreement(Exception):
    """The two computations differ: no answer is written."""


def agree(name, one, two, digits=22):
    """Returns `one` if both are the same to so many digits."""
    for a, b in zip(one, two, strict=True):
        if not abs(a - b) <= mpf(10) ** -digits * (1 + abs(a)):
            raise Disagreement(f"{name}: {mp.nstr(a, 30)} and {mp.nstr(b, 30)}")
    return one


def march(gap, bound, limit, touching=True):
    """First time in (0, limit] at which a gap closes, or None; gap(s) gives value and rate, |gap''| <= bound.

    From s on the gap is at least v + r d - bound d^2/2, so it is positive up to that parabola's root; Newton's method from the left, near
    a root that is crossed.
    """
    s, tiny = mpf(0), mpf(10) ** (12 - mp.dps)
    while True:
        value, rate = (mpf(0), gap(s)[1]) if s == 0 and touching else gap(s)
        if value < 0:
            return s
        step = (rate + sqrt(rate * rate + 2 * bound * value)) / bound
        if rate < 0:
            step = 2 * value / (sqrt(rate * rate + 2 * bound * value) - rate)
        s += step
        if s > limit:
            return None
        if step <= tiny * max(s, mpf(10) ** -20):
            return s


def sampled(gap, bound, limit, touching=True):
    """The same by samples at a fixed distance, the least gap between two of them where its rate turns, and a bracketed root."""
    rate = gap(mpf(0))[1]
    step = abs(rate) / bound / 3 if touching else limit / 2000
    step = max(step, limit / 20000)
    s = step / 2 if touching else mpf(0)
    (value, rate), tiny = gap(s), mpf(10) ** (20 - 2 * mp.dps)
    if value <= 0:
        raise Disagreement("samples are too far apart")
    while s < limit:
        b, (value, next_rate) = s + step, gap(s + step)
        if rate < 0 < next_rate:
            # The least gap between two samples.
            b = findroot(lambda t: gap(t)[1], (s, s + step), solver="illinois", tol=tiny, verify=False)
            value = gap(b)[0]
        if value <= 0:
            root = findroot(lambda t: gap(t)[0], (s, b), solver="illinois", tol=tiny, verify=False)
            return findroot(lambda t: gap(t)[0], root, solver="newton", df=lambda t: gap(t)[1], tol=tiny, verify=False)
        s, rate = s + step, next_rate
    return None


class Ground:
    """y = height(x) + shake(t) below a point mass under gravity; what it needs are values, two rates, and bounds of the second ones."""

    def __init__(self, g, height=None, bend=0, shake=None, jolt=0):
        self.g, self.height, self.bend, self.shake, self.jolt = g, height, bend, shake, jolt

    def gap(self, state):
        t, x, y, u, v = state

        def at(s):
            h, slope = self.height(x + u * s) if self.height else (0, 0)
            p, lift = self.shake(t + s) if self.shake else (0, 0)
            return y + (v - self.g * s / 2) * s - h - p, v - self.g * s - slope * u - lift

        return at

    def bounce(self, state, e):
        t, x, y, u, v = state
        _, slope = self.height(x) if self.height else (0, mpf(0))
        lift = self.shake(t)[1] if self.shake else 0
        push = (1 + e) * (slope * u - (v - lift)) / (1 + slope * slope)
        return (t, x, y, u - push * slope, v + push)

    def fly(self, state, s):
        t, x, y, u, v = state
        return (t + s, x + u * s, y + (v - self.g * s / 2) * s, u, v - self.g * s)

    def hops(self, state, e, count, limit, find=march, touching=False):
        """States just after impacts, with the start in front; `limit` (s) holds for each flight."""
        states = [state]
        for _ in range(count):
            bound = self.g + self.bend * state[3] ** 2 + self.jolt
            s = find(self.gap(state), bound, limit, touching)
            if s is None:
                break
            state, touching = self.bounce(self.fly(state, s), e), True
            states.append(state)
        return states


def both(name, ground, state, e, count, limit, touching=False):
    """Impacts by march and by samples, and how much a change of 1 of the start's v_y would move each time (from one of 1e-25)."""
    states = ground.hops(state, e, count, limit, touching=touching)
    with mp.workdps(70):
        other = ground.hops(state, e, count, limit, sampled, touching)
    agree(name, [c for s in states for c in s], [c for s in other for c in s], 20)
    small = mpf(10) ** -25
    moved = ground.hops((*state[:4], state[4] + small), e, len(states) - 1, limit, touching=touching)
    conditions = [max(abs(a - b) / small for a, b in zip(p, q)) for p, q in zip(states, moved, strict=True)]
    return states, conditions


def extrapolate(f, t, y, end, h, columns=14):
    """Gragg, Bulirsch and Stoer's method: y at `end`."""
    count = max(1, int(mp.ceil((end - t) / h)))
    h = (end - t) / count
    for i in range(count):
        rows, at = [], t + i * h
        for j in range(columns):
            n = 2 * (j + 1)
            d = h / n
            a, b = y, [u + d * v for u, v in zip(y, f(at, y))]
            for k in range(1, n):
                a, b = b, [u + 2 * d * v for u, v in zip(a, f(at + k * d, b))]
            row = [[(u + v + d * w) / 2 for u, v, w in zip(a, b, f(at + h, b))]]
            for k in range(1, j + 1):
                ratio = mpf((2 * (j + 1)) ** 2) / (2 * (j + 1 - k)) ** 2
                row.append([u + (u - v) / (ratio - 1) for u, v in zip(row[k - 1], rows[-1][k - 1])])
            rows.append(row)
        y = rows[-1][-1]
    return y


def until(f, y, g, h):
    """Time and state at the first sign change of g(y), by extrapolation and secants."""
    t = mpf(0)
    while True:
        z = extrapolate(f, t, y, t + h, h)
        if g(z) * g(y) < 0:
            at = lambda d: g(extrapolate(f, t, y, t + d, h))
            d = findroot(at, (h / 2, h / 2 + mpf(10) ** -6), solver="secant", tol=mpf(10) ** -60)
            return t + d, extrapolate(f, t, y, t + d, h)
        t, y = t + h, z


def drag_series(u, v, g, k, order):
    """Taylor's coefficients of u and v in air: u' = -k w u, v' = -g - k w v, w = |(u, v)|."""
    us, vs, ps, ws = [u], [v], [], []
    for n in range(order):
        ps.append(sum(us[i] * us[n - i] + vs[i] * vs[n - i] for i in range(n + 1)))
        w = sqrt(ps[0]) if n == 0 else (ps[n] - sum(ws[i] * ws[n - i] for i in range(1, n))) / (2 * ws[0])
        ws.append(w)
        us.append(-k * sum(ws[i] * us[n - i] for i in range(n + 1)) / (n + 1))
        vs.append((-(g if n == 0 else 0) - k * sum(ws[i] * vs[n - i] for i in range(n + 1))) / (n + 1))
    return us, vs


def poly(coefficients, s, start=0):
    """A series' integral from `start`, at s."""
    total = mpf(0)
    for n in reversed(range(len(coefficients))):
        total = total * s + coefficients[n] / (n + 1)
    return start + total * s


def value(coefficients, s):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * s + c
    return total


def drag_arc(state, g, k, order=24):
    """From a state to y = 0, by Taylor series: pieces (length, state at their start), and the state there."""
    t, x, y, u, v = state
    while True:
        us, vs = drag_series(u, v, g, k, order)
        reach = (abs(us[-1]) + abs(vs[-1]) + mpf(10) ** -200) ** (mpf(-1) / order) * mpf(10) ** (mpf(-34) / order)
        if poly(vs, reach, y) < 0:
            s = v * 2 / g if y == 0 and v > 0 else y / max(-v, mpf(1))
            s = min(s, reach)
            for _ in range(60):
                step = poly(vs, s, y) / value(vs, s)
                s -= step
                if abs(step) < mpf(10) ** (8 - mp.dps) * s:
                    break
            yield s, (t, x, y, u, v), us, vs
            return
        yield reach, (t, x, y, u, v), us, vs
        t, x, y, u, v = t + reach, poly(us, reach, x), poly(vs, reach, y), value(us, reach), value(vs, reach)
