//! `--figures` and `--figure-width`.

use std::process::Command;

use crate::common::{Place, Table};

const SCENARIO: &str = r#"
title = "A drop of <10 cm> & more, whose title is long enough to need a second line in a column"
[ball]
mass = 1.0
radius = 0.01
inertia = "solid-sphere"
[initial]
position = [0.0, 0.11]
velocity = [0.2, 0.0]
[ground]
curve = { kind = "graph", y = "0.05*sin(3*x)" }
[contact]
restitution = 0.6
friction = 0.2
[solver]
duration = 1.0
[output]
interval = 0.01
"#;

fn drawn(place: &Place, options: &[&str]) -> Vec<String> {
    let outcome = place.kugelbahn(&[&["run", "drop.toml", "--quiet", "--out", "out"], options].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    place.files("out")
}

/// Millimetres, and the x of all text with the width that it has at most.
fn measured(svg: &str) -> (f64, Vec<[f64; 2]>) {
    let number = |text: &str| text.split('"').next().unwrap().trim_end_matches("mm").parse::<f64>().unwrap();
    let attribute = |text: &str, name: &str| text.split_once(&format!("{name}=\"")).map(|(_, rest)| number(rest));
    let millimetres = attribute(svg, " width").unwrap();
    let texts = svg.split("<text x").skip(1).map(|text| {
        let x = number(&text[2..]);
        let size = attribute(text, "font-size").unwrap();
        let content = text.split_once('>').unwrap().1.split_once('<').unwrap().0;
        let content = content.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let wide = 0.64 * size * content.chars().count() as f64;
        assert!(size >= 6.0, "{size} points");
        if text.contains("\"middle\"") {
            [x - 0.5 * wide, x + 0.5 * wide]
        } else if text.contains("\"end\"") {
            [x - wide, x]
        } else {
            [x, x + wide]
        }
    });
    (millimetres, texts.collect())
}

#[test]
fn both_widths_have_all_text_in_them() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    for (width, points) in [("85", 85.0), ("175", 175.0)] {
        drawn(&place, &["--figure-width", width]);
        for name in ["path", "time"] {
            let (millimetres, texts) = measured(&place.read(&format!("out/{name}.svg")));
            assert_eq!(millimetres, points);
            assert!(texts.len() > 8);
            for [left, right] in texts {
                assert!(left >= 0.0 && right <= points / 25.4 * 72.0, "{name}, {width} mm: {left} {right}");
            }
        }
    }
}

#[test]
fn other_forms_of_another_run_go() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    let always = ["events.csv", "report.html", "summary.json", "trajectory.csv"];
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        let mut all = [&always[..], more].concat();
        all.sort_unstable();
        all
    };
    let script = ["plot-path.csv", "plot-time.csv", "plot.py"];
    assert_eq!(drawn(&place, &["--figures", "py"]), with(&script));
    assert_eq!(drawn(&place, &["--figures", "svg,py"]), with(&[&script[..], &["path.svg", "time.svg"]].concat()));
    assert_eq!(drawn(&place, &[]), with(&["path.svg", "time.svg"]));
    assert_eq!(drawn(&place, &["--no-figures"]), ["events.csv", "summary.json", "trajectory.csv"]);
    // Without a folder there are none to draw.
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--no-figures"]).code, 0);
}

#[test]
fn the_tables_of_a_script_have_the_run() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &["--figures", "py"]);
    let (rows, points) = (Table::read(&place, "out/trajectory.csv"), Table::read(&place, "out/plot-time.csv"));
    // The first line of the first diagram is the height.
    let (diagrams, lines) = (points.words("diagram"), points.words("line"));
    let drawn = points.numbers("x").into_iter().zip(points.numbers("y")).zip(diagrams.into_iter().zip(lines));
    let height: Vec<(f64, f64)> = drawn.filter(|(_, of)| *of == ("0", "0")).map(|(point, _)| point).collect();
    // It comes from dense output: more than the rows, and the same where both begin and end.
    let row: Vec<(f64, f64)> = rows.numbers("time").into_iter().zip(rows.numbers("y")).collect();
    assert!(height.len() > row.len());
    assert_eq!((height.first(), height.last()), (row.first(), row.last()));
    // What Python has is asked where there is one.
    let script = place.path("out/plot.py");
    match Command::new("python3")
        .args(["-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())"])
        .arg(script)
        .output()
    {
        Ok(parsed) => assert!(parsed.status.success(), "{}", String::from_utf8_lossy(&parsed.stderr)),
        Err(_) => println!("no python3 on this machine: plot.py was not parsed"),
    }
}

#[test]
#[cfg(not(feature = "png"))]
fn a_png_is_refused_with_its_cure_before_the_run() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    let outcome = place.kugelbahn(&["run", "drop.toml", "--out", "out", "--figures", "svg,png"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--features png"), "{}", outcome.stderr);
    assert!(!place.path("out").exists());
}

#[test]
#[cfg(feature = "png")]
fn a_png_has_300_dots_an_inch() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &["--figures", "png", "--figure-width", "85"]);
    for name in ["path", "time"] {
        let bytes = std::fs::read(place.path(&format!("out/{name}.png"))).unwrap();
        assert_eq!(&bytes[1..4], b"PNG");
        let wide = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
        assert!(wide.abs_diff((85.0 / 25.4 * 300.0) as u32) <= 5, "{wide} dots");
    }
}

#[test]
fn bad_widths_and_forms_are_refused() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    for (options, part) in [
        (&["--out", "out", "--figures", "jpg"][..], if cfg!(feature = "png") { "svg, png, py" } else { "svg, py" }),
        (&["--out", "out", "--figure-width", "90"], "85, 175"),
        (&["--figures", "svg"], "--out"),
        (&["--out", "out", "--figures", "svg", "--no-figures"], "cannot be used with"),
    ] {
        let outcome = place.kugelbahn(&[&["run", "drop.toml"], options].concat());
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
}

/// The text and the place (left, top) of each text of a drawing.
fn texts(svg: &str) -> Vec<(String, [f64; 2])> {
    let lines = svg.lines().filter(|line| line.starts_with("<text x"));
    let number = |line: &str, name: &str| {
        line.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    lines
        .map(|line| {
            let text = line.split_once('>').unwrap().1.split_once('<').unwrap().0;
            (text.to_owned(), [number(line, "x"), number(line, "y")])
        })
        .collect()
}

/// A drop on a plate has no force but in its impacts: the axis at the left was that of a force that is zero throughout.
#[test]
fn impulses_alone_have_the_axis() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &["--set", "solver.duration=0.3"]);
    let svg = place.read("out/time.svg");
    assert!(svg.contains(">impulse [N s]<") && !svg.contains("normal force λ"), "{svg}");
    // One that comes to lie has both.
    drawn(&place, &["--set", "contact.restitution=0.1"]);
    let svg = place.read("out/time.svg");
    assert!(svg.contains(">impulse [N s]<") && svg.contains("normal force λ"), "{svg}");
}

/// What moving ground puts in was not drawn, so that energies did not come to one sum.
#[test]
fn work_that_is_put_in_is_drawn() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &[]);
    assert!(!place.read("out/time.svg").contains("work put in"));
    drawn(&place, &["--set", "ground.motion={y=\"0.01*sin(30*t)\"}"]);
    assert!(place.read("out/time.svg").contains("work put in"));
}

/// Names beside places were in the order of the heights at which their lines end.
#[test]
fn names_of_a_path_stand_in_the_order_of_the_run() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &["--set", "contact.restitution=0.1"]);
    let all = texts(&place.read("out/path.svg"));
    let heights: Vec<f64> = ["ground", "flight", "rolling", "landing"]
        .into_iter()
        .flat_map(|name| all.iter().find(|(text, _)| text == name).map(|(_, at)| at[1]))
        .collect();
    assert!(heights.len() >= 3 && heights.is_sorted(), "{heights:?}");
}

/// At 85 mm an axis had two numbers, and names longer than the column were cut.
#[test]
fn a_column_has_room_for_names_and_ticks() {
    let place = Place::new();
    place.write("drop.toml", SCENARIO);
    drawn(&place, &["--figure-width", "85", "--set", "initial.velocity=[1.2, 0]"]);
    let all = texts(&place.read("out/path.svg"));
    let is_number = |text: &str| text.replace('−', "-").parse::<f64>().is_ok();
    // Numbers of the axis to the right stand on one line.
    let lowest = all.iter().filter(|(text, _)| is_number(text)).map(|(_, at)| at[1]).fold(0.0, f64::max);
    let beside = all.iter().filter(|(text, at)| is_number(text) && at[1] == lowest).count();
    assert!(beside >= 4, "{beside} numbers");
    let methods = "newmark:stabilized-index2:parabola,newmark:projected:parabola";
    let set = ["--set", "contact.restitution=0.1", "--steps", "1e-2,1e-3"];
    let compared =
        [&["compare", "drop.toml", "--methods", methods, "--quiet", "--out", "out", "--figure-width", "85"][..], &set];
    let outcome = place.kugelbahn(&compared.concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let (_, texts) = measured(&place.read("out/differences.svg"));
    for [left, right] in texts {
        assert!(left >= 0.0 && right <= 85.0 / 25.4 * 72.0, "{left} {right}");
    }
}

/// The frame around a ground was wider than what is drawn by a fifth of its size on all sides.
#[test]
fn the_drawing_of_a_check_ends_with_what_is_drawn() {
    let place = Place::new();
    place.write("step.toml", "kind = \"polyline\"\npoints = [[0, 0], [10, 0], [10, 1]]\n");
    let outcome = place.kugelbahn(&["curves", "check", "step.toml", "--svg", "step.svg"]);
    assert!(outcome.code < 2, "{}", outcome.stderr);
    let all = texts(&place.read("step.svg"));
    assert!(!all.iter().any(|(text, _)| text == "−2" || text == "12"), "{all:?}");
}
