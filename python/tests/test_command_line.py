"""The numbers of a run are those of the command line, bit for bit."""

import csv
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import kugelbahn as kb

ROOT = pathlib.Path(__file__).parents[2]
BINARY = os.environ.get("KUGELBAHN", "")


def event_driven(file):
    """Whether the front door runs it: of one ball, and not to be swept for minutes."""
    try:
        kb.Simulation.from_toml(file).run(1e-6)
    except kb.InputError as error:
        assert "time stepping" in str(error) or "duration" in str(error), error
        return False
    return True


HERE = pathlib.Path(__file__).parent
# Two grounds with names, and watches.
FILES = sorted([HERE / "watched.toml", *ROOT.glob("scenarios/*.toml"), *ROOT.glob("experiments/src/bin/*/scenario*.toml")])


def rows(file):
    with open(file, newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.skipif(not BINARY, reason="KUGELBAHN names no command line")
def test_thirty_scenarios(tmp_path):
    compared, watched = 0, set()
    variants = [{}, {"contact.restitution": 0.35}, {"initial.velocity.x": 0.75}]
    for file in filter(event_driven, FILES):
        for number, variant in enumerate(variants):
            out = tmp_path / f"{compared}"
            settings = [part for key, value in variant.items() for part in ("--set", f"{key}={value}")]
            command = [BINARY, "run", str(file), "--quiet", "--out", str(out), *settings]
            try:
                done = subprocess.run(command, capture_output=True, timeout=10)
            except subprocess.TimeoutExpired:
                # A million bounces are for the experiments.
                break
            if done.returncode == 2:
                continue
            sim = kb.Simulation.from_toml(file).replace(**variant) if variant else kb.Simulation.from_toml(file)
            try:
                run = sim.run()
            except kb.Stopped as stopped:
                run = stopped.run
            watched |= set(run.events.name)
            told = rows(out / "events.csv")
            assert len(told) == len(run.events), file
            for row, event in zip(told, run.events):
                for name, cell in row.items():
                    mine = event[name]
                    assert (cell == mine) if isinstance(mine, str) else (float(cell or "nan") == mine or (cell == "" and np.isnan(mine))), (file, name, cell, mine)
            path = rows(out / "trajectory.csv")
            states = run.at([float(row["time"]) for row in path])
            for name, mine in {"x": states.position[:, 0], "y": states.position[:, 1], "vx": states.velocity[:, 0], "vy": states.velocity[:, 1],
                               "angle": states.angle, "spin": states.spin, "normal_force": states.normal_force}.items():
                assert [float(row[name]) for row in path] == mine.tolist(), (file, variant, name)
            again = kb.Simulation.from_toml(sim.to_toml())
            try:
                again = again.run()
            except kb.Stopped as stopped:
                again = stopped.run
            assert again.events.tobytes() == run.events.tobytes(), (file, "to_toml")
            compared += 1
    assert compared >= 30, compared
    assert watched >= {"gate", "top"}
    print(compared, "runs compared")


HILLS = str(ROOT / "experiments/src/bin/over_the_hills/scenario.toml")
STUDIES = {
    "run": ["run", HILLS],
    "converge": ["converge", HILLS, "--method", "newmark,bdf", "--steps", "1e-2..1e-3/2"],
    "compare": ["compare", HILLS, "--methods", "newmark,moreau", "--steps", "1e-2,1e-3"],
    "fit": ["fit", str(ROOT / "scenarios/bounce.txt"), str(ROOT / "scenarios/bounce.toml"), "--free", "contact.restitution,initial.velocity.y"],
}


@pytest.mark.skipif(not BINARY, reason="KUGELBAHN names no command line")
@pytest.mark.parametrize("study", STUDIES)
def test_the_script_beside_the_figures_draws_them(study, tmp_path):
    pytest.importorskip("matplotlib")
    subprocess.run([BINARY, *STUDIES[study], "--quiet", "--out", str(tmp_path), "--figures", "py,svg"], check=True)
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    for width in ("85", "175"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "plot.py", "--width", width, "--format", "png"],
            cwd=tmp_path, env=environment, capture_output=True, text=True,
        )
        assert done.returncode == 0, done.stderr
        drawn = done.stdout.split()
        assert sorted(drawn) == sorted(f"plot-{file.stem}.png" for file in tmp_path.glob("*.svg"))
        assert all((tmp_path / file).stat().st_size > 10_000 for file in drawn)
