//! Files of `kugelbahn aim`.

use serde_json::{Value, json};

use super::aimed::{Aimed, End};
use super::goal::Wish;

/// Files that `--out` receives: the result, and the scenario with the numbers found.
pub const AIM_FILES: [&str; 2] = ["aim.json", "aimed.toml"];

/// `aim.json`
pub fn aim_json(aimed: &Aimed) -> String {
    let goals: Vec<Value> = aimed
        .goals
        .iter()
        .zip(&aimed.readings)
        .map(|(goal, reading)| {
            let (wish, asked) = match goal.wish {
                Wish::Equal(value) => ("equal", Some(value)),
                Wish::Least => ("least", None),
                Wish::Greatest => ("greatest", None),
            };
            json!({ "quantity": goal.name, "wish": wish, "asked": asked, "value": reading.value, "time": reading.time })
        })
        .collect();
    let free: Vec<Value> = aimed
        .numbers
        .iter()
        .map(|n| json!({ "key": n.key, "given": n.given, "start": n.start, "value": n.value, "at_bound": n.held, "no_effect": n.idle }))
        .collect();
    let all = json!({
        "goals": goals,
        "reached": aimed.reached,
        "end": aimed.end.as_ref().map(End::name),
        "cut_off_by_the_end_of_the_run": aimed.cut,
        "free": free,
        "settings": aimed.settings,
        "way": aimed.way.name(),
        "runs": aimed.runs,
        "history": aimed.history,
        "scenario": aimed.scenario.resolved(),
    });
    format!("{all:#}\n")
}
