"""Overhead of a run, states a second, memory of many runs: `python benches/run.py`."""

import gc
import timeit

import numpy as np
import psutil

import kugelbahn as kb

sim = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), restitution=0.9, position=(0, 1), velocity=(1, 0))
tenth = sim.replace(until=lambda event: event.index == 9).run(60.0).end


def best(work, number, tries=7):
    return min(timeit.repeat(work, number=number, repeat=tries)) / number


print(f"run of ten bounces   {1e6 * best(lambda: sim.run(tenth), 2000):.2f} us")
run = sim.run(tenth)
times = np.linspace(0.0, run.end, 1_000_000)
print(f"run.at of 1e6 times  {1e-6 / (best(lambda: run.at(times), 1) / 1e6):.1f} M/s")
resident = psutil.Process().memory_info
for _ in range(10_000):
    sim.run(tenth)
gc.collect()
before = resident().rss
for _ in range(100_000):
    sim.run(tenth)
gc.collect()
print(f"after 1e5 runs       {(resident().rss - before) / 1024:.0f} kB more")
