//! The scenarios of the folder `scenarios/`, and what a watch changes in a figure.

use crate::common::{Place, profiles};

/// Each runs to its end and explains its energy.
#[test]
fn every_scenario_runs() {
    let folder = profiles().parent().unwrap().join("scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let place = Place::new();
        let outcome = place.kugelbahn(&["run", path.to_str().unwrap(), "--out", "out", "--no-figures"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{}", path.display());
        let told: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        let energy = &told["energy"];
        let size = energy["start"]["total"].as_f64().unwrap().abs().max(1e-3);
        let unexplained = energy["unexplained"].as_f64().unwrap();
        assert!(unexplained.abs() < 1e-7 * size, "{}: {unexplained:e} J of {size:e}", path.display());
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

/// A watch is no corner of the path: the figure is the same with it.
#[test]
fn a_watch_leaves_the_path_as_it_is() {
    let place = Place::new();
    let draw = |more: &str| {
        let throw = "initial = { position = [0, 1], velocity = [1, 2] }\nground.curve = { kind = \"graph\", y = 0 }\nsolver.duration = 0.4\n";
        place.write("throw.toml", format!("{throw}{more}"));
        let outcome = place.kugelbahn(&["run", "throw.toml", "--out", "out"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        place.read("out/path.svg")
    };
    assert_eq!(draw(""), draw("watch = [{ name = \"gate\", x = 0.25 }]\n"));
}

/// Three hundred balls through the Galton board: each comes out at its floor, and none gains energy.
#[test]
fn galton_board() {
    let place = Place::new();
    let board = profiles().parent().unwrap().join("scenarios/galton.toml");
    let sample = ["--sample", "initial.position.x ~ normal(0, 1e-3)", "--count", "300", "--observe", "watch.floor.1.x"];
    let swept = place.kugelbahn(&[&["sweep", board.to_str().unwrap(), "--out", "out"], &sample[..]].concat());
    assert_eq!((swept.code, swept.stderr.as_str()), (0, ""));
    assert_eq!(place.kugelbahn(&["sweep", "merge", "out", "-o", "all.csv"]).code, 0);
    let rows = crate::common::Table::read(&place, "all.csv");
    let out = rows.numbers("watch.floor.1.x");
    assert!(out.len() == 300 && out.iter().all(|x| x.abs() < 0.18), "{out:?}");
    assert!(rows.numbers("unexplained").iter().all(|energy| energy.abs() < 1e-12));
    assert!(rows.numbers("impacts").iter().all(|impacts| *impacts >= 5.0));
}

/// The figure shows planks to their ends, and a lift where it has been when something happened.
#[test]
fn figures_show_the_track() {
    let place = Place::new();
    let plotted = |scenario: &str| {
        let path = profiles().parent().unwrap().join("scenarios").join(scenario);
        let outcome = place.kugelbahn(&["run", path.to_str().unwrap(), "--out", "out", "--figures", "py", "--quiet"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let script = place.read("out/plot.py");
        let numbers = script.split_once("\"extent\": [").unwrap().1.split_once(']').unwrap().0;
        let extent: Vec<f64> = numbers.split(',').map(|number| number.trim().parse().unwrap()).collect();
        (extent, script)
    };
    // From plank 3 to plank 2.
    let (extent, _) = plotted("zigzag.toml");
    assert!(extent[0] < -1.7 && extent[1] > 3.6, "{extent:?}");
    // The lift's wall at -0.2 m, and the lift at its top.
    let (extent, script) = plotted("lift.toml");
    assert!(extent[0] < -0.2 && extent[1] > 1.5, "{extent:?}");
    assert!(script.contains("\"ground at t = 0\"") && script.contains("\"ground at events\""));
    let points = place.read("out/plot-path.csv");
    let level =
        points.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>());
    let raised =
        level.filter(|row| row[0] == 0.0 && (-0.01..0.31).contains(&row[2]) && (0.75..0.801).contains(&row[3]));
    assert!(raised.count() > 0, "no line of the lift at its top");
}
