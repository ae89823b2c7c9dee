//! How long drawings and tables take to load and to check, beside reading their numbers alone. A plain program: each and its floor
//! take turns, and least times count.

#![allow(clippy::expect_used, reason = "a bench prints, and fails loudly")]

use std::fmt::Write as _;
use std::path::Path;

use benches::table::Table;
use kugelbahn::curve::{Curve, curve_from_text};
use kugelbahn::terminal::Style;
use kugelbahn::{Scenario, check, show};

/// What is loaded.
struct Task {
    name: &'static str,
    file: &'static str,
    text: String,
    keys: &'static str,
    nodes: usize,
    curves: usize,
}

/// A smooth wave from left to right, as cubic Bézier curves between its nodes, in mm.
fn wave(nodes: usize, at: [f64; 2], width: f64) -> String {
    let step = width / (nodes - 1) as f64;
    let point = |i: usize| {
        let x = i as f64 * step;
        [at[0] + x, at[1] + 10.0 * (x / 40.0).sin()]
    };
    let slope = |i: usize| 0.25 * (i as f64 * step / 40.0).cos();
    let [x, y] = point(0);
    let mut path = format!("M {x:.6},{y:.6}");
    for i in 1..nodes {
        let ([ax, ay], [bx, by], third) = (point(i - 1), point(i), step / 3.0);
        let (out, into) = (ay + third * slope(i - 1), by - third * slope(i));
        write!(path, " C {:.6},{out:.6} {:.6},{into:.6} {bx:.6},{by:.6}", ax + third, bx - third).expect("a string");
    }
    path
}

/// A drawing as Inkscape writes it: mm, layers, groups with transforms, labels, shapes beside paths.
fn inkscape(paths: usize, nodes: usize) -> String {
    let mut text = String::from(
        "<svg width=\"420mm\" height=\"2970mm\" viewBox=\"0 0 420 2970\" xmlns=\"http://www.w3.org/2000/svg\"\n\
         xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\">\n",
    );
    for path in 0..paths {
        let y = 40.0 + 50.0 * path as f64;
        let label = format!("rail {path}");
        write!(
            text,
            "<g inkscape:groupmode=\"layer\" id=\"layer{path}\" inkscape:label=\"Layer {path}\" transform=\"translate(5,{y})\">\n\
             <g transform=\"rotate(2) scale(0.9)\"><path id=\"path{path}\" inkscape:label=\"{label}\" d=\"{}\"/></g>\n</g>\n",
            wave(nodes, [0.0, 0.0], 400.0)
        )
        .expect("a string");
    }
    text + "<rect id=\"box\" x=\"5%\" y=\"2900\" width=\"90%\" height=\"20\"/><circle id=\"pin\" cx=\"210\" cy=\"2880\" r=\"5\"/>\n</svg>\n"
}

/// Points of several polylines with a column that names each, in mm.
fn table(curves: usize, rows: usize) -> String {
    let mut text = String::from("layer,x [mm],y [mm]\n");
    for curve in 0..curves {
        for row in 0..rows {
            let x = row as f64 * 1000.0 / rows as f64;
            writeln!(text, "rail-{curve},{x:.6},{:.6}", 100.0 * curve as f64 + 0.02 * x + 20.0 * (x / 90.0).cos())
                .expect("a string");
        }
    }
    text
}

/// Every number of a text: what any reader has to do.
fn numbers(text: &str) -> f64 {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    text.split(|c| !number(c)).filter_map(|word| word.parse::<f64>().ok()).sum()
}

fn load(task: &Task, folder: &Path) -> Curve {
    curve_from_text(&format!("file = '{}'\n{}", task.file, task.keys), folder).expect("a curve")
}

/// As a scenario with several curves, which are looked at in pairs as well.
fn scenario(task: &Task, folder: &Path) -> Scenario {
    let keys = task.keys.replace('\n', ", ");
    let text = format!(
        "initial = {{ position = [-5, 20] }}\nball.radius = 0.001\nground.curve = {{ file = '{}', {keys} }}\n",
        task.file
    );
    Scenario::from_text(&text, folder, &[]).expect("a scenario")
}

fn main() {
    let folder = std::env::temp_dir().join(format!("kugelbahn-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let svg = |name, text, nodes, curves| Task {
        name,
        file: "drawing.svg",
        text,
        keys: "kind = 'svg'\npaths = 'all'",
        nodes,
        curves,
    };
    let tasks = [
        svg("Inkscape: 12 layers, 20 nodes each, 2 shapes", inkscape(12, 20), 240, 14),
        svg("Inkscape: 50 layers, 200 nodes each, 2 shapes", inkscape(50, 200), 10_000, 52),
        svg(
            "one path of 10 000 nodes",
            format!(
                "<svg width=\"9m\" height=\"1m\" viewBox=\"0 0 9000 1000\" xmlns=\"http://www.w3.org/2000/svg\"><path id=\"rail\" d=\"{}\"/></svg>",
                wave(10_000, [0.0, 500.0], 8000.0)
            ),
            10_000,
            1,
        ),
        Task {
            name: "CSV: 40 polylines of 250 points",
            file: "table.csv",
            text: table(40, 250),
            keys: "kind = 'csv'\nas = 'polyline'\ncurve-column = 'layer'",
            nodes: 10_000,
            curves: 40,
        },
    ];
    let mut table = Table::of("load");
    for task in &tasks {
        std::fs::write(folder.join(task.file), &task.text).expect("a file");
        let curve = load(task, &folder);
        let check = |curve: &Curve| {
            let facts = show::Facts::of(&curve.ground);
            let found = check::findings(curve, &facts, 0.001);
            check::check(curve, &facts, &found, 0.001, Style { colour: false })
        };
        assert_eq!(curve.ground.curves(), task.curves, "{}", task.name);
        let text = check(&curve);
        for (name, _) in &curve.curves {
            assert!(text.contains(&**name), "{name} is not in the check of {}", task.name);
        }
        let read = || assert!(numbers(&task.text).is_finite(), "numbers");
        let name = |what: &str| format!("{} ({} nodes): {what}", task.name, task.nodes);
        table.pair(&name("load over its numbers"), "", 1, || drop(load(task, &folder)), read);
        table.alone(&name("as a scenario"), "", 1, || drop(scenario(task, &folder)));
        table.alone(&name("check"), "300 ms", 1, || drop(check(&curve)));
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
    table.record();
}
