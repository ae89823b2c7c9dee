//! The reference pages of the book against what the program writes and says.

use crate::common::{DROP, Place, Table};

const OUTPUT: &str = include_str!("../../../../book/src/reference/output.md");
const COMMANDS: &str = include_str!("../../../../book/src/reference/commands.md");
const SWEEPS: &str = include_str!("../../../../book/src/reference/sweeps.md");
const SCENARIO: &str = include_str!("../../../../book/src/reference/scenario.md");

/// The names in the first column of the table below a line.
fn column<'a>(book: &'a str, below: &str) -> Vec<&'a str> {
    let (_, rest) = book.split_once(&format!("\n{below}\n")).unwrap_or_else(|| panic!("no line {below}"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect()
}

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn written(place: &Place, settings: &[&str]) -> serde_json::Value {
    let mut arguments = vec!["run", "scenario.toml", "--out", "out", "--quiet"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    place.write("scenario.toml", DROP);
    let outcome = place.kugelbahn(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&place.read("out/summary.json")).unwrap()
}

#[test]
fn columns_and_keys_of_a_run_are_those_of_the_book() {
    let place = Place::new();
    let summary = written(&place, &[]);
    assert_eq!(Table::read(&place, "out/events.csv").header, column(OUTPUT, "## `events.csv`"));
    assert_eq!(Table::read(&place, "out/trajectory.csv").header, column(OUTPUT, "## `trajectory.csv`"));
    assert_eq!(keys(&summary), column(OUTPUT, "## `summary.json`"));
    assert_eq!(keys(&summary["counts"]), column(OUTPUT, "### `counts`"));
    assert_eq!(keys(&summary["solver"]), column(OUTPUT, "### `solver`"));
}

/// What stands before the table of `solver`.
const STEPS: &str = "`numerical`. Its `balance` is that of [steps with events](../theory/time-stepping.md#what-it-reports). \
                     Its `counts` are `balls`, `events`, `impacts`, `landings`, `lift_offs`, and its `solver` is";

#[test]
fn columns_and_keys_of_time_stepping_are_those_of_the_book() {
    let place = Place::new();
    let summary = written(&place, &["solver.method=moreau", "solver.step=1e-3"]);
    let events = Table::read(&place, "out/events.csv").header;
    let known = column(OUTPUT, "## `events.csv`");
    let own: Vec<&str> = events.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
    assert_eq!(own, column(OUTPUT, "## Of time stepping"));
    let trajectory = Table::read(&place, "out/trajectory.csv").header;
    let mut known = column(OUTPUT, "## `trajectory.csv`");
    known.retain(|name| *name != "second_normal_force");
    assert!(known.iter().all(|name| trajectory.iter().any(|column| column == name)), "{trajectory:?}");
    let own: Vec<&str> = trajectory.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
    assert_eq!(own, column(OUTPUT, "These have no `second_normal_force` but"));
    assert_eq!(keys(&summary["solver"]), column(OUTPUT, STEPS));
    assert_eq!(keys(&summary["counts"]), ["balls", "events", "impacts", "landings", "lift_offs"]);
}

#[test]
fn columns_of_contacts_are_those_of_the_book() {
    let place = Place::new();
    written(&place, &["solver.method=moreau", "solver.step=1e-3", "output.contacts=true"]);
    assert_eq!(Table::read(&place, "out/contacts.csv").header, column(OUTPUT, "### `contacts.csv`"));
    written(&place, &[]);
    assert!(!place.path("out/contacts.csv").exists(), "the table of another run");
}

#[test]
fn keys_of_balls_event_by_event_are_those_of_the_book() {
    let place = Place::new();
    let summary = written(&place, &["solver.method=events", "solver.step=1e-3"]);
    let of_steps = column(OUTPUT, STEPS);
    let shared = of_steps.iter().skip_while(|key| **key != "largest_residual");
    let known: Vec<&str> = column(OUTPUT, "### Of balls event by event").into_iter().chain(shared.copied()).collect();
    assert_eq!(keys(&summary["solver"]), known);
}

/// Each option in the page is one of the command, and the common ones are those of all.
#[test]
fn options_of_the_book_are_those_of_the_commands() {
    let place = Place::new();
    let help = |command: &str| {
        let outcome = place.kugelbahn(&[command, "--help"]);
        assert_eq!(outcome.code, 0);
        outcome.stdout
    };
    let synopsis = COMMANDS.lines().filter_map(|line| line.strip_prefix("kugelbahn "));
    let mut options = 0;
    for line in synopsis {
        let command = line.split(' ').next().unwrap();
        let told = match command {
            "curves" => help("curves") + &place.kugelbahn(&["curves", "check", "--help"]).stdout,
            _ => help(command),
        };
        for option in line.split([' ', '[', ']', '|', '…']).filter(|word| word.starts_with("--")) {
            assert!(told.contains(option), "{command}: {option} of the book is not in\n{told}");
            options += 1;
        }
    }
    for option in column(
        COMMANDS,
        "`--help` after a command lists all of its options. Four are common to all but `curves`, `judge` and `live`:",
    ) {
        let option = option.split(' ').next().unwrap();
        for command in ["run", "compare", "converge", "fit", "aim"] {
            assert!(help(command).contains(option), "{command} {option}");
        }
        options += 1;
    }
    assert!(options > 20, "{options}");
}

/// The files that commands are said to write.
#[test]
fn a_run_writes_the_files_of_the_book() {
    let place = Place::new();
    written(&place, &[]);
    let line = COMMANDS.lines().find(|line| line.starts_with("| `run` |")).unwrap();
    let mut told: Vec<&str> = line.split('`').filter(|word| word.contains('.')).collect();
    told.sort_unstable();
    assert_eq!(place.files("out"), told);
}

/// Every complete scenario in the book's reference can be read.
#[test]
fn commands_in_the_scenario_page_run() {
    let place = Place::new();
    place.write("ball.toml", DROP);
    let line = SCENARIO.lines().find(|line| line.starts_with("kugelbahn run ball.toml")).unwrap();
    let arguments: Vec<&str> = line.split(' ').skip(1).collect();
    let outcome = place.kugelbahn(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

/// Keys of `[sweep]`, their options, and the columns of its tables.
#[test]
fn keys_and_columns_of_sweeps_are_those_of_the_book() {
    let place = Place::new();
    assert_eq!(column(SWEEPS, "## `[sweep]`"), kugelbahn::sweep::KEYS);
    let help = place.kugelbahn(&["sweep", "--help"]).stdout;
    assert!(kugelbahn::sweep::KEYS.iter().all(|key| help.contains(&format!("--{key} "))), "{help}");
    let arguments = ["sweep", "drop.toml", "--vary", "contact.restitution=0.5", "--observe", "events", "--out", "out"];
    assert_eq!(place.kugelbahn(&arguments).code, 0);
    let runs = Table::read(&place, "out/runs-000000.csv").header;
    let own: Vec<&str> = runs.iter().map(String::as_str).filter(|name| *name != "contact.restitution").collect();
    assert_eq!(own, column(SWEEPS, "## `runs`"));
    let events = Table::read(&place, "out/events-000000.csv").header;
    assert_eq!(events[0], "run");
    assert_eq!(events[1..], column(OUTPUT, "## `events.csv`"));
}
