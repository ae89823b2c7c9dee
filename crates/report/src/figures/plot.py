"""Draws the figures of this folder from their CSV files, by matplotlib:

    python plot.py [FIGURE ...] [--width MM] [--format pdf]

Written by Kugelbahn, to be changed as you like.
"""
import argparse
import csv

import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter

# Of each figure its diagrams, of each diagram its lines; plot-FIGURE.csv has the points of each line by their numbers.
FIGURES = {{FIGURES}}

MARKS = "os^Dvph"
STYLES = {
    "solid": dict(linestyle="-", linewidth=1.1),
    "wide": dict(linestyle="-", linewidth=2.2),
    "dashed": dict(linestyle="--", linewidth=1.1),
    "thin": dict(linestyle="-", linewidth=0.5),
    "triangle": dict(linestyle="-", linewidth=0.8),
    "dots": dict(linestyle="", markersize=4),
    "hollow": dict(linestyle="", markersize=4, markerfacecolor="white"),
    "apart": dict(linestyle="", markersize=4, markerfacecolor="white"),
    "crosses": dict(linestyle="", marker="+", markersize=2.5, markeredgewidth=0.5),
    "specks": dict(linestyle="", marker=".", markersize=1.4),
}


def points(name):
    """The points of each line: {(diagram, line): ([x, ...], [y, ...])}, from 0 on."""
    lines = {}
    with open(f"plot-{name}.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            x, y = lines.setdefault((int(row["diagram"]), int(row["line"])), ([], []))
            x.append(float(row["x"]))
            y.append(float(row["y"]))
    return lines


def diagram(axes, about, lines):
    """Draws one diagram; the names of its lines."""
    axes.set(title=about["title"], xlabel=about["x"], ylabel=about["y"])
    axes.grid(color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    bars = None
    alone = all(line["draw"] == "bars" for line in about["lines"])
    for i, line in enumerate(about["lines"]):
        x, y = lines.get(i, ([], []))
        if line["draw"] == "bars":
            bars = axes if alone else axes.twinx()
            bars.vlines(x, 0, y, color=line["colour"], linewidth=1.2)
            most = max(y)
            if alone:
                axes.set_ylim(0, most / 0.9)
                continue
            bars.set_ylabel(line["name"])
            axes.set_zorder(bars.get_zorder() + 1)
            axes.patch.set_visible(False)
            continue
        mark = {} if line["mark"] is None else {"marker": MARKS[line["mark"] % len(MARKS)], "markersize": 4}
        if len(x) > 40 and line["draw"] in ("solid", "dashed"):
            mark["markevery"] = (0.03 * (line["mark"] or 0), 0.12)
        label = line["name"] if line["draw"] not in ("triangle", "apart") else ""
        style = {**mark, **STYLES[line["draw"]]}
        if line["dashes"]:
            style["linestyle"] = (0, line["dashes"])
        axes.plot(x, y, color=line["colour"], label=label or None, **style)
        if line["draw"] == "triangle":
            axes.annotate(line["name"], (x[1], y[2]), color=line["colour"])
    for axis, decades in zip("xy", about["decades"]):
        if decades:
            getattr(axes, f"set_{axis}scale")("log")
            getattr(axes, f"{axis}axis").set_major_locator(LogLocator(numticks=9))
            getattr(axes, f"{axis}axis").set_minor_formatter(NullFormatter())
    if about["extent"]:
        axes.axis(about["extent"])
    if about["equal"]:
        axes.set_aspect("equal")
    else:
        axes.margins(x=0.04 if any(about["decades"]) else 0)
    if bars and not alone:
        # They stand on the zero of the lines.
        low, high = axes.get_ylim()
        bars.set_ylim(low / high * most / 0.9, most / 0.9)
    handles, names = axes.get_legend_handles_labels()
    return dict(zip(names, handles))


def share(diagrams, axes):
    """Gives diagrams above each other one axis where it is the same."""
    for i in range(len(diagrams) - 1):
        (a, b), (c, d) = axes[i].get_xlim(), axes[i + 1].get_xlim()
        one = diagrams[i]["x"] == diagrams[i + 1]["x"] and diagrams[i]["decades"][0] == diagrams[i + 1]["decades"][0]
        if one and abs(a - c) + abs(b - d) <= 0.02 * abs(b - a):
            axes[i + 1].sharex(axes[i])
            axes[i].tick_params(labelbottom=False)
            axes[i].set_xlabel("")


def figure(name, width):
    about, lines = FIGURES[name], points(name)
    count = len(about["diagrams"])
    columns = min(count, about["grid"]) if about["grid"] and width > 100 else 1
    rows = -(-count // columns)
    size = width / 25.4
    shape, all_axes = plt.subplots(
        rows, columns, figsize=(size, (0.45 * size / columns + 0.5) * rows), squeeze=False, layout="constrained"
    )
    everything = {}
    shape.suptitle("\n".join(filter(None, [about["title"], about["note"]])), fontsize=9)
    for i, axes in enumerate(all_axes.flat):
        if i >= count:
            axes.remove()
            continue
        names = diagram(axes, about["diagrams"][i], {line: xy for (of, line), xy in lines.items() if of == i})
        if about["grid"]:
            everything.update(names)
        elif len(names) > 1 and width > 100:
            axes.legend(names.values(), names.keys(), loc="upper left", bbox_to_anchor=(1.1, 1), frameon=False)
        elif len(names) > 1:
            axes.legend(names.values(), names.keys(), loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)
    if not about["grid"]:
        share(about["diagrams"], all_axes[:, 0])
    if everything:
        shape.legend(everything.values(), everything.keys(), loc="outside lower left", ncols=max(1, int(width / 60)), frameon=False)
    return shape


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("figures", nargs="*", default=list(FIGURES), metavar="FIGURE")
    options.add_argument("--width", type=float, default={{WIDTH}}, help="mm")
    options.add_argument("--format", default="pdf", help="pdf, png, svg, ...")
    chosen = options.parse_args()
    plt.rcParams.update({"font.size": 8, "axes.titlesize": 8, "legend.fontsize": 7, "savefig.dpi": 300})
    for name in chosen.figures:
        figure(name, chosen.width).savefig(f"plot-{name}.{chosen.format}")
        print(f"plot-{name}.{chosen.format}")
