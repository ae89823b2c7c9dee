"""What a type checker says that there is; it is not run."""

from typing import reveal_type

import kugelbahn as kb

sim = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
run = sim.run(3.05)
reveal_type(run.at([0.5, 1.0]))
reveal_type(run.at([0.5, 1.0]).position)
reveal_type(run.at(0.5))
reveal_type(run.at(0.5).velocity[0])
reveal_type(run.events)
reveal_type(run.events.time)
reveal_type(run.events["kind"])
reveal_type(run.events[0].time)
reveal_type(run.events_frame("pandas"))
reveal_type(run.captures.duration)
reveal_type(run.balance["place"])
reveal_type(run.summary["counts"])
reveal_type(run.prove()["time"])
reveal_type(run.sensitivities(["restitution"])["states"])
reveal_type(run.phases)
reveal_type(kb.compare(sim, "newmark", tolerances=[1e-6]))
reveal_type(kb.converge(sim, "newmark", [0.1, 0.05])["error"])
reveal_type(kb.fit("a.csv", sim, "contact.restitution"))
reveal_type(kb.fit("a.csv", sim, "contact.restitution")["simulation"])
reveal_type(kb.aim(sim, "velocity.x", targets="landing.x = 1")["free"][0]["value"])
reveal_type(kb.sweep(sim, vary={"restitution": [0.5]}, observe="events"))
