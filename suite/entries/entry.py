"""What the entries share: the cases read from their folders, the answers written beside each script.

An entry calls `write` with a function that answers one task with one setting. It is told all that `problem.md` says, in numbers; exact
answers it does not see. Standard library only, Python 3.11.
"""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import time
import tomllib

ENTRIES = pathlib.Path(__file__).parent
# run.py [CASES [FOLDER]]: answers to the printed cases are written beside the script.
CASES = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES.parent / "cases"
OUT = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ENTRIES
STATES = ("x", "y", "vx", "vy", "spin", "lambda", "friction")
# Cases of which the figure of all programs draws paths; after that many impacts a run is given up: a bounce that accumulates has no end.
DRAWN = {"1", "7", "9"}
MOST = 2000


class Task:
    """A case or its lettered part.

    `ground`: kind (flat, sine, crest, parabola, arc, line, walls) and its numbers, SI units; `motion`: amplitude, rate, phase of y = a sin(w t + p).
    `balls`: place and velocity of each centre, spin; `push`: (stiffness, F) of a force −stiffness x − F cos t along x.
    """

    def __init__(self, name, rows, scenario):
        self.name, self.number = name, re.match(r"\d+", name)[0]
        self.times = {row["index"]: float(row["value"]) for row in rows if row["quantity"] == "time"}
        self.until = {row["quantity"]: float(row["value"]) for row in rows if row["kind"] == "until"}
        self.asked = [(row["quantity"], row["index"]) for row in rows if row["kind"] in ("state", "after", "force", "number", "most")]
        self.end = max([*self.times.values(), *self.until.values()], default=0.0)
        self.scenario = scenario
        if not scenario:
            return
        contact, forces, ball = scenario.get("contact", {}), scenario.get("forces", {}), scenario.get("ball", {})
        self.e = contact.get("restitution", 0.0)
        # Large enough that nothing slips.
        self.mu = 1e3 if contact.get("friction") == "infinite" else contact.get("friction", 0.0)
        self.no_slip = "tangential-restitution" in contact
        self.g = forces.get("gravity", 9.81)
        self.drag = forces.get("drag", {}).get("coefficient", 0.0)
        numbers = re.findall(r"[0-9.]+", forces.get("external", {}).get("x", ""))
        self.push = [float(number) for number in numbers[:2]]
        several = scenario.get("ball") if isinstance(scenario.get("ball"), list) else None
        self.radius = several[0]["radius"] if several else ball.get("radius", 0.0)
        self.mass = several[0].get("mass", 1.0) if several else ball.get("mass", 1.0)
        self.ground, self.motion = self._ground(scenario["ground"])
        self.start = 0.0 if several else scenario["initial"].get("time", 0.0)
        starts = [body["initial"] for body in several] if several else [scenario["initial"]]
        self.balls = [self._ball(start) for start in starts]

    def _ground(self, ground):
        if isinstance(ground, list):
            return {"kind": "walls", "left": 0.0, "right": 1.0}, None
        curve, motion = ground["curve"], ground.get("motion")
        numbers, kind, formula = curve.get("parameters", {}), curve["kind"], str(curve.get("y", ""))
        if motion:
            given = motion.get("parameters", {})
            motion = [given["E"], 2 * math.pi, 0.0] if "E" in given else [given["Gamma"] * 9.81 / 60**2, 60.0, given.get("phi", 0.0)]
        if kind == "arc":
            ends = [eval(str(curve[end]), {"pi": math.pi}) for end in ("from", "to")]
            return {"kind": "arc", "radius": curve["radius"], "from": ends[0], "to": ends[1]}, motion
        if kind == "line":
            return {"kind": "wall", "x": curve["from"][0]}, motion
        if "sin(pi*x)/w" in formula:
            return {"kind": "crest", "h": numbers["h"], "w": numbers["w"]}, motion
        if "sin(pi*x)" in formula:
            return {"kind": "sine", "a": numbers["A"]}, motion
        if "x^2" in formula:
            return {"kind": "parabola", "a": 1 / (4 * numbers["f"]) if "f" in numbers else numbers.get("a", 1.0)}, motion
        if "p*x" in formula:
            return {"kind": "plane", "slope": -numbers["p"]}, motion
        return {"kind": "flat", "y": float(formula)}, motion

    def _ball(self, start):
        if "position" in start:
            return [*start["position"], *start.get("velocity", [0.0, 0.0]), start.get("spin", 0.0)]
        begin, r, kind = start["contact"], self.radius, self.ground["kind"]
        speed = begin.get("speed", 0.0)
        spin = begin.get("spin", 0.0)
        if spin == "rolling":
            spin = -speed / r
        if kind == "arc" and "s" in begin:
            return [0.0, r - self.ground["radius"], speed, 0.0, spin]
        if kind == "arc" and self.ground["from"] > 0:
            return [0.0, r + self.ground["radius"], speed, 0.0, spin]
        if kind == "arc":
            x = begin["x"] * (self.ground["radius"] - r) / self.ground["radius"]
            return [x, -math.sqrt((self.ground["radius"] - r) ** 2 - x * x), 0.0, 0.0, 0.0]
        slope = self.ground.get("slope", 0.0)
        c = 1 / math.hypot(1, slope)
        return [-r * slope * c, r * c, speed * c, speed * slope * c, spin]

    def table(self, t):
        """Height and speed of the ground's motion."""
        if not self.motion:
            return 0.0, 0.0
        a, w, p = self.motion
        return a * math.sin(w * t + p), a * w * math.cos(w * t + p)

    def gap(self, t, x, y):
        """Distance of a ball from flat, inclined or round ground."""
        kind = self.ground["kind"]
        if kind == "arc":
            far = math.hypot(x, y)
            return far - self.ground["radius"] - self.radius if self.ground["from"] > 0 else self.ground["radius"] - self.radius - far
        slope = self.ground.get("slope", 0.0)
        height = self.ground["a"] * x * x if kind == "parabola" else self.ground.get("y", 0.0) + slope * x
        return (y - height - self.table(t)[0]) / math.hypot(1, 2 * self.ground["a"] * x if kind == "parabola" else slope) - self.radius

    def json(self):
        return {key: value for key, value in vars(self).items() if key != "scenario"}


class Outcome:
    """Answers to a task: times of events by kind, states by index, and what else is told."""

    def __init__(self, events=None, states=None, deepest=None, evaluations=None, path=(), seconds=None):
        self.events, self.states, self.deepest = events or {}, states or {}, deepest
        self.evaluations, self.path, self.seconds = evaluations, path, seconds


def tasks():
    for folder in sorted(CASES.iterdir()):
        rows = list(csv.DictReader(open(folder / "answers.csv")))
        for name in dict.fromkeys(row["case"] for row in rows):
            letter = re.sub(r"\d", "", name)
            scenario = tomllib.load(open(folder / f"scenario{letter and '-' + letter}.toml", "rb"))
            yield Task(name, [row for row in rows if row["case"] == name], scenario)


def write(script, name, version, method, settings, answer):
    """`answer(task, setting)` gives an Outcome, or None where the program can't state the task; what its states lack in all of the outcome is not applicable."""
    here = OUT / pathlib.Path(script).resolve().parent.name
    here.mkdir(parents=True, exist_ok=True)
    with open(here / "answers.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["case", "setting", "quantity", "index", "value"])
        for task in tasks():
            for setting in settings:
                begun = time.perf_counter()
                outcome = answer(task, setting) if task.scenario else None
                seconds = time.perf_counter() - begun
                print(task.name, setting, f"{seconds:.2f} s", flush=True)
                tell(lambda *row: out.writerow([task.name, setting, *row]), task, outcome, seconds)
    about = {"name": name, "version": version, "method": method}
    (here / "about.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in about.items()))


def tell(say, task, outcome, seconds):
    if outcome is None:
        return say("all", "", "not applicable")
    number = lambda value: repr(round(float(value), 15)) if math.isfinite(value) else "nan"
    say("seconds", "", f"{outcome.seconds if outcome.seconds is not None else seconds:.5f}")
    if outcome.evaluations is not None:
        say("evaluations", "", outcome.evaluations)
    say("deepest", "", "not applicable" if outcome.deepest is None else number(outcome.deepest))
    say("unexplained", "", "not applicable")
    for kind, until in task.until.items():
        if kind not in outcome.events:
            say(kind, "", "not applicable")
            continue
        times = [at for at in outcome.events[kind] if at <= until]
        for index, at in enumerate(times, 1):
            say(kind, index, number(at))
        if not times:
            say(kind, "", "none")
    told = {name for state in outcome.states.values() for name in state}
    for name, index in task.asked:
        if name in outcome.states.get(index, {}):
            say(name, index, number(outcome.states[index][name]))
        elif name not in told:
            say(name, index, "not applicable")
    for at, height in list(outcome.path)[:500]:
        say("path", f"{at:.6g}", f"{height:.5g}")


def write_by(command, script, name, version, method, settings):
    """The same by a program that reads tasks and settings as JSON and prints a list of outcomes, one a line, null where it can't state one."""
    every = [task for task in tasks() if task.scenario]
    text = json.dumps({"tasks": [task.json() for task in every], "settings": settings})
    place = pathlib.Path(script).resolve().parent
    run = subprocess.run(command, input=text, capture_output=True, text=True, cwd=place)
    if run.returncode:
        raise SystemExit(run.stderr)
    outcomes = iter(run.stdout.splitlines())
    found = {(task.name, setting): json.loads(next(outcomes)) for task in every for setting in settings}
    answer = lambda task, setting: (lambda one: one and Outcome(**one))(found[task.name, setting])
    write(script, name, version, method, settings, answer)
