"""Flight through the air to 40 digits, for tests/ballistic: prints references.txt, and with the word landings landings.txt.

Quadratic drag: the hodograph's quadratures by mpmath (tanh-sinh, pieces of 1/4 in w, finer near the infinite past), its angle at a
time by bisection and secants; the gentle cases are checked against mpmath's Taylor integrator of the equations of motion. Linear drag
and vertical throws: closed forms. Pure Python: pip install mpmath; python3 ballistic.py
"""
from mpmath import mp, mpf, sinh, cosh, asinh, sqrt, quad, exp, log, tan, atan, odefun

mp.dps = 40


def hodograph(u0, v0, g, k, t_end):
    """x, y, u, v and the energy lost to the air at a time, per mass."""
    w0, q0 = asinh(v0 / u0), 1 / u0**2
    rate = k / g

    def u(d):
        return 1 / sqrt(q0 + rate * (d + sinh(d) * cosh(2 * w0 - d)))

    def part(f, a, b):
        return quad(f, [a, b])

    past = log(1 + g / (k * (u0**2 + v0**2))) / 2
    time, x, y, lost, d = mpf(0), mpf(0), mpf(0), mpf(0), mpf(0)

    def fs(d):
        s, c, w = u(d), cosh(w0 - d), sinh(w0 - d)
        return s * c / g, s * s * c / g, s * s * c * w / g, k * (s * c) ** 4 / g

    h = min(mpf(1) / 4, past / 2)
    while True:
        step = [part(lambda z: fs(z)[i], d, d + h) for i in range(4)]
        if time + step[0] >= t_end:
            break
        time, x, y, lost, d = time + step[0], x + step[1], y + step[2], lost + step[3], d + h
        h = min(mpf(1) / 4, 2 * h)
    # The rest of the time: Newton's method, whose rate is known.
    e = d + h * (t_end - time) / step[0]
    for _ in range(60):
        miss = time + part(lambda z: fs(z)[0], d, e) - t_end
        e -= miss / fs(e)[0]
        if abs(miss) < mpf(10) ** -35 * (1 + t_end):
            break
    x += part(lambda z: fs(z)[1], d, e)
    y += part(lambda z: fs(z)[2], d, e)
    lost += part(lambda z: fs(z)[3], d, e)
    return x, y, u(e), u(e) * sinh(w0 - e), lost


def vertical(v0, g, k, t):
    c = sqrt(g / k)
    top = c / g * atan(v0 / c)
    from mpmath import cos, tanh
    if t <= top:
        angle = atan(v0 / c) - g * t / c
        y, v = log(cos(angle) / cos(atan(v0 / c))) / k, c * tan(angle)
    else:
        rise = log(1 + (v0 / c) ** 2) / (2 * k)
        y, v = rise - log(cosh(g * (t - top) / c)) / k, -c * tanh(g * (t - top) / c)
    return mpf(0), y, mpf(0), v, (v0**2 - v**2) / 2 - g * y


def drifting(u0, v0, k, t):
    speed = sqrt(u0**2 + v0**2)
    f = 1 + k * speed * t
    way = log(f) / (k * speed)
    return u0 * way, v0 * way, u0 / f, v0 / f, speed**2 / 2 * (1 - 1 / f**2)


def linear(u0, v0, g, r, t):
    first = (1 - exp(-r * t)) / r
    second = (t - first) / r
    x, y, u, v = u0 * first, v0 * first - g * second, u0 * exp(-r * t), v0 * exp(-r * t) - g * first
    return x, y, u, v, (u0**2 + v0**2 - u**2 - v**2) / 2 - g * y


def taylor(u0, v0, g, k, t):
    def rates(_, z):
        speed = sqrt(z[2] ** 2 + z[3] ** 2)
        return [z[2], z[3], -k * speed * z[2], -g - k * speed * z[3], k * speed**3]
    return odefun(rates, 0, [mpf(0), mpf(0), u0, v0, mpf(0)])(t)


def end_of(u0, v0, g, k, r, t):
    if r:
        return linear(u0, v0, g, r, t)
    if g == 0:
        return drifting(u0, v0, k, t)
    return vertical(v0, g, k, t) if u0 == 0 else hodograph(u0, v0, g, k, t)


def first_impact(u, v, k, r, wind):
    """Of a throw from (0.3, 1) on y = 0.1 sin(pi x): time, x, velocity. Guess by Runge and Kutta in steps of 1e-4 s."""
    from math import cos, hypot, pi, sin

    def rates(z):
        a, b = z[2] - float(wind[0]), z[3] - float(wind[1])
        slow = float(k) * hypot(a, b) + float(r)
        return [z[2], z[3], -slow * a, -9.81 - slow * b]

    z, t, h = [0.3, 1.0, float(u), float(v)], 0.0, 1e-4
    while z[1] > 0.1 * sin(pi * z[0]):
        def at(c, w):
            return [z[i] + c * w[i] for i in range(4)]
        one = rates(z)
        two = rates(at(h / 2, one))
        three = rates(at(h / 2, two))
        four = rates(at(h, three))
        z = [z[i] + h / 6 * (one[i] + 2 * two[i] + 2 * three[i] + four[i]) for i in range(4)]
        t += h
    t = mpf(t)
    for _ in range(12):
        sign = 1 if u >= wind[0] else -1
        x, y, a, b, _ = end_of(sign * (u - wind[0]), v - wind[1], G, k, r, t)
        x, y, a, b = mpf("0.3") + sign * x + wind[0] * t, 1 + y + wind[1] * t, sign * a + wind[0], b + wind[1]
        miss = y - mp.sin(mp.pi * x) / 10
        t -= miss / (b - mp.pi * mp.cos(mp.pi * x) / 10 * a)
        if abs(miss) < mpf(10) ** -28:
            return t, x, a, b


G = mpf("9.81")
# Name, horizontal and vertical velocity, gravity, drag over mass (quadratic, linear), times.
CASES = [
    ("the deck's ball", "1", "5", G, "0.0092", "", ["0.3", "1"]),
    ("a golf ball's speed", "45", "45", G, "0.005", "", ["1", "7"]),
    ("89.999 degrees", "0.000872664625818", "50", G, "0.01", "", ["2", "3.5", "12"]),
    ("a breath of wind", "1e-7", "50", G, "0.01", "", ["2", "9"]),
    ("vertical", "0", "30", G, "0.02", "", ["1", "7"]),
    ("hardly any drag", "30", "40", G, "1e-12", "", ["8"]),
    ("hardly any speed", "1e-6", "1e-6", G, "0.01", "", ["1e-7", "2"]),
    ("drag of 1e6", "3", "4", G, "1e6", "", ["1e-8", "1e-4", "0.5"]),
    ("faster than it falls", "10", "-500", G, "0.1", "", ["0.01", "3"]),
    ("at its final speed for long", "20", "10", G, "0.01", "", ["100"]),
    ("no gravity", "3", "4", mpf(0), "0.2", "", ["10"]),
    ("linear", "3", "4", G, "", "0.5", ["0.2", "3"]),
    ("hardly linear", "3", "4", G, "", "1e-9", ["3"]),
    ("as in honey", "3", "4", G, "", "1e5", ["1e-6", "3"]),
]


def main():
    for name, u, v, g, k, r, times in CASES:
        for t in times:
            u0, v0, time = mpf(u), mpf(v), mpf(t)
            if r:
                end = linear(u0, v0, g, mpf(r), time)
            elif g == 0:
                end = drifting(u0, v0, mpf(k), time)
            elif u0 == 0:
                end = vertical(v0, g, mpf(k), time)
            else:
                end = hodograph(u0, v0, g, mpf(k), time)
                if name in ("the deck's ball", "a golf ball's speed"):
                    other = taylor(u0, v0, g, mpf(k), time)
                    assert all(abs(a - b) < mpf(10) ** -25 * (1 + abs(a)) for a, b in zip(end, other)), name
            numbers = " ".join(mp.nstr(z, 25) for z in end)
            print(f"{name}; {u} {v}; {mp.nstr(g, 10)}; {k or 0} {r or 0}; {t}; {numbers}", flush=True)


# Name, velocity, drag over mass (quadratic, linear), wind.
LANDINGS = [
    ("a ball's throw", "1 5", "0.0092 0", "0 0"),
    ("89.999 degrees", "0.000872664625818 50", "0.01 0", "0 0"),
    ("vertical", "0 30", "0.02 0", "0 0"),
    ("in a gale", "3 12", "0.05 0", "-40 0"),
    ("in a gale from below", "3 2", "0.05 0", "20 3"),
    ("hardly any drag", "3 4", "1e-12 0", "0 0"),
    ("drag of 100", "3 4", "100 0", "0 0"),
    ("linear", "2 4", "0 0.5", "0 0"),
    ("linear, in a gale", "2 4", "0 0.8", "15 0"),
]


def landings():
    """For tests/ballistic/landings.txt."""
    for name, *parts in LANDINGS:
        (u, v), (k, r), wind = ([mpf(word) for word in part.split()] for part in parts)
        print("; ".join([name, *parts, " ".join(mp.nstr(z, 25) for z in first_impact(u, v, k, r, wind))]), flush=True)


if __name__ == "__main__":
    import sys

    landings() if "landings" in sys.argv else main()
