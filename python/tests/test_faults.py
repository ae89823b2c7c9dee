"""What users ran into, each by its name."""

import contextlib
import os
import signal
import threading
import time

import numpy as np
import pytest

import kugelbahn as kb


def test_python_compliant_keys():
    make = lambda **more: kb.Simulation(
        ball=kb.Ball.solid_sphere(1.0, 0.1), ground=kb.Ground.graph("0"), position=(0, 1),
        keys={"contact.law": "hertz", "contact.stiffness": 1e6}, **more,
    )
    soft = make()
    assert soft.run(0.5).events.kind.tolist()[0] == "touch" and "restitution" not in soft.to_toml()
    assert soft.replace(keys={"contact.viscosity": 20.0}).run(0.5).end == 0.5
    assert make(friction=0.3).to_toml().count("friction = 0.3") == 1
    # What is asked for is not left out in silence; a law that is given later takes the place of the one before.
    with pytest.raises(kb.InputError, match="restitution"):
        make(restitution=0.7)
    rigid = kb.Simulation(ball=kb.Ball.solid_sphere(1.0, 0.1), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.7)
    later = rigid.replace(keys={"contact.law": "hertz", "contact.stiffness": 1e6})
    assert later.run(0.5).events.kind.tolist() == soft.run(0.5).events.kind.tolist()
    assert later.replace(keys={"contact.law": "rigid"}).run(0.5).events.kind[0] == "landing"


def test_python_tolerance_and_step():
    make = lambda **more: kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), **more)
    for both in ({"tolerance": 1e-6, "step": 1e-3}, {"tolerance": 1e-6, "keys": {"solver.step": 1e-3}}, {"step": 1e-3, "keys": {"solver.relative-tolerance": 1e-6}}):
        with pytest.raises(kb.InputError, match="tolerance"):
            make(**both)


def test_python_frames(throw):
    polars, pandas, pyarrow = (pytest.importorskip(name) for name in ("polars", "pandas", "pyarrow"))
    sim = throw.replace(keys={"solver.duration": 1.0})
    compared = kb.compare(sim, "newmark", tolerances="1e-4", kind="polars")
    schema = compared.schema
    assert schema["completed"] == polars.Boolean and schema["stop"] == polars.String and schema["events"] == polars.Int64
    assert compared["completed"].to_list() == [True] and compared["stop"].to_list() == [None]
    assert compared["step"].is_nan().all() and compared["tolerance"].to_list() == [1e-4]
    assert isinstance(kb.compare(sim, "newmark", tolerances="1e-4", kind="pandas"), pandas.DataFrame)
    orders = kb.converge(sim, "newmark", [0.02, 0.01], kind="pyarrow")
    assert isinstance(orders, pyarrow.Table) and orders.schema.field("evaluations").type == pyarrow.int64()
    swept = kb.sweep(sim, vary={"restitution": [0.5, 0.6]}, observe="impact.1.x", kind="pandas")
    assert isinstance(swept, pandas.DataFrame) and swept.shape[0] == 2
    with pytest.raises(kb.InputError, match="kind"):
        kb.sweep(sim, vary={"restitution": [0.5]}, kind="excel")
    for wrong in (lambda: kb.sweep(sim, vary={"restitution": np.zeros((2, 2))}), lambda: kb.compare(sim, "newmark", tolerances=np.full((2, 2), 1e-4))):
        with pytest.raises(kb.InputError, match="restitution|tolerances"):
            wrong()
    states = throw.run(1.0).at([0.1, 0.2])
    for library in (pandas, polars):
        frame = library.DataFrame(states)
        assert {"x", "y", "vx", "vy"} <= set(frame.columns) and list(frame["x"]) == states.position[:, 0].tolist() == states["x"].tolist()


LONG = {"keys": {"solver.duration": 50000.0, "output.interval": 50.0}}


def slow():
    return kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("x^2"), x=-1.0, speed=0.0, **LONG)


@pytest.mark.parametrize("work", [
    lambda: kb.compare(slow(), "newmark,dop853", tolerances="1e-10"),
    lambda: kb.compare(slow(), "moreau", steps=[0.005]),
    lambda: kb.converge(slow(), "newmark", [0.01, 0.005]),
    lambda: kb.aim(slow(), "speed", targets="end.x = 0"),
    lambda: kb.fit(np.column_stack([np.arange(0, 1400.0, 3.5), *np.zeros((2, 400))]), slow(), "gravity.y"),
    lambda: kb.sweep(slow(), vary={"speed": np.linspace(0, 1, 100)}, observe="end.x", threads=2),
], ids=["compare", "steps", "converge", "aim", "fit", "sweep"])
def test_python_ctrl_c_goes_on(work):
    def processor():
        usage = os.times()
        return usage.user + usage.system

    def at_work():
        """Threads that run, or would if a busy machine let them."""
        own, states = str(threading.get_native_id()), []
        for thread in set(os.listdir("/proc/self/task")) - {own}:
            with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/stat") as stat:
                states.append(stat.read().rsplit(") ")[-1][0])
        return states.count("R")

    timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.join()
    # 0.1 s of work for the threads to end, however long that takes; then none of them works on.
    before, idle, give_up = processor(), 0, time.monotonic() + 60.0
    while idle < 20 and time.monotonic() < give_up:
        time.sleep(0.005)
        idle = 0 if at_work() else idle + 1
    assert idle == 20 and processor() - before < 0.1


def test_python_plot_late_start():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), keys={"initial.time": 5.0}).run(1.0)
    assert (run.begin, run.end) == (5.0, 6.0)
    figure = run.plot()
    assert [axes.get_ylabel() for axes in figure.axes] == ["y [m]", "y [m]", "speed [m/s]", "λ [N]"]
    assert figure.axes[1].get_xlim() == (5.0, 6.0)


def test_python_plot_twice():
    nbformat, client = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = ["import kugelbahn as kb\nrun = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph('0'), restitution=0.5,"
             " position=(0,1), velocity=(1,0)).run(2.0)\nrun.plot()", "run"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    pictures = [[out for out in cell.outputs if "image/png" in out.get("data", {})] for cell in notebook.cells]
    assert [len(found) for found in pictures] == [1, 0]
    assert "text/html" in notebook.cells[1].outputs[0].data


def test_a_run_tells_what_it_was(throw):
    run = throw.run(3.0)
    assert run.begin == 0.0 and len(run.captures) == 1
    capture = run.captures[0]
    assert 0.0 < capture.duration and capture.time + capture.duration < 3.0 and capture.speed < 1e-5
    assert run.summary["counts"]["captures"] == 1 and run.summary["final"]["time"] == 3.0
    assert run.balance == run.summary["balance"] and run.balance["place"]["residual"] < 1e-9
    proof = throw.run(1.0).prove()
    assert proof["open"] is None and proof["time"].shape == proof["x"].shape == (2, 2)
    low, high = proof["time"].T
    assert ((low <= throw.run(1.0).events.time) & (throw.run(1.0).events.time <= high)).all()
    stopped = run.prove()
    assert "summed up" in stopped["open"] and len(stopped["time"]) < len(run.events)
