//! Controls of the page: numbers of a scenario, formulas of its ground, points of its curves.

use std::f64::consts::TAU;

use scenario::Scenario;
use scenario::input::InputError;
use scenario::keys::{Key, unit_of, words_of};
use serde_json::{Value, json};

/// Tables whose numbers may be changed, in the order of the page, and what it calls them.
const TABLES: [(&str, &str); 7] = [
    ("contact", "Contact"),
    ("initial", "Start"),
    ("ball", "Ball"),
    ("ground", "Ground"),
    ("forces", "Forces"),
    ("solver", "Solver"),
    ("output", "Rows"),
];
/// Groups that are folded at first, like those of several balls.
const FOLDED: [&str; 2] = ["Solver", "Rows"];
/// The key of a count, a whole number.
const COUNT: &str = "count";
/// Keys of curves without a slider: counts and indices. Other keys without one are `fixed` in the table of keys.
const LEFT_OUT: [&str; 3] = ["degree", "crossing", "ground"];
/// Most numbers, and most parts of a list of them.
const MOST_NUMBERS: usize = 200;
/// Most points of a list that is changed.
const MOST_POINTS: usize = 2000;
/// Keys of a curve whose values are places, m: pairs, or lists of them.
const PLACES: [&str; 6] = ["from", "to", "at", "centre", "center", "points"];

/// Sliders of the keys of curves, by the end of the key: least and greatest value.
const CURVES: [(&str, [f64; 2]); 3] = [("from", [-TAU, TAU]), ("to", [-TAU, TAU]), (COUNT, [1.0, 10.0])];

/// Whether a path has no slider.
fn left_out(path: &[String]) -> bool {
    let name = path.last().map_or("", String::as_str);
    LEFT_OUT.contains(&name) || Key::within(&path.join(".")).is_some_and(|(key, _)| key.fixed)
}

/// Numbers, formulas and points of a scenario that can be changed.
#[derive(Debug, Default)]
pub(crate) struct Controls {
    numbers: Vec<(Vec<String>, f64)>,
    formulas: Vec<(Vec<String>, String)>,
    /// Places of curves: pairs, and lists of pairs, which can grow and shrink.
    places: Vec<(String, Value)>,
}

impl Controls {
    /// Collects the controls of a resolved scenario.
    pub(crate) fn of(resolved: &Value) -> Self {
        let mut found = Controls::default();
        // Common values come before those of each ball: an array `[[ball]]` comes last.
        let mut tables = TABLES.map(|(table, _)| table);
        tables.sort_by_key(|table| *table == "ball" && resolved[*table].is_array());
        for table in tables {
            found.walk(&mut vec![table.to_owned()], &resolved[table]);
        }
        // `beta` and `gamma` have values with `index3` alone.
        let without_weights = resolved["solver"]["formulation"] != "index3";
        found.numbers.retain(|(path, _)| {
            !(without_weights && path[0] == "solver" && ["beta", "gamma"].contains(&path[1].as_str()))
        });
        found.numbers.truncate(MOST_NUMBERS);
        found
    }

    fn walk(&mut self, path: &mut Vec<String>, value: &Value) {
        let name = path.last().cloned().unwrap_or_default();
        let of_curve = path.iter().any(|part| part == "curve");
        match value {
            Value::Number(number) if !left_out(path) => {
                self.numbers.extend(number.as_f64().map(|number| (path.clone(), number)));
            }
            Value::String(text) if formula(path) => self.formulas.push((path.clone(), text.clone())),
            Value::Array(list) if of_curve && PLACES.contains(&&*name) => {
                let are_places = is_place(value) || list.iter().all(is_place);
                self.places.extend(are_places.then(|| (path.join("."), value.clone())));
            }
            Value::Array(parts) => {
                // Balls count from 1, as on the command line.
                let first = usize::from(path[..] == ["ball"]);
                for (i, part) in parts.iter().enumerate().take(MOST_NUMBERS) {
                    let axis = if is_place(value) { ["x", "y"][i].to_owned() } else { (first + i).to_string() };
                    path.push(axis);
                    self.walk(path, part);
                    path.pop();
                }
            }
            // The content of a file is changed in that file.
            Value::Object(parts) if !parts.contains_key("file") => {
                for (key, part) in parts {
                    // Parameters and gates of the ground replace those of its outermost curve.
                    let outermost = name == "curve" && path.iter().filter(|part| *part == "curve").count() == 1;
                    path.push(key.clone());
                    if !(left_out(path) || outermost && ["parameters", "gates"].contains(&&**key)) {
                        self.walk(path, part);
                    }
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// Document of the controls for `page/live.js`.
    pub(crate) fn document(&self, scenario: &Scenario, resolved: &Value) -> Value {
        let counted = &scenario.curve.counts;
        // Curve that a start names by its key `ground`, if there are several.
        let named = |path: &[String]| {
            let beside: Vec<&str> = path[..path.len() - 1].iter().map(String::as_str).collect();
            let table = (0..beside.len()).try_fold(resolved, |table, depth| match table {
                Value::Array(entries) => entries.get(index(&beside, depth)?),
                table => table.get(beside[depth]),
            });
            table?.get("ground")?.as_str()
        };
        let number = |(path, value): &(Vec<String>, f64)| {
            let whole = path.iter().any(|part| part == "ground")
                && path.last().is_some_and(|name| name == COUNT || counted.contains(name));
            let ([low, high], decades) = match path.last().map(String::as_str) {
                Some("s") => (along(scenario, named(path)), false),
                _ if whole => range(&["ground", COUNT].map(str::to_owned), *value),
                _ => range(path, *value),
            };
            let key = path.join(".");
            json!({
                "words": words_of(&key), "unit": unit_of(&key), "group": group(path), "key": key, "value": value,
                "low": low.min(*value), "high": high.max(*value), "decades": decades && *value > 0.0, "whole": whole,
            })
        };
        let groups = TABLES.map(|(_, group)| group).into_iter().filter(|group| !FOLDED.contains(group));
        json!({
            "open": groups.collect::<Value>(),
            "controls": self.numbers.iter().map(number).collect::<Value>(),
            "formulas": self.formulas.iter().map(|(path, text)| {
                let key = path.join(".");
                json!({ "words": words_of(&key), "key": key, "value": text })
            }).collect::<Value>(),
            "places": self.places.iter().map(|(key, value)| json!({ "key": key, "value": value })).collect::<Value>(),
        })
    }

    /// Turns changes into settings `KEY=VALUE`. Refuses a change of anything but these numbers, formulas and places.
    pub(crate) fn settings(&self, resolved: &Value, changes: &[(String, Value)]) -> Result<Vec<String>, InputError> {
        let mut changed = resolved.clone();
        let mut touched: Vec<Vec<&str>> = Vec::new();
        for (key, value) in changes {
            let number = || value.as_f64().filter(|number| number.is_finite()).map(|number| json!(number));
            let is_number = self.numbers.iter().any(|(path, _)| path.join(".") == *key);
            let is_formula = self.formulas.iter().any(|(path, _)| path.join(".") == *key);
            let placed = || {
                let (_, old) = self.places.iter().find(|(known, _)| known == key)?;
                let list = || value.as_array().filter(|list| (2..=MOST_POINTS).contains(&list.len()));
                let alike = if is_place(old) { is_place(value) } else { list()?.iter().all(is_place) };
                alike.then(|| value.clone())
            };
            let text = || value.as_str().filter(|_| is_formula).map(|text| json!(text));
            let new = if is_number { number() } else { text().or_else(placed) };
            let parts: Vec<&str> = key.split('.').collect();
            let (Some(new), Some(old)) = (new, at(&mut changed, &parts)) else {
                return Err(InputError::without_place(format!("{key} can't be changed to {value}")));
            };
            *old = new;
            // A list of tables is set as a whole, ground and forces entry by entry, a pair with both numbers.
            let whole = match parts[0] {
                table if resolved[table].is_array() => 1,
                "ground" | "forces" => 2,
                _ => parts.len() - usize::from(matches!(parts.last(), Some(&("x" | "y")))),
            };
            let whole: Vec<&str> = parts.into_iter().take(whole).collect();
            if !touched.contains(&whole) {
                touched.push(whole);
            }
        }
        // Values of a ground's `contact` that equal those of `[contact]` are left out, so that they follow its changes.
        let contact = &resolved["contact"];
        let grounds = changed["ground"].as_array_mut().into_iter().flatten();
        for own in grounds.filter_map(|ground| ground["contact"].as_object_mut()) {
            own.retain(|key, value| contact[key] != *value);
        }
        let setting = |table: &Vec<&str>| {
            let value = table.iter().fold(&changed, |value, name| &value[*name]);
            format!("{}={}", table.join("."), inline(value))
        };
        // Balls that were made by `[[balls]]` are written out with the others then.
        let made = touched.iter().any(|table| table[..] == ["ball"]).then(|| "balls=[]".to_owned());
        Ok(touched.iter().map(setting).chain(made).collect())
    }
}

fn at<'a>(value: &'a mut Value, path: &[&str]) -> Option<&'a mut Value> {
    (0..path.len()).try_fold(value, |value, depth| match value {
        Value::Array(entries) => entries.get_mut(index(path, depth)?),
        value => value.get_mut(path[depth]),
    })
}

/// Index in a list that a part of a path names; balls count from 1, as on the command line.
fn index(path: &[&str], depth: usize) -> Option<usize> {
    match path[depth] {
        "x" => Some(0),
        "y" => Some(1),
        number if depth == 1 && path[0] == "ball" => number.parse::<usize>().ok()?.checked_sub(1),
        number => number.parse().ok(),
    }
}

fn is_place(value: &Value) -> bool {
    value.as_array().is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_number))
}

/// Whether the text at a path is a formula of the ground.
fn formula(path: &[String]) -> bool {
    let [.., above, name] = path else { return false };
    path[0] == "ground" && above == "curve" && matches!(name.as_str(), "x" | "y")
}

/// Group of a control: the name of its table, with the number of the ball if there are several.
fn group(path: &[String]) -> String {
    let name = TABLES.iter().find(|(table, _)| *table == path[0]).map_or("", |(_, name)| name);
    match path.get(1).filter(|_| path[0] == "ball").and_then(|index| index.parse::<usize>().ok()) {
        Some(ball) => format!("{name} {ball}"),
        None => name.to_owned(),
    }
}

/// Range of the parameter of the ground or of the curve `name`. An infinite end is replaced by that of the slider of
/// `initial.position`.
fn along(scenario: &Scenario, name: Option<&str>) -> [f64; 2] {
    let ground = scenario.scene.ground.ground();
    let far = Key::at("initial.position").and_then(|(key, _)| key.slider.first()).map_or([0.0; 2], |range| *range);
    let named = |curve: &usize| name.is_none() || scenario.curve.name(*curve) == name;
    let ends = (0..ground.curves()).filter(named).map(|curve| {
        let pieces = ground.pieces_of(curve);
        let [first, last] = [pieces.start, pieces.end - 1];
        let [lo, hi] = [(first, ground.piece(first).domain().lo), (last, ground.piece(last).domain().hi)]
            .map(|(piece, u)| ground.shown_parameter(piece, u));
        [if lo.is_finite() { lo } else { far[0] }, if hi.is_finite() { hi } else { far[1] }]
    });
    ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| [low.min(a).min(b), high.max(a).max(b)])
}

/// Range of a number: that of its key, else by its size; and whether its slider is logarithmic.
fn range(path: &[String], value: f64) -> ([f64; 2], bool) {
    let key = Key::within(&path.join("."));
    let known = key.and_then(|(key, entry)| key.slider.get(entry.unwrap_or(0)).or(key.slider.first()));
    let of_curve = || CURVES.iter().find(|(end, _)| path[0] == "ground" && path.last().is_some_and(|name| name == end));
    if let Some([low, high]) = known.or_else(|| of_curve().map(|(_, range)| range)) {
        return ([*low, *high], *low > 0.0 && *high >= 1e3 * *low);
    }
    let reach = if value == 0.0 { 1.0 } else { 3.0 * value.abs() };
    ([if value > 0.0 { 0.05 * value } else { -reach }, reach], false)
}

/// A value as TOML in one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("{} = {}", Value::from(key.as_str()), inline(value));
            format!("{{ {} }}", entries.iter().filter(|(_, v)| !v.is_null()).map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use scenario::{Document, Methods, Scenario};

    use super::*;

    fn scenario(file: &Path, settings: &[String]) -> Result<Value, InputError> {
        let methods = Arc::new(Methods::builtin());
        Ok(Scenario::of(&Document::load(file, settings, &methods)?)?.resolved())
    }

    /// Each number of each scenario of the gallery is changed a little: the scenario says so, and nothing else, or why
    /// it can't be.
    #[test]
    fn a_change_changes_that_number_alone() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files: Vec<_> = std::fs::read_dir(top.join("scenarios")).unwrap().map(|e| e.unwrap().path()).collect();
        let experiments = std::fs::read_dir(top.join("experiments/src/bin")).unwrap();
        files.extend(experiments.map(|entry| entry.unwrap().path().join("scenario.toml")));
        let (mut changed, mut refused) = (0, Vec::new());
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "toml") && file.exists()) {
            let Ok(resolved) = scenario(file, &[]) else { panic!("{}", file.display()) };
            let controls = Controls::of(&resolved);
            // Together, so that pieces that meet still do.
            let moved = |(key, value): &(String, Value)| {
                let moved = |place: &Value| json!([place[0].as_f64().unwrap() + 0.25, place[1]]);
                let list = || value.as_array().unwrap().iter().map(moved).collect();
                (key.clone(), if is_place(value) { moved(value) } else { list() })
            };
            let places: Vec<(String, Value)> = controls.places.iter().map(moved).collect();
            let numbers = controls.numbers.iter().map(|(path, value)| {
                let new = if *value == 0.0 { 1e-4 } else { value * (1.0 - 1e-6) };
                vec![(path.join("."), json!(new))]
            });
            for changes in numbers.chain([places]).filter(|changes| !changes.is_empty()) {
                let (key, new) = &changes[0];
                let path: Vec<&str> = key.split('.').collect();
                let settings = controls.settings(&resolved, &changes).unwrap();
                match scenario(file, &settings) {
                    Ok(mut found) => {
                        let Some(there) = at(&mut found, &path).cloned() else { panic!("{} {key}", file.display()) };
                        let near = |(there, new): (f64, f64)| (there - new).abs() <= 1e-12;
                        let is_new = there.as_f64().zip(new.as_f64()).map_or(there == *new, near);
                        assert!(is_new, "{} {key}: {there} and not {new}", file.display());
                        // Tables whose defaults follow: rows the duration; grounds the default contact; starts and
                        // balls put where there is room the ground.
                        let follows: &[&str] = match path[0] {
                            "solver" => &["output"],
                            "contact" => &["ground"],
                            "ground" if resolved["ball"].is_array() => &["initial", "ball"],
                            "ground" => &["initial"],
                            _ => &[],
                        };
                        let own = [&[path[0]], follows].concat();
                        let count = |all: &Value| all["ball"].as_array().map(Vec::len);
                        assert_eq!(count(&found), count(&resolved), "{} {key}", file.display());
                        for (table, _) in TABLES.iter().filter(|(table, _)| !own.contains(table)) {
                            assert_eq!(found[table], resolved[table], "{} {key}", file.display());
                        }
                        changed += 1;
                    }
                    Err(error) => refused.push(format!("{} {key}: {error}", file.display())),
                }
            }
        }
        println!("{changed} numbers; refused: {refused:#?}");
        assert!(changed > 500 && refused.len() < changed / 20, "{changed} {refused:#?}");
    }

    /// A parameter that is a count is whole in a profile, in a piece of a curve and in a curve within a curve.
    #[test]
    fn parameters_that_count_are_whole() {
        let part = "{ curve = \"loop\", parameters = { loops = 2, lead = 0.3 } }";
        let nested = format!("{{ kind = \"composite\", pieces = [{part}] }}");
        for (ground, key) in [
            ("curve = \"loop\"\nparameters = { loops = 2, lead = 0.3 }".to_owned(), "ground.parameters"),
            (format!("curve = {nested}"), "ground.curve.pieces.0.parameters"),
            (format!("curve = {{ kind = \"transform\", scale = 2, curve = {part} }}"), "ground.curve.curve.parameters"),
        ] {
            let text = format!("[initial]\ncontact = {{ s = 0.1 }}\n[ground]\n{ground}\n");
            let document = Document::from_text(&text, Path::new(""), &[], &Arc::new(Methods::builtin())).unwrap();
            let scenario = Scenario::of(&document).unwrap();
            let resolved = scenario.resolved();
            let shown = Controls::of(&resolved).document(&scenario, &resolved);
            for (name, whole) in [("loops", true), ("lead", false)] {
                let key = format!("{key}.{name}");
                let control = shown["controls"].as_array().unwrap().iter().find(|control| control["key"] == *key);
                assert_eq!(control.unwrap()["whole"], whole, "{key}");
            }
        }
    }
}
