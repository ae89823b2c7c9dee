"""25 digits of motion on straight ground, crates/rolling/tests/contact/straight.txt, and of bounces in linear drag to their end.

Sliding or rolling: M dv/dt = D - d v - k_L w - k_D |w| w with w = v - wind, by Riccati's closed form with 100 digits, piece by piece
where w turns; gentle rows agree with mpmath's Taylor series (`motion_by_series`). pip install mpmath; python3 straight.py
Rows: name; D M; d k_L k_D; wind v0; time; way v.
"""

import mpmath as mp

mp.mp.dps = 100


def number(x):
    return mp.nstr(x, 25)


def closed(a, r, k, w, t):
    """w' = a - r w - k w^2, and its integral."""
    if k == 0:
        end = a / r + (w - a / r) * mp.exp(-r * t)
        return a / r * t + (w - end) / r, end
    p = mp.sqrt(r * r / 4 + k * a)
    s = mp.sinh(p * t) / p if p != 0 else t
    y = mp.cosh(p * t) + (r / 2 + k * w) * s
    end = (w * mp.cosh(p * t) + (a - r * w / 2) * s) / y
    return mp.re((mp.log(y) - r * t / 2) / k), mp.re(end)


def motion(drive, mass, damping, linear, quadratic, wind, speed, time):
    a, r, k = (drive - damping * wind) / mass, (damping + linear) / mass, quadratic / mass
    w = speed - wind
    sign = 1 if w > 0 or w == 0 and a > 0 else -1
    w, a = sign * w, sign * a
    turn = mp.inf
    if k > 0 and a < 0:
        p = mp.sqrt(r * r / 4 + k * a)
        t = w / (r * w / 2 - a)
        turn = mp.re(mp.atanh(p * t) / p)
    if turn >= time:
        way, end = closed(a, r, k, w, time)
    else:
        way, _ = closed(a, r, k, w, turn)
        back, end = closed(-a, r, k, mp.mpf(0), time - turn)
        way, end = way - back, -end
    return sign * way + wind * time, sign * end + wind


def motion_by_series(drive, mass, damping, linear, quadratic, wind, speed, time):
    mp.mp.dps = 32
    sign = 1 if speed - wind > 0 or speed == wind and drive - damping * wind > 0 else -1
    rate = lambda _, y: [
        y[1],
        (drive - damping * y[1] - linear * (y[1] - wind) - quadratic * sign * (y[1] - wind) ** 2) / mass,
    ]
    end = mp.odefun(rate, 0, [mp.mpf(0), speed], tol=mp.mpf(10) ** -29)(time)
    mp.mp.dps = 100
    return end


ROWS = [
    ("a bead on level ground", "0 1.1", "0 0 0.01015", "0 1", "4"),
    ("down a slope from rest", "4 1", "0.3 0.1 0.2", "0 0", "3"),
    ("down it in a gale", "4 1", "0.3 0 0.2", "-20 0", "3"),
    ("up a slope and back", "-5 1", "0 0 1", "0 3", "2"),
    ("rolling with damping", "3 1.4", "0.5 0 0.02", "0 2", "5"),
    ("hardly any drag", "0.7 1", "0 0 1e-12", "0 2", "5"),
    ("as in honey", "1 1", "0 1e5 0", "0 3", "1"),
    ("drag of 1e5", "1 1", "0 0 1e5", "0 3", "1"),
]


def bounces(restitution, rate, height, gravity=mp.mpf("9.81")):
    """From rest at a height: the time of the first impact, and of the end of all."""
    fall = lambda t, rise: (rise + gravity / rate) * (1 - mp.exp(-rate * t)) / rate - gravity * t / rate
    speed = lambda t, rise: (rise + gravity / rate) * mp.exp(-rate * t) - gravity / rate
    first = mp.findroot(lambda t: height + fall(t, 0), mp.sqrt(2 * height / gravity))
    time, rise = first, -restitution * speed(first, 0)
    while rise > mp.mpf(10) ** -30:
        hop = 2 * rise / gravity
        for _ in range(12):
            hop -= fall(hop, rise) / speed(hop, rise)
        time, rise = time + hop, -restitution * speed(hop, rise)
    return first, time


if __name__ == "__main__":
    for index, (name, *parts) in enumerate(ROWS):
        (drive, mass), (damping, linear, quadratic), (wind, speed), (time,) = (
            [mp.mpf(word) for word in part.split()] for part in parts
        )
        case = (drive, mass, damping, linear, quadratic, wind, speed, time)
        end = motion(*case)
        if index < 3:
            assert all(abs(a - b) < 1e-25 for a, b in zip(end, motion_by_series(*case)))
        print("; ".join([name, *parts, " ".join(map(number, end))]))
    for restitution in ("0.5", "0.9", "0.98"):
        print("# bounces:", restitution, *map(number, bounces(mp.mpf(restitution), mp.mpf("0.5"), mp.mpf("0.05"))))
