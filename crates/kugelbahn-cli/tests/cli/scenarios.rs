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
