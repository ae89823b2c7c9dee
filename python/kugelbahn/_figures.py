"""Pictures of a run: matplotlib's, and the page in a notebook."""

import html

import numpy as np

_PHASES = {"flight": "white", "rolling": "tab:green", "sliding": "tab:orange", "rest": "tab:gray", "compressed": "tab:purple"}


def _path(axes, run, states, events):
    """Path over the ground, events as dots, watches by name."""
    watched = events.kind == "watch"
    x, y = states.position.T
    room = 0.05 * (np.ptp(x) + np.ptp(y)) + 1e-12
    lines = run.ground_lines(x.min() - room, x.max() + room)
    low = min([y.min(), *(line[:, 1].min() for line in lines)])
    # A wall or an edge may go down for ever.
    low = max(low, y.min() - 0.5 * np.ptp(x) - np.ptp(y)) - room
    for line in lines:
        axes.fill_between(*line.T, low, color="0.92", linewidth=0.0)
        axes.plot(*line.T, color="0.35", linewidth=1.0)
    axes.plot(x, y, linewidth=1.2)
    axes.plot(events.x[~watched], events.y[~watched], "o", markersize=3, color="black")
    axes.plot(events.x[watched], events.y[watched], "D", markersize=5, markerfacecolor="none", color="tab:red")
    names, first = np.unique(events.name[watched], return_index=True)
    for name, event in zip(names, events[watched][first]):
        axes.annotate(name, (event.x, event.y), xytext=(4, 4), textcoords="offset points", color="tab:red")
    axes.set(xlabel="x [m]", ylabel="y [m]", xlim=(x.min() - room, x.max() + room), ylim=(low, y.max() + room), aspect="equal")


def plot(run, points):
    """Path over the ground; height, speed and normal force over time, phases behind them and events as lines."""
    try:
        import matplotlib
        from matplotlib import patches, pyplot
    except ImportError as error:
        raise ImportError("run.plot() needs matplotlib: pip install matplotlib") from error
    states, events = run.at(np.linspace(run.begin, run.end, points)), run.events
    figure, (path, *over_time) = pyplot.subplots(
        4, 1, figsize=(8.0, 9.5), gridspec_kw={"height_ratios": [2, 1, 1, 1]}, layout="constrained"
    )
    _path(path, run, states, events)
    curves = {"y [m]": states.y, "speed [m/s]": np.hypot(states.vx, states.vy), "λ [N]": states.normal_force}
    phases = run.phases[:2000]
    for axes, (label, numbers) in zip(over_time, curves.items()):
        axes.plot(states.time, numbers)
        axes.set(ylabel=label, xlim=(run.begin, run.end))
        axes.sharex(over_time[0])
        for phase, start, end in phases:
            axes.axvspan(start, end, color=_PHASES.get(phase, "tab:blue"), alpha=0.15, linewidth=0.0, zorder=-1)
        for time in events.time[:200]:
            axes.axvline(time, color="0.85", linewidth=0.6, zorder=0)
    over_time[-1].set_xlabel("t [s]")
    seen = [phase for phase in dict.fromkeys(phase for phase, _, _ in phases) if phase != "flight"]
    if seen:
        shown = [patches.Patch(color=_PHASES.get(phase, "tab:blue"), alpha=0.15, label=phase) for phase in seen]
        over_time[0].legend(handles=shown, loc="upper right", fontsize="small")
    # A notebook shows what a cell returns, and all figures that are still open.
    if "inline" in matplotlib.get_backend():
        pyplot.close(figure)
    return figure


def notebook(run):
    """The page with the moving ball, in a frame of its own."""
    page = html.escape(run.html(), quote=True)
    return f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width: 100%; height: 720px; border: 0"></iframe>'
