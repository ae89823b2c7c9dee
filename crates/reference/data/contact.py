"""Motion on the ground to 25 digits, for tests/taylor.rs: Gragg, Bulirsch and Stoer's extrapolation in 50 digits, turns and sticking by
secants on its steps. Pure Python: pip install mpmath; python3 contact.py
"""
from mpmath import mp, mpf, sqrt, sin, cos, pi, findroot
mp.dps = 50

def step(f, t, y, h, columns=14):
    rows = []
    for j in range(columns):
        n = 2 * (j + 1)
        d = h / n
        a, b = y, [u + d * v for u, v in zip(y, f(t, y))]
        for i in range(1, n):
            a, b = b, [u + 2 * d * v for u, v in zip(a, f(t + i * d, b))]
        end = [(u + v + d * w) / 2 for u, v, w in zip(a, b, f(t + h, b))]
        row = [end]
        for k in range(1, j + 1):
            ratio = mpf((2 * (j + 1)) ** 2) / (2 * (j + 1 - k)) ** 2
            row.append([u + (u - v) / (ratio - 1) for u, v in zip(row[k - 1], rows[-1][k - 1])])
        rows.append(row)
    return rows[-1][-1]

def go(f, t, y, end, h=mpf(1) / 64):
    while t < end:
        d = min(h, end - t)
        y = step(f, t, y, d)
        t += d
    return y

def until(f, t, y, g, h=mpf(1) / 64):
    """To the first sign change of g, found by the secant method on steps."""
    while True:
        z = step(f, t, y, h)
        if g(t + h, z) * g(t, y) < 0:
            at = lambda d: g(t + d, step(f, t, y, d))
            d = findroot(at, (h / 2, h / 2 + mpf(1) / 10**6), solver='secant', tol=mpf(10) ** -60)
            assert 0 < d <= h
            return t + d, step(f, t, y, d)
        t, y = t + h, z

def law(y1, y2, m, g, mu, sign, drag, damping, s, v):
    """Point on y(x): rates of x and of v along the ground, and the normal force."""
    r = sqrt(1 + y1(s) ** 2)
    kappa = y2(s) / r**3
    along, across = -m * g * y1(s) / r, -m * g / r
    normal = m * kappa * v * v - across
    force = along - damping * v - drag * abs(v) * v - mu * sign * normal
    return v / r, force / m, normal

def show(name, t, y, extra=()):
    print(name, 't', mp.nstr(t, 25), *[mp.nstr(c, 25) for c in y], *[mp.nstr(c, 25) for c in extra])

g = mpf('9.81')
def swings(name, f_of_sign):
    """Turns of a bead on y = x² that starts at rest at x = −0.3, and where it is at 3 s."""
    t, y, sign = mpf(0), [mpf('-0.3'), mpf(0)], 1
    while True:
        f = f_of_sign(sign)
        z = go(f, t, y, t + mpf(1) / 32)
        turn, there = until(f, t + mpf(1) / 32, z, lambda t, y: y[1])
        if turn > 3:
            show(name + ' end', mpf(3), go(f, t, y, mpf(3)))
            return
        show(name + ' turn', turn, there)
        t, y, sign = turn, [there[0], mpf(0)], -sign

y1, y2 = (lambda s: 2 * s), (lambda s: mpf(2))
# With friction 0.05.
swings('friction', lambda sign: lambda t, y: law(y1, y2, 1, g, mpf('0.05'), sign, 0, 0, y[0], y[1])[:2])
# With drag 0.1 kg/m and damping 0.2 N s/m.
swings('drag', lambda sign: lambda t, y: law(y1, y2, 1, g, 0, 0, mpf('0.1'), mpf('0.2'), y[0], y[1])[:2])

# A solid sphere, R = 0.1 m, 1 kg, on y = 0.3 sin x, that rolls (friction infinite) from x = 0 with 1 m/s of its centre; damping 0.05 N s/m.
R, k = mpf('0.1'), mpf(2) / 5
a1, a2 = (lambda s: mpf('0.3') * cos(s)), (lambda s: -mpf('0.3') * sin(s))
def roll(t, y):
    s, v = y
    r = sqrt(1 + a1(s) ** 2)
    kappa = a2(s) / r**3
    return [v / (r * (1 - kappa * R)), (-g * a1(s) / r - mpf('0.05') * v) / (1 + k)]
for end in (1, 3):
    y = go(roll, mpf(0), [mpf(0), mpf(1)], mpf(end)); show('sphere', mpf(end), y)

# The same sphere slides, μ = 0.1, from x = 0 with 3 m/s and spin 0, until it sticks.
mu = mpf('0.1')
def slide(t, y):
    s, v, w = y
    r = sqrt(1 + a1(s) ** 2)
    kc = a2(s) / r**3 / (1 - a2(s) / r**3 * R)
    normal = kc * v * v + g / r
    return [v / (r * (1 - a2(s) / r**3 * R)), -g * a1(s) / r - mu * normal, -mu * normal / (k * R)]
t, y = until(slide, mpf(0), [mpf(0), mpf(3), mpf(0)], lambda t, y: y[1] + R * y[2])
show('stick', t, y)
