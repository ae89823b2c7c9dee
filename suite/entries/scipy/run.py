"""SciPy's solve_ivp with terminal events, begun again after each bounce as in its documentation's cannon.

    pip install scipy; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import flight
import numpy
import scipy
from scipy.integrate import solve_ivp


def answer(task, setting):
    tolerance = float(setting.split()[1])
    options = {"method": "DOP853", "rtol": tolerance, "atol": tolerance}

    def arc(flight, t, z, end, times):
        def hits(t, z):
            return flight.gap(t, z)

        hits.terminal, hits.direction = True, -1
        run = solve_ivp(flight.rates, (t, end), z, events=hits, t_eval=[*times, end] if end not in times else times, **options)
        states = list(zip(run.t, numpy.transpose(run.y)))
        if run.status == 1:
            return run.t_events[0][0], run.y_events[0][0], True, states, run.nfev
        return end, z, False, states, run.nfev

    def integrate(rates, z, times):
        run = solve_ivp(rates, (0, times[-1]), z, t_eval=times, **options)
        return run.y.T, run.nfev

    return flight.answer(task, arc, integrate)


entry.write(__file__, "SciPy solve_ivp", scipy.__version__, "DOP853, terminal events, begun again after each impact", ["tolerance 1e-6", "tolerance 1e-10"], answer)
