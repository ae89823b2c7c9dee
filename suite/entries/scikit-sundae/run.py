"""scikit-SUNDAE: CVODE with its own root finding, begun again after each bounce; Adams' methods, as its documentation advises where nothing is stiff.

    pip install scikit-sundae; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import flight
import sksundae
from sksundae.cvode import CVODE


def answer(task, setting):
    tolerance = float(setting.split()[1])
    options = {"method": "Adams", "rtol": tolerance, "atol": tolerance, "max_num_steps": 100_000}
    count = [0]

    def counted(rates):
        def slope(t, z, into):
            count[0] += 1
            into[:] = rates(t, z)

        return slope

    def arc(flight, t, z, end, times):
        def gap(t, z, into):
            into[0] = flight.gap(t, z)

        gap.terminal, gap.direction = [True], [-1]
        grid = [t, *times] if end in times else [t, *times, end]
        run = CVODE(counted(flight.rates), eventsfn=gap, num_events=1, **options).solve(grid, z)
        evaluations, count[0] = count[0], 0
        asked = set(grid[1:])
        states = [(at, state) for at, state in zip(run.t, run.y) if at in asked]
        if run.t_events is not None and len(run.t_events):
            # The first found may be the bounce that it began with.
            return float(run.t_events[-1]), run.y_events[-1], True, states, evaluations
        return float(run.t[-1]), run.y[-1], False, states, evaluations

    def integrate(rates, z, times):
        run = CVODE(counted(rates), **options).solve([0.0, *times], z)
        return run.y[1:], count[0]

    return flight.answer(task, arc, integrate)


version = f"{sksundae.__version__}, SUNDIALS {sksundae.SUNDIALS_VERSION}"
entry.write(__file__, "scikit-SUNDAE CVODE", version, "Adams, terminal events, begun again after each impact", ["tolerance 1e-6", "tolerance 1e-10"], answer)
