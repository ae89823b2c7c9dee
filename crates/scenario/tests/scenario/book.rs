//! The keys of scenario files as the book has them, against the reader.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scenario::Scenario;

const BOOK: &str = include_str!("../../../../book/src/reference/scenario.md");

const CURVE: &str = "[ground]\ncurve = { kind = \"graph\", y = \"0\" }\n";
const IN_FLIGHT: &str = "initial.position=[0.0, 1.0]";
const ON_GROUND: &str = "initial.contact.x=0";

/// Rows of the tables below a heading that names a table of the file: key and default.
fn book() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut tables: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut table = None;
    for line in BOOK.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            let name = heading.trim_start_matches('#').trim();
            let inner = name.strip_prefix("`[").and_then(|name| name.strip_suffix("]`"));
            table = inner.or((name == "Top level").then_some("")).map(str::to_owned);
        }
        let cells: Vec<&str> = line.split(" | ").collect();
        if let (Some(table), [key, _, _, default, ..]) = (&table, cells.as_slice())
            && let Some(key) = key.strip_prefix("| `").and_then(|key| key.strip_suffix('`'))
        {
            tables.entry(table.clone()).or_default().insert(key.to_owned(), (*default).to_owned());
        }
    }
    tables
}

fn read(settings: &[&str]) -> Result<Scenario, scenario::input::InputError> {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    Scenario::from_text(CURVE, Path::new(""), &settings)
}

/// What the reader says it knows in a table, with these settings.
fn known(table: &str, settings: &[&str]) -> BTreeSet<String> {
    let nonsense = match table {
        "" => "qqqqqq=1".to_owned(),
        // A list of tables.
        "[balls]" => "balls=[{count=1, random={from=[0,1], to=[1,2]}, qqqqqq=1}]".to_owned(),
        "[watch]" => "watch=[{name=\"a\", x=1, qqqqqq=1}]".to_owned(),
        _ => format!("{table}.qqqqqq=1"),
    };
    let error = read(&[settings, &[nonsense.as_str()]].concat()).unwrap_err();
    let help = error.help_text().unwrap_or_default();
    let list = help.split_once("known here: ").map(|(_, list)| list.trim_end_matches(')'));
    list.unwrap_or_else(|| panic!("[{table}]: {error} {help}")).split(", ").map(str::to_owned).collect()
}

#[test]
fn the_book_has_the_keys_that_the_reader_knows() {
    let mut keys = 0;
    for (table, rows) in book() {
        let ways: &[&[&str]] = match table.as_str() {
            "initial" => &[&[IN_FLIGHT], &[ON_GROUND]],
            "initial.contact" => &[&[ON_GROUND]],
            "solver" => &[&[IN_FLIGHT], &[IN_FLIGHT, "solver.method=moreau", "solver.step=1e-3"]],
            "[balls]" => &[&[]],
            "ground.motion" => &[&[IN_FLIGHT, "ground.motion.x=0"]],
            "forces.drag" => &[
                &[IN_FLIGHT, "forces.drag.coefficient=0"],
                &[IN_FLIGHT, "forces.drag.cd=1", "forces.drag.density=1", "forces.drag.area=1"],
            ],
            _ => &[&[IN_FLIGHT]],
        };
        let reader: BTreeSet<String> = ways.iter().flat_map(|settings| known(&table, settings)).collect();
        let book: BTreeSet<String> = rows.keys().cloned().collect();
        assert_eq!(book, reader, "[{table}]: the book, and what the reader knows");
        keys += book.len();
    }
    assert!(keys > 70, "{keys} keys found in the book");
}

#[test]
fn the_defaults_of_the_book_hold() {
    let resolved = |settings: &[&str]| read(&[&[IN_FLIGHT], settings].concat()).unwrap().resolved();
    let runs = [
        resolved(&[]),
        resolved(&["solver.method=moreau", "solver.step=1e-3"]),
        resolved(&["ball.radius=0.1", "contact.law=hertz", "contact.stiffness=1"]),
        resolved(&["ball.radius=0.1", "contact.law=hunt-crossley", "contact.stiffness=1"]),
    ];
    let mut checked = 0;
    for (table, rows) in book() {
        for (key, default) in rows {
            let path: Vec<&str> = table.split('.').filter(|part| !part.is_empty()).chain([key.as_str()]).collect();
            let default = default.trim_matches('`');
            let expected: serde_json::Value = match serde_json::from_str(default) {
                Ok(value) => value,
                Err(_) => continue,
            };
            let of =
                |run: &serde_json::Value| path.iter().try_fold(run.clone(), |value, part| value.get(*part).cloned());
            // What is set above is no default.
            let set = if path == ["contact", "law"] { runs.len() } else { 0 };
            let found: Vec<serde_json::Value> = runs[set..].iter().filter_map(of).collect();
            let same = |value: &serde_json::Value| match (value.as_f64(), expected.as_f64()) {
                (Some(a), Some(b)) => a == b,
                _ => match (value.as_array(), expected.as_array()) {
                    (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| a.as_f64() == b.as_f64()),
                    _ => *value == expected,
                },
            };
            // A name may stand for a number, as that of an inertia does, and a number for a vector.
            let kind = |value: &serde_json::Value| (value.is_number(), value.is_array(), value.is_string());
            if found.iter().any(|value| kind(value) != kind(&expected)) {
                continue;
            }
            assert!(found.is_empty() || found.iter().any(same), "{table}.{key}: {expected} in the book, {found:?}");
            checked += usize::from(!found.is_empty());
        }
    }
    assert!(checked > 25, "{checked} defaults checked");
}
