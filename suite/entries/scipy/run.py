"""SciPy's solve_ivp with terminal events, begun again after each bounce as in its documentation's cannon: answers to the cases of a point mass.

    pip install scipy; python3 run.py [CASES]     writes answers.csv and about.toml beside this file

Its user has no answer to infinitely many bounces: after 2000 impacts in a case it stops, and what comes later is not told.
"""
import csv
import pathlib
import re
import sys
import time
import tomllib

import numpy
import scipy
from scipy.integrate import solve_ivp

HERE = pathlib.Path(__file__).parent
CASES = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "cases"
NAMES = {name: getattr(numpy, name) for name in ("sin", "cos", "exp", "sqrt", "pi")}


def formula(text, parameters):
    code = compile(str(text).replace("^", "**"), "formula", "eval")
    return lambda **variables: eval(code, {**NAMES, **parameters}, variables)


class Problem:
    """A point mass, from its scenario file; the ground is y = h(x) + p(t), or a wall x = 1."""

    def __init__(self, scenario):
        curve, forces = scenario["ground"]["curve"], scenario.get("forces", {})
        motion = scenario["ground"].get("motion", {})
        self.wall = curve["kind"] == "line"
        self.h = formula(0 if self.wall else curve["y"], curve.get("parameters", {}))
        self.p = formula(motion.get("y", 0), motion.get("parameters", {}))
        self.e = scenario["contact"]["restitution"]
        self.mass = scenario.get("ball", {}).get("mass", 1.0)
        self.g = forces.get("gravity", 9.81)
        self.drag = forces.get("drag", {}).get("coefficient", 0.0)
        self.push = formula(forces.get("external", {}).get("x", 0), {})
        initial = scenario["initial"]
        self.start = initial.get("time", 0.0)
        self.state = numpy.array([*initial["position"], *initial.get("velocity", [0.0, 0.0])])
        self.end = self.start + scenario["solver"]["duration"]

    def rates(self, t, z):
        x, y, u, v = z
        drag = self.drag / self.mass * numpy.hypot(u, v)
        return [u, v, -drag * u + self.push(x=x, t=t) / self.mass, -self.g - drag * v]

    def gap(self, t, z):
        return 1.0 - z[0] if self.wall else z[1] - self.h(x=z[0]) - self.p(t=t)

    def bounce(self, t, z):
        if self.wall:
            return numpy.array([z[0], z[1], -self.e * z[2], z[3]])
        slope = numpy.imag(self.h(x=z[0] + 1e-30j)) / 1e-30
        lift = numpy.imag(self.p(t=t + 1e-30j)) / 1e-30
        push = (1 + self.e) * (slope * z[2] - (z[3] - lift)) / (1 + slope**2)
        return numpy.array([z[0], z[1], z[2] - push * slope, z[3] + push])


def run(problem, times, tolerance):
    """Impact times, states at the times that it came to, deepest penetration, evaluations."""
    t, z, impacts, states, deepest, count = problem.start, problem.state, [], {}, 0.0, 0

    def hits(t, z):
        return problem.gap(t, z)

    hits.terminal, hits.direction = True, -1
    while t < problem.end and len(impacts) < 2000:
        arc = solve_ivp(problem.rates, (t, problem.end), z, method="DOP853", rtol=tolerance, atol=tolerance, events=hits, dense_output=True)
        count += arc.nfev
        deepest = max(deepest, -min(problem.gap(s, w) for s, w in zip(arc.t, arc.y.T)))
        for index, wanted in times.items():
            if t <= wanted <= arc.t[-1]:
                states[index] = arc.sol(wanted)
        if arc.status != 1 or arc.t[-1] <= t:
            break
        t, z = arc.t[-1], problem.bounce(arc.t[-1], arc.y[:, -1])
        impacts.append(t)
    return impacts, states, deepest, count


def main():
    answers = csv.writer(open(HERE / "answers.csv", "w", newline=""), lineterminator="\n")
    answers.writerow(["case", "setting", "quantity", "index", "value"])
    for folder in sorted(CASES.iterdir()):
        rows = list(csv.DictReader(open(folder / "answers.csv")))
        for name in dict.fromkeys(row["case"] for row in rows):
            asked = [row for row in rows if row["case"] == name]
            number, letter = re.fullmatch(r"(\d+)([a-z]?)", name).groups()
            tell = lambda setting, *row: answers.writerow([name, setting, *row])
            if number not in ("1", "2", "3", "4", "15", "16", "17") and name not in ("14b", "14c"):
                for tolerance in (1e-6, 1e-10):
                    tell(f"tolerance {tolerance:g}", "all", "", "not applicable")
                continue
            scenario = tomllib.load(open(folder / f"scenario{letter and '-' + letter}.toml", "rb"))
            times = {row["index"]: float(row["value"]) for row in asked if row["quantity"] == "time"}
            for tolerance in (1e-6, 1e-10):
                setting, begun = f"tolerance {tolerance:g}", time.perf_counter()
                impacts, states, deepest, count = run(Problem(scenario), times, tolerance)
                tell(setting, "seconds", "", f"{time.perf_counter() - begun:.4f}")
                tell(setting, "evaluations", "", count)
                tell(setting, "deepest", "", repr(float(deepest)))
                tell(setting, "unexplained", "", "not applicable")
                for index, impact in enumerate(impacts, 1):
                    tell(setting, "impact", index, repr(float(impact)))
                if not impacts:
                    tell(setting, "impact", "", "none")
                for row in asked:
                    quantity = row["quantity"]
                    if quantity == "landing" and row["index"]:
                        tell(setting, "landing", "", "not applicable")
                    if quantity in ("lambda", "friction"):
                        tell(setting, quantity, row["index"], "not applicable")
                    if quantity in ("x", "y", "vx", "vy") and row["index"] in states:
                        tell(setting, quantity, row["index"], repr(float(states[row["index"]]["x y vx vy".split().index(quantity)])))
    (HERE / "about.toml").write_text(f'name = "SciPy solve_ivp"\nversion = "{scipy.__version__}"\nmethod = "DOP853, terminal events, begun again after each impact"\n')


if __name__ == "__main__":
    main()
