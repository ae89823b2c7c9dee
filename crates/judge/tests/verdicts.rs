//! Answers that are right, off, missing, doubled, broken or endless are told as what they are.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use std::io::{BufReader, Read};
use std::sync::{Arc, LazyLock};

use judge::{
    About, AfterZeno, Answer, CaseVerdict, JudgeError, JudgedEntry, Suite, figures, judge, ours, overview, read_about,
    read_sheets, table,
};
use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};
use proptest::prelude::*;
use scenario::Methods;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::built_in().unwrap());

/// Exact answers of all cases in the form of an entry.
static EXACT: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for task in &SUITE.tasks {
        for series in &task.series {
            let told = series
                .times
                .iter()
                .enumerate()
                .map(|(i, time)| format!("{},a,{},{},{time:?}", task.name, series.quantity, i + 1));
            lines.extend(told);
            if series.times.is_empty() {
                lines.push(format!("{},a,{},,none", task.name, series.quantity));
            }
        }
        lines.extend(
            task.exact
                .iter()
                .map(|exact| format!("{},a,{},{},{:?}", task.name, exact.quantity, exact.index, exact.value)),
        );
    }
    lines
});

fn entry(lines: &[String]) -> JudgedEntry {
    let text = format!("case,setting,quantity,index,value\n{}\n", lines.join("\n"));
    let about = About { name: "A".to_owned(), ..About::default() };
    JudgedEntry::of(&SUITE, about, read_sheets(&SUITE, text.as_bytes()).unwrap())
}

fn verdicts(lines: &[String]) -> Vec<CaseVerdict> {
    entry(lines).verdicts
}

/// Kugelbahn's own answers to cases of one flight each.
static OURS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let few = ["1", "3", "8", "9", "11", "14a", "16c"];
    let tasks = SUITE.tasks.iter().filter(|task| few.contains(&&*task.name)).cloned().collect();
    let text = ours(&Suite { tasks }, &Arc::new(Methods::builtin()), "newmark", false).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
});

fn refused(text: &str) -> (u64, u64, String) {
    match read_sheets(&SUITE, text.as_bytes()) {
        Err(JudgeError::Broken { complaints, count }) => {
            (complaints[0].line, count, format!("{} {}", complaints[0].message, complaints[0].help))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn twenty_cases_are_there_and_exact_answers_are_exact() {
    let numbers: std::collections::BTreeSet<_> =
        SUITE.tasks.iter().map(|task| task.name.trim_end_matches(char::is_alphabetic)).collect();
    assert_eq!(numbers.len(), 20);
    assert!(SUITE.tasks.iter().all(|task| !task.scenario.is_empty()));
    for verdict in verdicts(&EXACT) {
        assert!(
            verdict.events.iter().all(|events| (events.missed, events.heard.invented, events.error) == (0, 0, 0.0)),
            "{verdict:?}"
        );
        for worst in [verdict.states, verdict.forces, verdict.numbers, verdict.grown] {
            assert!(worst.error == 0.0 && worst.given == worst.asked, "{verdict:?}");
        }
        assert!(verdict.after.is_none_or(|after| after == AfterZeno::Right));
    }
}

/// Within a bound: 1e-10 for events and states per condition (runs to 1e-12), 1e-9 where a case is by time stepping. As Kugelbahn comes, all cases; a method
/// those that it runs: not several balls, nor derivatives.
#[test]
fn ours_meets_the_answers() {
    let long = std::env::var_os("KUGELBAHN_CASES").is_some();
    for method in if long { &["newmark", "dop853", "radau", "taylor", "auto"][..] } else { &["newmark", "auto"] } {
        let text = ours(&SUITE, &Arc::new(Methods::builtin()), method, long).unwrap();
        let found = judge(&SUITE, &read_sheets(&SUITE, text.as_bytes()).unwrap());
        assert_eq!(found.len(), SUITE.tasks.len());
        for verdict in found {
            let name = format!("{method}: {verdict:?}");
            let runs = !["12", "14d", "18", "19", "20"].iter().any(|case| verdict.task.starts_with(case));
            assert_eq!(verdict.tells(), runs || method == &"auto", "{name}");
            for events in verdict.events.iter().filter(|events| events.heard.given != Some(false)) {
                assert!(
                    events.heard.given == Some(true)
                        && (events.missed, events.heard.invented) == (0, 0)
                        && events.conditioned <= 1e-10,
                    "{name}"
                );
            }
            let bound = if verdict.task.starts_with("12") || verdict.task.starts_with("18") { 1e-9 } else { 1e-10 };
            for worst in [verdict.states, verdict.forces] {
                assert!(
                    worst.given + worst.not_applicable == worst.asked
                        && worst.undefined == 0
                        && worst.conditioned <= bound,
                    "{name}"
                );
            }
            assert!(verdict.numbers.error <= 1e-9 && verdict.grown.error <= 0.0, "{name}");
            assert!(verdict.after.is_none_or(|after| after == AfterZeno::Right), "{name}");
            assert!(!matches!(verdict.unexplained, Answer::Given(energy) if energy > 1e-8), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: proptest::test_runner::RngSeed::Fixed(56), failure_persistence: None, ..ProptestConfig::default() })]

    /// One answer off by 1e-6, one event left out, one told twice: that, and nothing else, is told, whatever the order of the lines.
    #[test]
    fn a_change_is_told_as_what_it_is(chosen in 0_usize..100_000, change in 0..3, turn in 0_usize..1000) {
        let mut lines = EXACT.clone();
        let events: Vec<usize> = (0..lines.len()).filter(|at| {
            let field: Vec<&str> = lines[*at].split(',').collect();
            SUITE.tasks.iter().any(|task| task.name == field[0] && task.series.iter().any(|series| series.quantity == field[2])) && field[4] != "none"
        }).collect();
        let at = if change == 0 { chosen % lines.len() } else { events[chosen % events.len()] };
        let line = lines[at].clone();
        prop_assume!(!line.ends_with("none"));
        let (front, value) = line.rsplit_once(',').unwrap();
        let fields: Vec<&str> = line.split(',').collect();
        let exact: f64 = value.parse().unwrap();
        let kept = SUITE.tasks.iter().find(|task| task.name == fields[0]).unwrap();
        let alone = kept.series.iter().any(|series| series.quantity == fields[2] && series.times.len() == 1);
        match change {
            0 => lines[at] = format!("{front},{:?}", exact + 1e-6),
            1 if alone => lines[at] = format!("{},a,{},,none", fields[0], fields[2]),
            1 => { lines.remove(at); }
            _ => lines.push(line.clone()),
        }
        let middle = turn % lines.len();
        lines.rotate_left(middle);
        for verdict in verdicts(&lines) {
            let here = verdict.task == fields[0];
            let sum = |tell: fn(&judge::EventVerdict) -> u64| verdict.events.iter().map(tell).sum::<u64>();
            let counts = (sum(|events| events.missed), sum(|events| events.heard.invented), sum(|events| events.heard.doubled));
            let expected = match change { 1 if here => (1, 0, 0), 2 if here => (0, 1, 1), _ => (0, 0, 0) };
            // Where events are nearer to each other than 1e-6 s, one off by that is another one.
            let series = kept.series.iter().find(|series| series.quantity == fields[2]);
            let close = change == 0 && here && series.is_some_and(|series| series.pair(exact + 1e-6).is_none());
            if !close {
                prop_assert_eq!(counts, expected, "{:?}", verdict);
            }
            let times = verdict.events.iter().map(|events| events.error).fold(0.0, f64::max);
            let least = [verdict.deepest, verdict.unexplained].map(|answer| if let Answer::Given(value) = answer { value } else { 0.0 });
            let worst = [verdict.states.error, verdict.forces.error, verdict.numbers.error, verdict.grown.error, times, least[0], least[1]];
            let worst = worst.into_iter().fold(0.0, f64::max);
            if change == 0 && here && !close {
                let relative = 1e-6 / exact.abs().max(f64::MIN_POSITIVE);
                prop_assert!((worst - 1e-6).abs() <= 1e-9 || (worst - relative).abs() <= 1e-3 * relative, "{:?}", verdict);
            } else if !close {
                prop_assert_eq!(worst, 0.0);
            }
        }
    }
}

/// A scheme that goes on for 0.1 s.
struct Weary;

impl SteppingScheme for Weary {
    fn step(
        &mut self,
        _: &mut dyn Lagrangian,
        motion: &mut Motion,
        _: f64,
        _: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let weary = SchemeError { reason: "\"weary\", after so many s", value: motion.time };
        if motion.time > 0.1 { Err(weary) } else { Ok(()) }
    }
}

/// What ends by an error is no answer that there is none.
#[test]
fn a_run_that_fails_is_told_with_its_error() {
    let tasks = SUITE.tasks.iter().filter(|task| task.name == "1").cloned().collect();
    let methods = Arc::new(Methods::builtin().with_stepping("weary", |_| Weary));
    let text = ours(&Suite { tasks }, &methods, "weary", false).unwrap();
    let told = &judge(&SUITE, &read_sheets(&SUITE, text.as_bytes()).unwrap())[0];
    assert!(told.word() == Some("fails") && told.is_wrong() && told.tells(), "{told:?}");
    let remarks = table(&SUITE, std::slice::from_ref(told), None);
    assert!(remarks.contains(" weary , after so many s") && !remarks.contains("not applicable, weary"), "{remarks}");
}

/// Schemes of time stepping tell events and states, at their steps: errors fall with them; what is no step or method is refused.
#[test]
fn time_stepping_is_judged_by_its_own_events() {
    let tasks = SUITE.tasks.iter().filter(|task| ["1", "6", "20a"].contains(&&*task.name)).cloned().collect();
    let (suite, methods) = (Suite { tasks }, Arc::new(Methods::builtin()));
    let told = |method: &str| ours(&suite, &methods, method, false).map_err(|error| error.to_string());
    let verdicts = ["moreau@4e-3", "moreau@1e-3"].map(|method| {
        let text = told(method).unwrap();
        judge(&suite, &read_sheets(&suite, text.as_bytes()).unwrap())
    });
    let [coarse, fine] = &verdicts;
    assert!(fine[0].events[0].missed == 0 && fine[0].after == Some(AfterZeno::Right), "{:?}", fine[0]);
    assert!(fine[0].states.given == fine[0].states.asked && !fine[2].tells());
    for case in 0..2 {
        let ratio = coarse[case].states.error / fine[case].states.error;
        assert!((2.0..8.0).contains(&ratio), "{ratio}: {:?}", fine[case]);
    }
    for (method, says) in [
        ("moreau@abc", "no step"),
        ("moreau@-1", "no step"),
        ("nobody", "no method; there are "),
        ("newmark:nobody", "no formulation; there are "),
        ("moreau:symmetric", "no method with a formulation; there are "),
    ] {
        let error = told(method).unwrap_err();
        assert!(error.contains(says), "{method}: {error}");
    }
}

/// Kugelbahn's answers with one event left out or told twice, or one answer off by 1e-6: the table differs by that, and a figure is drawn of the case
/// with the event alone.
#[test]
fn a_change_of_our_answers_is_told_and_drawn_as_what_it_is() {
    let right = entry(&OURS);
    assert!(right.verdicts.iter().all(|verdict| !verdict.is_wrong()), "{:?}", right.verdicts);
    let methods = Arc::new(Methods::builtin());
    assert!(figures(&SUITE, std::slice::from_ref(&right), &methods).is_empty());
    let judged = |line: &str| !["seconds", "path"].iter().any(|word| line.contains(word)) && !line.ends_with("none");
    let lines = OURS.iter().enumerate().filter(|(_, line)| judged(line));
    for (number, (at, line)) in lines.enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let task = SUITE.tasks.iter().find(|task| task.name == fields[0]).unwrap();
        let series = task.series.iter().find(|series| series.quantity == fields[2]);
        let value: f64 = fields[4].parse().unwrap();
        let mut changed = OURS.clone();
        let none = format!("{},newmark,{},,none", fields[0], fields[2]);
        let expected = match (series, number % 3) {
            (Some(series), 0) => {
                changed.remove(at);
                changed.extend((series.times.len() == 1).then_some(none));
                (1, 0)
            }
            (Some(_), 1) => {
                changed.push(line.clone());
                (0, 1)
            }
            // Nearer neighbours than 1e-5 s make it another event.
            (Some(series), _) if series.pair(value + 1e-6).is_none() => continue,
            _ => {
                changed[at] = format!("{},{:?}", line.rsplit_once(',').unwrap().0, value + 1e-6);
                (0, 0)
            }
        };
        let told = entry(&changed);
        for (before, after) in right.verdicts.iter().zip(&told.verdicts) {
            if after.task != task.name {
                assert_eq!(before, after);
                continue;
            }
            let count = |tell: fn(&judge::EventVerdict) -> u64| after.events.iter().map(tell).sum::<u64>();
            assert_eq!((count(|events| events.missed), count(|events| events.heard.invented)), expected, "{line}");
            if expected == (0, 0) {
                assert_ne!(before, after, "{line}");
                assert!(!after.is_wrong(), "{line}");
            }
        }
        // A figure is as good as its verdict: some of them.
        if number % 7 == 0 {
            let drawn = figures(&SUITE, &[told], &methods);
            let wanted = if expected == (0, 0) { vec![] } else { vec![format!("case-{}", task.name)] };
            assert_eq!(drawn.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), wanted, "{line}");
            let word = if expected.0 > 0 { "missed" } else { "invented" };
            assert!(drawn.iter().all(|(_, figure)| figure.svg().contains(word)));
        }
    }
}

/// What falls through, sinks, sticks or is no number has a word in the overview and a line in the figure.
#[test]
fn one_look_and_one_figure_tell_how_a_program_is_wrong() {
    let of = |name: &str, lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        JudgedEntry { about: About { name: name.to_owned(), ..About::default() }, ..entry(&lines) }
    };
    let before = "1,s,y,1,0.8078";
    let entries = [
        of("Faller", &[before, "1,s,y,5,-90", "1,s,vy,5,-40", "1,s,path,9.9,-60.5", "1,s,path,nan,1"]),
        of("Sinker", &[before, "1,s,y,5,-0.005", "1,s,vy,5,1"]),
        of("Sticker", &[before, "4a,s,impact,,none", "2,s,all,,n/a"]),
        of("Un|known", &[before, "1,s,y,5,inf", "9,s,lift-off,,0.546", "9,s,lift-off,,0.6"]),
    ];
    let text = overview(&SUITE, &entries);
    for row in [
        "| Faller | s | falls |",
        "| Sinker | s | sinks |",
        "| Sticker | s | sticks | n/a |  | −1 +0 |",
        "| Un\\|known | s | no number |  |  |  |  |  |  |  | −0 +1 |",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
    // A look is clean only if all that is asked is told, nothing is deep in the ground, and no number has another sign.
    let heap = ["19,s,energy,1,3.8", "19,s,energy,2,0.1", "19,s,energy,3,0.1", "19,s,energy,4,0.1"];
    let derivative: Vec<String> = EXACT
        .iter()
        .filter(|line| line.starts_with("20b"))
        .map(|line| line.replace("20b,a,x-by-e,1,-", "20b,a,x-by-e,1,"))
        .collect();
    for (lines, row) in [
        (vec!["6,s,x,1,n/a", "7,s,deepest,,0.009"], "| P | s |  |  |  |  |  | n/a | - |"),
        ([&heap[..], &["19,s,deepest,,7.7"]].concat(), " sinks |  |"),
        ([&heap[..], &["19,s,deepest,,0.001"]].concat(), " 0 |  |"),
        (heap.to_vec(), " 4/5: 0 |  |"),
        (vec!["4a,s,impact,1,3.1", "4a,s,all,,fails: why"], "| P | s |  |  |  | fails |"),
        (derivative.iter().map(String::as_str).collect(), "off 2e0 |\n"),
    ] {
        let entry = of("P", &lines);
        let text = overview(&SUITE, std::slice::from_ref(&entry));
        assert!(text.contains(row), "{row}\n{text}");
        let wrong = ["sinks", "fails", "off"].iter().any(|word| row.contains(word));
        assert_eq!(figures(&SUITE, &[entry], &Arc::new(Methods::builtin())).len(), usize::from(wrong), "{row}");
    }
    let drawn = figures(&SUITE, &entries, &Arc::new(Methods::builtin()));
    assert_eq!(
        drawn.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["case-1", "case-4a", "case-9", "programs"]
    );
    assert!(drawn[0].1.svg().contains("Faller, s") && drawn[0].1.svg().contains("Sinker, s"));
    let many = (0..501).map(|i| format!("1,s,path,{i},0\n")).collect::<String>();
    assert!(refused(&format!("case,setting,quantity,index,value\n{many}")).2.contains("more than 500"));
}

#[test]
fn broken_lines_are_told_with_line_and_cure_and_nothing_is_judged() {
    let with = |line: &str| refused(&format!("case,setting,quantity,index,value\n1,a,impact,1,0.45\n{line}\n"));
    for (line, says) in [
        ("1,a,impact,1", "fields"),
        ("21,a,impact,1,0.4", "no case"),
        ("1,a,bounce,1,0.4", "deepest, impact, lambda, landing"),
        ("1,a,y,9,0.4", "no index"),
        ("1,a,y,1,zero", "no number"),
        ("1,a,y,1,1.234.5", "no number"),
        ("1,a,y,1,nanometres", "no number"),
        ("1,a,y,1,0.5\r1,a,y,2,0.4", "not with CR"),
        ("1,a,y,1,", "no value"),
        ("1,a,y,1,0,8038", "6 of 5 fields"),
        ("1,a,impact,,none", "none of it"),
        ("1,a,seconds,,-3", "-3.0 is no cost"),
        ("1,a,seconds,,NaN", "NaN is no cost"),
        ("1,a,all,,5", "fails: and the reason"),
        ("1,a,impact,,not applicable", "told and not applicable"),
        (&format!("1,{},y,1,2", "s".repeat(5000)), "longer than"),
    ] {
        let (at, count, text) = with(line);
        assert!(at == 3 && count == 1 && text.contains(says), "{line}: {text}");
    }
    // The order of lines says nothing.
    let [before, after] = [["1,a,all,,n/a", "1,a,y,1,0.5"], ["1,a,y,1,0.5", "1,a,all,,n/a"]]
        .map(|lines| verdicts(&lines.map(str::to_owned)));
    assert!(before == after && before[0].states.not_applicable == 9 && before[0].states.given == 1, "{before:?}");
    // Without quotes a decimal comma makes the digits another column.
    let text = "case,setting,quantity,index,value,note\n1,a,impact,1,0,4515236\n";
    assert!(refused(text).0 == 2 && refused(text).2.contains("digits after a comma"), "{:?}", refused(text));
    let costs = "case,setting,quantity,index,value\n1,a,seconds,,1\n1,a,seconds,,1\n1,a,seconds,,2\n";
    assert!(refused(costs).0 == 4 && refused(costs).2.contains("twice, differently"));
    let twice = "case,setting,quantity,index,value\n1,a,y,1,0.3\n1,a,y,1,0.3\n1,a,y,1,0.4\n";
    assert!(refused(twice).0 == 4 && refused(twice).2.contains("differently"));
    assert_eq!(refused("").0, 1);
    assert!(refused("case,setting,quantity,value\n1,a,y,1\n").2.contains("no column index"));
    let settings: String = (0..70).map(|i| format!("1,s{i},y,1,0.3\n")).collect();
    assert_eq!(refused(&format!("case,setting,quantity,index,value\n{settings}")).1, 6);
    let latin = read_sheets(&SUITE, &b"case,setting,quantity,index,value\n1,\xe4,y,1,0.3\n"[..]);
    assert!(latin.unwrap_err().to_string().contains("UTF-8"));
    assert!(
        read_about("name = \"x\"\nspeed = \"fast\"").is_err()
            && read_about("version = \"1\"").is_err()
            && read_about("name = \" \"").is_err()
            && read_about("name = \"x\\n# y\"").is_err()
            && read_about("name = \"x\"").is_ok()
    );
}

#[test]
fn csv_of_any_language_is_read() {
    let exact = SUITE.tasks[0].series[0].times[0];
    let comma = format!("{exact:?}").replace('.', ",");
    let fortran = format!("{exact:e}").replace('e', "D");
    for text in [
        format!("\u{feff}# a remark\ncase,setting,quantity,index,value\n\u{feff}1,a,impact,1,{exact:?}\n"),
        format!("\u{feff}case;setting;quantity;index;value\r\n01;a;impact;1;{comma}\r\n"),
        format!("value\tindex\tquantity\tsetting\tcase\n{exact:?}\t1\timpact\ta\t1\n"),
        format!("Case,\"Setting\",Quantity,Index,Value,Note\n\"1\",\"a, b\",impact,1.0,{fortran},x\n"),
        format!("case,setting,quantity,index,value\n\n# a remark\n1, a ,impact,,{exact:?}"),
        format!("case,setting,quantity,value,index\n1,a,impact,{exact:?},"),
    ] {
        let found = judge(&SUITE, &read_sheets(&SUITE, text.as_bytes()).unwrap());
        assert!(
            found.len() == 1 && found[0].events[0].error <= 1e-15 && found[0].events[0].missed == 19,
            "{text}\n{found:?}"
        );
    }
}

#[test]
fn what_is_no_number_missing_or_not_applicable_is_told_as_that() {
    let zero = SUITE.tasks.iter().find(|task| task.name == "1").unwrap();
    let states: Vec<String> = zero
        .exact
        .iter()
        .filter(|exact| exact.quantity == "y" && exact.index < 5)
        .map(|exact| format!("1,a,y,{},{:?}", exact.index, exact.value))
        .collect();
    let with = |line: &str| {
        let lines = line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        verdicts(&[&states[..], &lines].concat()).remove(0).after
    };
    assert_eq!(with("1,a,y,5,-5"), Some(AfterZeno::Falls));
    assert_eq!(with("1,a,y,5,-0.5"), Some(AfterZeno::Sinks));
    // Right is a whole state: a place alone may have any velocity.
    assert_eq!(with("1,a,y,5,1e-9"), None);
    assert_eq!(with("1,a,y,5,1e-9 1,a,vy,5,0"), Some(AfterZeno::Right));
    assert_eq!(with("1,a,y,5,1e-9 1,a,vy,5,9"), Some(AfterZeno::Off));
    assert_eq!(with("1,a,y,5,NaN"), Some(AfterZeno::Undefined));
    assert_eq!(with("1,a,deepest,,0"), Some(AfterZeno::Sticks));
    assert_eq!(with("1,a,y,5,n/a"), None);
    let nan = verdicts(&[
        "1,a,impact,1,-nan(ind)".to_owned(),
        "1,a,y,1,inf".to_owned(),
        "4a,a,all,,not applicable".to_owned(),
    ]);
    assert!(
        nan[0].events[0].heard.undefined == 1 && nan[0].states.undefined == 1 && nan[0].events[0].missed == 20,
        "{nan:?}"
    );
    assert_eq!(nan[1].events[0].heard.given, Some(false));
    let late = verdicts(&["1,a,impact,1,451.5".to_owned(), "1,a,deepest,,inf".to_owned()]);
    assert!(late[0].events[0].missed == 20 && late[0].events[0].heard.late == 1 && late[0].is_wrong(), "{late:?}");
    assert!(table(&SUITE, &late, None).contains("1 later than is asked") && !nan[1].is_wrong());
    // An answer that is exactly zero has the size of the others of its name.
    let small = verdicts(&["20a,a,impact-by-e,1,1e-12".to_owned()]);
    assert!((1e-14..1e-11).contains(&small[0].numbers.error), "{small:?}");
    let text = table(&SUITE, &nan, None);
    assert!(text.contains("no number") && text.contains("n/a") && text.contains("not answered: 2 3 4b"), "{text}");
}

/// A file that goes on and on: memory is that of one sheet, and each line counts.
#[test]
fn endless_files_are_counted() {
    let lines = if std::env::var_os("KUGELBAHN_CASES").is_some() { 10_000_000 } else { 300_000 };
    let line = b"1,a,impact,1,0.01\n";
    let endless = std::iter::repeat_n(&line[..], lines);
    let head = &b"case,setting,quantity,index,value\n"[..];
    let sheets = read_sheets(&SUITE, BufReader::new(head.chain(Lines { lines: endless, left: &[] }))).unwrap();
    assert_eq!(sheets[0].series[0].invented, lines as u64);
}

struct Lines<I> {
    lines: I,
    left: &'static [u8],
}

impl<I: Iterator<Item = &'static [u8]>> Read for Lines<I> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.left.is_empty() {
            self.left = self.lines.next().unwrap_or_default();
        }
        self.left.read(out)
    }
}
