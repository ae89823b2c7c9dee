"""MuJoCo: spheres in a plane (slide, slide, hinge), soft contacts; its restitution is that of a spring with a negative damping ratio's law.

    pip install mujoco; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT

Contacts are springs with dampers: for e < 1 the damping ratio that bounces so, −ln e/√(π² + ln² e), at the stiffness that 20 steps resolve (`solref`,
as its documentation advises for bounces). The bowl and the loop are rings of boxes, which its collision detection takes; friction is an elliptic cone.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import mujoco
import stepped


def geoms(task):
    ground = task.ground
    if ground["kind"] == "arc" and ground["from"] > 0:
        return f'<geom type="cylinder" size="{ground["radius"]} 0.5" euler="90 0 0"/>'
    line = stepped.outline(task)
    if not line:
        slope, y = ground.get("slope", 0.0), ground.get("y", 0.0)
        return f'<geom type="plane" size="0 0 1" pos="0 0 {y}" euler="0 {-math.degrees(math.atan(slope))} 0"/>'
    text, line = "", line[:: 5 if ground["kind"] == "arc" else 1]
    for (a, b), (c, d) in zip(line, line[1:]):
        long, turn = math.hypot(c - a, d - b), math.atan2(d - b, c - a)
        # A box below each piece, free side to the left.
        x, y = (a + c) / 2 + 0.05 * math.sin(turn), (b + d) / 2 - 0.05 * math.cos(turn)
        text += f'<geom type="box" size="{long / 2} 0.5 0.05" pos="{x} 0 {y}" euler="0 {-math.degrees(turn)} 0"/>'
    return text


class World:
    def __init__(self, task, setting, step):
        best = setting.startswith("best")
        ratio = -math.log(task.e) / math.hypot(math.pi, math.log(task.e)) if task.e > 0 else 1.0
        ratio = max(ratio, 1e-9)
        solref = f"{20 * step} {ratio}" if best else "0.02 1"
        bodies = ""
        for x, y, *_ in task.balls:
            inertia = 0.4 * task.mass * task.radius**2
            bodies += f"""<body pos="{x} 0 {y}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>
<inertial pos="0 0 0" mass="{task.mass}" diaginertia="{inertia} {inertia} {inertia}"/><geom type="sphere" size="{task.radius}"/></body>"""
        # A table that is shaken hangs on a joint that is set before each step.
        self.model = mujoco.MjModel.from_xml_string(f"""<mujoco><compiler angle="degree"/>
<option timestep="{step}" gravity="0 0 {-task.g}" {'integrator="implicitfast" cone="elliptic" iterations="200" tolerance="1e-14"' if best else ""}/>
<default><geom solref="{solref}" friction="{min(task.mu, 100)} 0 0" {'solimp="0.99 0.9999 0.001"' if best else ""} condim="3"/></default>
<worldbody><body name="table" mocap="true">{geoms(task)}</body>{bodies}</worldbody></mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.places = [ball[:2] for ball in task.balls]
        for i, (_, _, vx, vy, spin) in enumerate(task.balls):
            self.data.qvel[3 * i : 3 * i + 3] = vx, vy, spin
        mujoco.mj_forward(self.model, self.data)

    def table(self, height, speed):
        self.data.mocap_pos[0] = 0, 0, height

    def push(self, fx, fy):
        self.data.qfrc_applied[:2] = fx, fy

    def step(self):
        mujoco.mj_step(self.model, self.data)

    def balls(self):
        q, v = self.data.qpos, self.data.qvel
        return [(x + q[3 * i], y + q[3 * i + 1], v[3 * i], v[3 * i + 1], v[3 * i + 2]) for i, (x, y) in enumerate(self.places)]

    def touching(self):
        return self.data.ncon > 0


def answer(task, setting):
    return stepped.answer(World, task, setting, 2e-3 if "2e-3" in setting else 1e-4)


entry.write(__file__, "MuJoCo", mujoco.__version__, "soft contacts; best: solref of 20 steps and e, elliptic cone", ["default, 2e-3 s", "best, 1e-4 s"], answer)
