//! Cells in place of rows say what the rows would have said.

use std::collections::BTreeMap;

use sweep::{Request, Store, SweepError, status, summaries, verify};

use crate::{HILLS, make, merged, strings, sweep_of};

fn request(reduce: &[&str]) -> Request {
    Request {
        vary: strings(&["contact.restitution=0.1..0.9/4", "initial.velocity.x=0..1/60"]),
        observe: strings(&["end.x", "impact.3.x", "end.phase"]),
        reduce: strings(reduce),
        chunk: Some(50),
        ..Request::default()
    }
}

const REDUCE: [&str; 2] = ["end.x=0..1/7, contact.restitution", "end.phase, impact.3.x=log:0.2..0.8/3"];

/// Lines of a merged table, by the names of columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap_or(f64::NAN)
}

#[test]
fn cells_hold_what_rows_come_to_whatever_made_them() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    make(&sweep_of(HILLS, request(&[])).unwrap(), folders[0].path(), 1, 2);
    let sweep = sweep_of(HILLS, request(&REDUCE)).unwrap();
    make(&sweep, folders[1].path(), 1, 1);
    make(&sweep, folders[2].path(), 3, 2);
    let all = rows(&merged(&[folders[0].path()], "runs"));
    let text = merged(&[folders[1].path()], "cells");
    assert_eq!(text, merged(&[folders[2].path()], "cells"));
    // A chunk that is lost is made again.
    std::fs::remove_file(folders[2].path().join("cells-2-000003.csv")).unwrap();
    make(&sweep, folders[2].path(), 1, 1);
    assert_eq!(merged(&[folders[1].path()], "cells-2"), merged(&[folders[2].path()], "cells-2"));
    let mut seen = 0.0;
    for cell in rows(&text) {
        let [from, to] = ["end.x from", "end.x to"].map(|end| number(&cell, end));
        let inside = |row: &&BTreeMap<String, String>| {
            let x = number(row, "end.x");
            let upper = x < to || x == to && to == 1.0 && from < 1.0;
            row["contact.restitution"] == cell["contact.restitution"] && from <= x && upper && (from < 1.0 || x > 1.0)
        };
        let own: Vec<_> = all.iter().filter(inside).collect();
        assert_eq!(own.len() as f64, number(&cell, "runs"), "{cell:?}");
        seen += number(&cell, "runs");
        for name in ["end.x", "impact.3.x"] {
            let values: Vec<f64> = own.iter().map(|row| number(row, name)).filter(|value| !value.is_nan()).collect();
            let count = values.len() as f64;
            assert_eq!(number(&cell, &format!("{name} runs")), count);
            let mean = values.iter().sum::<f64>() / count;
            let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let deviation = if count < 2.0 { f64::NAN } else { (squares / (count - 1.0)).sqrt() };
            for (what, found) in [("mean", mean), ("deviation", deviation)] {
                let told = number(&cell, &format!("{name} {what}"));
                assert!((told - found).abs() < 1e-12 || told.is_nan() && found.is_nan(), "{told} {found}");
            }
            let least = values.iter().copied().reduce(f64::min);
            assert!(least.is_none_or(|least| least == number(&cell, &format!("{name} least"))));
        }
    }
    assert_eq!(seen, 240.0);
    let layouts = [0, 1].map(|i| Store::read(&[folders[i].path().to_path_buf()]).unwrap());
    let [by_rows, by_cells] = layouts.map(|(store, layout)| {
        assert_eq!(verify(&store.sweep(&std::sync::Arc::default()).unwrap(), &store, 3).unwrap().missing, 0);
        (summaries(&layout, &store).unwrap(), status(&layout, &store).unwrap().tally)
    });
    assert_eq!(by_rows.1, by_cells.1);
    for (name, rows) in &by_rows.0 {
        let cells = &by_cells.0[name];
        assert_eq!((rows.count, rows.missing, rows.quantiles), (cells.count, cells.missing, cells.quantiles), "{name}");
        assert!((rows.mean - cells.mean).abs() < 1e-12 && (rows.deviation - cells.deviation).abs() < 1e-12);
    }
}

/// Two million runs keep rows of some 2^18 of them, and take a number of cells that does not grow.
#[test]
fn rows_that_stay_do_not_grow_with_runs_and_cells_that_would_are_refused() {
    let many =
        Request { vary: strings(&["initial.velocity.x=0..1/2000000"]), chunk: None, ..request(&["end.x=0..1/50"]) };
    let sweep = sweep_of(HILLS, many).unwrap();
    assert_eq!((sweep.layout.chunks(), sweep.layout.chunk), (512, 3907));
    for (reduce, why) in [
        ("end.x", "another value in each run"),
        ("reason", "another value in each run"),
        ("end.y=0..1/5", "no column"),
        ("end.phase=0..1/5", "is a word"),
        ("end.x=1..0/5", "from one number to a larger one"),
        ("end.x=0..1/5, end.x=0..2/5", "stands twice"),
        ("end.x=0..1/2000, impact.3.x=0..1/2000", "are more than"),
        ("end.x=0..1/18446744073709551615", "are more than"),
    ] {
        match sweep_of(HILLS, request(&[reduce])) {
            Err(SweepError::Input(error)) => assert!(error.to_string().contains(why), "{reduce}: {error}"),
            other => panic!("{reduce}: {other:?}"),
        }
    }
    let events = Request { observe: strings(&["events"]), ..request(&["exit"]) };
    assert!(matches!(sweep_of(HILLS, events), Err(SweepError::Input(_))));
}
