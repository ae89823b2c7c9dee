"""Runs the engines in JavaScript: `npm install; python3 javascript.py [CASES [OUT [ENGINE …]]]` writes answers.csv and about.toml of each. Versions are those of package.json."""
import json
import sys

import entry

ENGINES = {
    "planck": ("planck.js", "planck", "Box2D's sequential impulses, bullet; best: 50 iterations, lengths such that R = 1 m", ["default, 1/60 s", "best, 1e-4 s"]),
    "matter-js": ("matter-js", "matter-js", "sequential impulses, 1000 pixels a metre; best: 20 iterations, R = 200 pixels, slop 0.001", ["default, 1/60 s", "best, 1e-3 s"]),
    "rapier2d": ("rapier2d", "@dimforge/rapier2d-compat", "rapier2d-compat, single precision, CCD; best: 50 iterations, allowed error 1e-6, length unit R", ["default, 1/60 s", "best, 1e-3 s"]),
    "p2-es": ("p2-es", "p2-es", "Gauss–Seidel on springs; best: 100 iterations, stiffness 1e12", ["default, 1/60 s", "best, 1e-3 s"]),
    "cannon-es": ("cannon-es", "cannon-es", "Gauss–Seidel on springs; best: 100 iterations, stiffness 1e12", ["default, 1/60 s", "best, 1e-3 s"]),
}

wanted = set(sys.argv[3:])
for folder, (name, package, method, settings) in ENGINES.items():
    if wanted and folder not in wanted:
        continue
    about = json.loads((entry.ENTRIES / "node_modules" / package / "package.json").read_text())
    print(name, about["version"], flush=True)
    entry.write_by(["node", "run.mjs"], entry.ENTRIES / folder / "run.mjs", name, about["version"], method, settings)
