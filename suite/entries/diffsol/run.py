"""diffsol: `cargo build --release` in this folder, then `python3 run.py [CASES [OUT]]` writes answers.csv and about.toml beside this file, or below OUT."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry

entry.write_by(["target/release/entry-diffsol"], __file__, "diffsol", "0.18.0", "TSIT45, its own root finding, state set anew after each impact", ["tolerance 1e-6", "tolerance 1e-10"])
