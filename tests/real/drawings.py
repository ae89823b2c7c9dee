"""Checks each drawing of a list and drops a ball on it; says whether shapely finds the same lines simple.

    pip install shapely svgelements
    python drawings.py KUGELBAHN FOLDER LIST.json RESULT.json

FOLDER holds a folder for each repository; LIST.json is a list of [repository, path of a drawing in it].
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

from shapely.geometry import LineString
from svgelements import Path

warnings.filterwarnings("ignore")

LINES_OF_A_DRAWING = 4
SECONDS = 240
SHAPES = {"path", "circle", "ellipse", "line", "polyline", "polygon", "rect", "use"}
NOT_DRAWN = {"defs", "symbol", "marker", "pattern", "clipPath", "mask"}


def drawn(element, found):
    """The shapes where they are drawn, in the order of the file."""
    for child in element:
        name = child.tag.rsplit("}", 1)[-1] if isinstance(child.tag, str) else ""
        hidden = child.get("display") == "none" or re.search(r"display\s*:\s*none", child.get("style") or "")
        if name in NOT_DRAWN or hidden:
            continue
        if name in SHAPES:
            found.append((name, child))
        drawn(child, found)
    return found


def run(kugelbahn, *arguments, here):
    try:
        done = subprocess.run([kugelbahn, *arguments], cwd=here, capture_output=True, text=True, timeout=SECONDS)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "timeout", "", ""


def is_simple(line):
    """Of a line of a path, by 64 chords for each curve: whether it is simple, and whether it is closed."""
    points = []
    for segment in line:
        straight = type(segment).__name__ in ("Move", "Line", "Close")
        if straight and segment.end is not None:
            points.append((segment.end.x, segment.end.y))
        if not straight:
            points += [(p.x, p.y) for p in (segment.point(k / 64) for k in range(1, 65))]
    points = points[:1] + [p for before, p in zip(points, points[1:]) if p != before]
    if len(points) < 2:
        return None
    return bool(LineString(points).is_simple), points[0] == points[-1]


def lines_of(path, count):
    """The lines of a path, if there are as many."""
    parts = [p for p in Path(path).as_subpaths() if any(type(s).__name__ != "Move" for s in p)]
    return parts if len(parts) == count else None


def look_at(kugelbahn, folder, repository, path):
    file = os.path.join(folder, repository, path)
    results = []
    with tempfile.TemporaryDirectory() as here:
        os.symlink(file, os.path.join(here, "d.svg"))

        def write(name, text):
            with open(os.path.join(here, name), "w", encoding="utf8") as out:
                out.write(text)

        _, listed, _ = run(kugelbahn, "curves", "check", "d.svg", here=here)
        counts = {}
        for row in listed.splitlines():
            if found := re.match(r"(\d+)\s+(\w+)\s", row):
                several = re.search(r"(\d+) lines,", row)
                counts[int(found[1])] = int(several[1]) if several else 1
        todo = [(number, stretch) for number, count in counts.items() for stretch in range(1, count + 1)]
        elements = drawn(ET.parse(file).getroot(), [])
        for number, stretch in todo[:: max(1, math.ceil(len(todo) / LINES_OF_A_DRAWING))]:
            result = {"repo": repository, "file": path, "shape": number, "stretch": stretch}
            results.append(result)
            curve = f"kind = 'svg'\nfile = 'd.svg'\npath = {number}\nstretch = {stretch}\nscale = 0.01\n"
            write("c.toml", curve)
            result["check"], told, error = run(kugelbahn, "curves", "check", "c.toml", here=here)
            name, element = elements[number - 1] if number <= len(elements) else ("", None)
            if name == "path" and (parts := lines_of(element.get("d"), counts[number])):
                result["simple"] = is_simple(Path(parts[stretch - 1]))
            if result["check"] != 0:
                result["msg"] = " ".join(error.split())[:400]
                continue
            if re.search(r"free side\s+inside", told):
                write("c.toml", curve + "reverse = true\n")
            result["notes"] = [row for row in told.splitlines() if "missed its start" in row]
            extent = re.search(r"extent\s+x (\S+) to (\S+) m, y (\S+) to (\S+) m", told)
            left, right, low, high = map(float, extent.groups())
            size = math.hypot(right - left, high - low)
            at = [0.5 * (left + right) + 0.01 * size, high + 0.2 * size]
            write(
                "s.toml",
                f"ball.radius = {0.01 * size!r}\ninitial.position = {at!r}\nground.curve = 'c.toml'\n"
                f"contact = {{ restitution = 0.5, friction = 0.3 }}\nsolver.duration = {3 * math.sqrt(2 * size / 9.81)!r}\n",
            )
            result["drop"], out, error = run(kugelbahn, "run", "s.toml", "--json", here=here)
            if result["drop"] != 0:
                result["dmsg"] = " ".join(error.split())[:300]
            else:
                result["unexplained"] = json.loads(out)["energy"]["unexplained"]
    return results


def main():
    kugelbahn, folder, drawings, result = sys.argv[1:]
    with open(drawings, encoding="utf8") as file:
        wanted = json.load(file)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda item: look_at(kugelbahn, folder, *item), wanted))
    with open(result, "w", encoding="utf8") as out:
        json.dump([result for results in found for result in results], out, indent=0)


main()
