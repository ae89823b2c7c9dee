//! Terminal output and files of `kugelbahn aim`.

use std::fmt::Write;

use identify::Reading;
use report::terminal::{Style, name_width, short_name};
use scenario::input::counted;
use serde_json::{Value, json};

use super::aimed::{Aimed, ExtremeEnd, FoundNumber, digits, shown};
use super::goal::{Goal, Wish};

/// Text for the terminal: goals, numbers found, and the command that runs them.
pub fn aim_report(aimed: &Aimed, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}\n", style.bold(&aimed.scenario.title));
    goals(&mut out, aimed, style);
    numbers(&mut out, aimed, style);
    let [_, how] = aimed.way.words();
    let _ = writeln!(out, "\n{}", style.faint(&format!("found in {}, {how}", counted(aimed.runs as u64, "run"))));
    if aimed.moved() > aimed.goals.len() && !aimed.is_extreme() {
        let text = format!("{} numbers are free for {} target(s): others do as well", aimed.moved(), aimed.goals.len());
        let _ = writeln!(out, "{}", style.faint(&text));
    }
    if aimed.is_extreme() && aimed.reached {
        let _ = writeln!(out, "{}", style.faint("an extreme near the start; another start may lead to a better one"));
    }
    let settings: Vec<String> = aimed.settings.iter().map(|setting| format!("--set '{setting}'")).collect();
    let _ = writeln!(out, "\nto run it so: {}", settings.join(" "));
    out
}

fn goals(out: &mut String, aimed: &Aimed, style: Style) {
    let width = name_width(0, aimed.goals.iter().map(|goal| &goal.name));
    for (goal, reading) in aimed.goals.iter().zip(&aimed.readings) {
        let value = format!("{:<width$}  {}", short_name(&goal.name), shown(reading.value));
        let at = style.faint(&format!("at t = {} s", shown(reading.time)));
        let wish = match goal.wish {
            Wish::Equal(asked) if aimed.reached => format!("as asked: {}", shown(asked)),
            Wish::Equal(asked) => {
                style.alarm(&format!("asked for {}, off by {}", shown(asked), digits(reading.value - asked, 4)))
            }
            _ if !aimed.reached => style.alarm("so far"),
            Wish::Least if aimed.cut => "least of a run so long".to_owned(),
            Wish::Greatest if aimed.cut => "greatest of a run so long".to_owned(),
            Wish::Least => "least".to_owned(),
            Wish::Greatest => "greatest".to_owned(),
        };
        let _ = writeln!(out, "{value}  {wish}  {at}");
    }
    if let Some(end) = aimed.end.as_ref().filter(|_| aimed.reached) {
        let _ = writeln!(out, "{}", end.text(aimed));
    }
    out.push('\n');
}

fn numbers(out: &mut String, aimed: &Aimed, style: Style) {
    let width = name_width("free".len(), aimed.numbers.iter().map(|n| &n.key));
    let _ = writeln!(out, "{}", style.bold(&format!("{:<width$}  {:<16} {}", "free", "start", "found")));
    for number in &aimed.numbers {
        let held = number.held.map_or(String::new(), |_| format!("  {}", style.alarm("at its bound")));
        let (key, start) = (short_name(&number.key), shown(number.start));
        let _ = writeln!(out, "{key:<width$}  {start:<16} {}{held}", shown(number.value));
    }
    for number in aimed.numbers.iter().filter(|number| number.start != number.given) {
        let (given, start) = (shown(number.given), shown(number.start));
        let _ = writeln!(out, "{} = {given} of the scenario is not in its range: started at {start}", number.key);
    }
    let names: Vec<&str> = aimed.goals.iter().map(|goal| goal.name.as_str()).collect();
    for number in aimed.numbers.iter().filter(|number| number.idle) {
        let _ =
            writeln!(out, "{} has no effect on {}: left at {}", number.key, names.join(" or "), shown(number.value));
    }
}

/// Files that `--out` receives: the result, and the scenario with the numbers found.
pub const AIM_FILES: [&str; 2] = ["aim.json", "aimed.toml"];

/// Text of `aim.json`.
pub fn aim_json(aimed: &Aimed) -> String {
    let goal = |(goal, reading): (&Goal, &Reading)| {
        let (wish, asked) = match goal.wish {
            Wish::Equal(value) => ("equal", Some(value)),
            Wish::Least => ("least", None),
            Wish::Greatest => ("greatest", None),
        };
        json!({ "quantity": goal.name, "wish": wish, "asked": asked, "value": reading.value, "time": reading.time })
    };
    let number = |n: &FoundNumber| {
        json!({ "key": n.key, "given": n.given, "start": n.start, "value": n.value, "at_bound": n.held,
                "no_effect": n.idle })
    };
    let all = json!({
        "goals": aimed.goals.iter().zip(&aimed.readings).map(goal).collect::<Value>(),
        "reached": aimed.reached,
        "end": aimed.end.as_ref().map(ExtremeEnd::name),
        "cut_off_by_the_end_of_the_run": aimed.cut,
        "free": aimed.numbers.iter().map(number).collect::<Value>(),
        "settings": aimed.settings,
        "way": aimed.way.name(),
        "runs": aimed.runs,
        "history": aimed.history,
        "scenario": aimed.scenario.resolved(),
    });
    format!("{all:#}\n")
}
