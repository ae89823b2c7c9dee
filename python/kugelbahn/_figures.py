"""Pictures of a run: matplotlib's, and the page in a notebook."""

import html

import numpy as np


def plot(run, points):
    """Path over the ground, events as dots, watches by name; height and speed over time."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("run.plot() needs matplotlib: pip install matplotlib") from error
    states, events = run.at(np.linspace(0.0, run.end, points)), run.events
    watched = events.kind == "watch"
    x, y = states.position.T
    figure, (path, height, speed) = pyplot.subplots(
        3, 1, figsize=(8.0, 8.0), gridspec_kw={"height_ratios": [2, 1, 1]}, layout="constrained"
    )
    room = 0.05 * (np.ptp(x) + np.ptp(y)) + 1e-12
    lines = run.ground_lines(x.min() - room, x.max() + room)
    low = min([y.min(), *(line[:, 1].min() for line in lines)])
    # A wall or an edge may go down for ever.
    low = max(low, y.min() - 0.5 * np.ptp(x) - np.ptp(y)) - room
    for line in lines:
        path.fill_between(*line.T, low, color="0.92", linewidth=0.0)
        path.plot(*line.T, color="0.35", linewidth=1.0)
    path.plot(x, y, linewidth=1.2)
    path.plot(events.x[~watched], events.y[~watched], "o", markersize=3, color="black")
    path.plot(events.x[watched], events.y[watched], "D", markersize=5, markerfacecolor="none", color="tab:red")
    names, first = np.unique(events.name[watched], return_index=True)
    for name, event in zip(names, events[watched][first]):
        path.annotate(name, (event.x, event.y), xytext=(4, 4), textcoords="offset points", color="tab:red")
    path.set(xlabel="x [m]", ylabel="y [m]", xlim=(x.min() - room, x.max() + room), ylim=(low, y.max() + room), aspect="equal")
    height.plot(states.time, y)
    height.set(ylabel="y [m]")
    speed.plot(states.time, np.hypot(*states.velocity.T))
    speed.set(xlabel="t [s]", ylabel="speed [m/s]")
    speed.sharex(height)
    for time in events.time[:200]:
        height.axvline(time, color="0.85", linewidth=0.6, zorder=0)
        speed.axvline(time, color="0.85", linewidth=0.6, zorder=0)
    return figure


def notebook(run):
    """The page with the moving ball, in a frame of its own."""
    page = html.escape(run.html(), quote=True)
    return f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width: 100%; height: 720px; border: 0"></iframe>'
