"""The tutorial with twenty mistakes, each of which type checkers find; it is not run."""

import kugelbahn as kb
import numpy as np

ball = kb.Ball.solid_sphere(mass=1.0, radius=0.05)
ground = kb.Ground.graph("0.25*sin(pi*x)")
sim = kb.Simulation(ball=ball, ground=ground, restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9)
run = sim.run(3.05)
states = run.at([0.5, 1.0])
pushed = sim.replace(force=lambda t, x, y, vx, vy: np.array([0.0, 0.0]), friction="infinite", keys={"solver.capture-tolerance": 1e-9})
found = kb.fit("film.csv", sim, ["contact.restitution"], start=0.1)
aimed = kb.aim(sim, "velocity.x", targets="landing.x = 3.0")
table = kb.sweep(sim, vary={"restitution": np.linspace(0.1, 0.9, 9)}, observe="impact.1.x", kind="pandas")

kb.Simulation(ball=ball, ground=ground, restituton=0.7)  # wrong
kb.Simulation(ball=ball, ground=ground, restitution=[0.7])  # wrong
kb.Simulation(ball=ball, ground=ground, method="newmrak")  # wrong
kb.Simulation(ball=ball, ground=ground, friction="infinit")  # wrong
kb.Simulation(ball=ball, ground=ground, position=0.5)  # wrong
kb.Simulation(ball=ball, restitution=0.7)  # wrong
kb.Simulation(ball=ball, ground="0.25*sin(pi*x)")  # wrong
kb.Ball.solid_sphere(mass="1 kg", radius=0.05)  # wrong
kb.Ball.solid_shpere(mass=1.0, radius=0.05)  # wrong
kb.Ground.graph(0.25)  # wrong
sim.replace(restituton=0.7)  # wrong
sim.replace(gravity=9.81)  # wrong
sim.run("3.05")  # wrong
run.event  # wrong
run.events.tme  # wrong
run.at([0.5]).positon  # wrong
run.at(0.5).velocity.real.lenght  # wrong
kb.compare(sim, "newmark", tolerance=[1e-6])  # wrong
found["parameter"]  # wrong
found["parameters"][0]["estimat"]  # wrong
kb.sweep(sim, vary={"restitution": [0.5]}, kind="excel")  # wrong
