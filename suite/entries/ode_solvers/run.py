"""ode_solvers: `cargo build --release` in this folder, then `python3 run.py [CASES [OUT]]` writes answers.csv and about.toml beside this file, or below OUT."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry

entry.write_by(["target/release/entry-ode-solvers"], __file__, "ode_solvers", "0.6.2", "Dopri5, stopped below the ground, impact on its continuous output, begun again", ["tolerance 1e-6", "tolerance 1e-10"])
