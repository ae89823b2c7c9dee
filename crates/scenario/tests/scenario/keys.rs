//! What is written from the table of keys: the book's tables, Python's stub and the help of its arguments. With `KUGELBAHN_WRITE=1` they
//! are written anew.

use std::path::Path;

use scenario::FLIGHT_METHODS;
use scenario::keys::{KEYS, Key, Runs, unit_of, words_of};

/// A number as the book has it.
fn number(value: f64) -> String {
    format!("{value}").replace('-', "−")
}

/// What a value must obey, in words.
fn admissible(key: &Key) -> String {
    let named = |names: &[&str]| names.iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ");
    let names = named(&(key.names)());
    let whole = |value: f64| (2.0 * value).fract() == 0.0;
    let range = Some(key.range).filter(|_| names.is_empty()).map(|range| match (range.least, range.most) {
        (f64::MIN, f64::MAX) => String::new(),
        (f64::MIN_POSITIVE, f64::MAX) => "> 0".to_owned(),
        (least, f64::MAX) => format!("≥ {}", number(least)),
        (least, most) if whole(least) && whole(most) => format!("{} … {}", number(least), number(most)),
        _ => range.rule.to_owned(),
    });
    let runs = match key.runs {
        Runs::All => String::new(),
        Runs::Events => "event-driven runs".to_owned(),
        Runs::Theta => "`\"moreau\"`".to_owned(),
        Runs::Rigid => "rigid contact".to_owned(),
        Runs::Compliant([]) => "compliant".to_owned(),
        Runs::Compliant(laws) => named(laws),
    };
    let parts = [names, range.unwrap_or_default(), key.rule.to_owned(), runs];
    let told = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    if told.is_empty() { "—".to_owned() } else { told.replace("; or ", ", or ") }
}

/// Rows of the book's table of a table of keys.
fn rows(table: &str) -> String {
    let row = |key: &Key| {
        let unit = if key.unit.is_empty() { "—" } else { key.unit };
        let admissible = admissible(key);
        format!("| `{}` | {} | {unit} | {} | {admissible} | {} |\n", key.name(), key.kind, key.default, key.words)
    };
    Key::of(table).filter(|key| !key.kind.is_empty()).map(row).collect()
}

/// A page of the book with its tables of keys made anew.
fn book(page: &str) -> String {
    let (mut made, mut table, mut within) = (String::new(), None, false);
    for line in page.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix('#') {
            let name = heading.trim_start_matches('#').trim();
            table = match name.strip_prefix("`[").and_then(|name| name.strip_suffix("]`")) {
                Some(name) => Some(name.trim_matches(['[', ']']).to_owned()),
                None if name == "Top level" => Some(String::new()),
                None if name == "Several curves" => Some("[[ground]]".to_owned()),
                None => None,
            };
        }
        within &= line.starts_with('|');
        if within {
            continue;
        }
        match table.take_if(|_| line.starts_with("| key |")) {
            Some(table) => {
                within = true;
                made +=
                    "| key | type | unit | default | admissible | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
                made += &rows(&table);
            }
            None => made += line,
        }
    }
    made
}

/// Names that an argument may have in Python, which knows event-driven runs alone.
fn names(key: &Key) -> Vec<&'static str> {
    match key.path {
        "solver.method" => FLIGHT_METHODS.iter().map(|(name, _)| *name).collect(),
        _ => (key.names)(),
    }
}

/// Type of an argument in Python.
fn hint(key: &Key) -> String {
    let names = || names(key).iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match key.kind {
        "number" => "float".to_owned(),
        "number or formula of `v`" => "float | str".to_owned(),
        "number or string" => "float | Literal[\"infinite\"]".to_owned(),
        "pair" | "number or pair" => "_Pair".to_owned(),
        "string" => format!("Literal[{}]", names()),
        kind => panic!("{}: {kind} is no argument", key.path),
    }
}

/// A stub with the arguments between its marks made anew: `# <keys None>` of a constructor, `# <keys ...>` of changes.
fn stub(text: &str) -> String {
    let (mut made, mut within) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        within &= line.trim() != "# </keys>";
        if within {
            continue;
        }
        made += line;
        if let Some(default) = line.trim().strip_prefix("# <keys ").and_then(|rest| rest.strip_suffix('>')) {
            within = true;
            let none = if default == "None" { " | None" } else { "" };
            Key::arguments()
                .for_each(|key| made += &format!("        {}: {}{none} = {default},\n", key.argument, hint(key)));
        }
    }
    made
}

/// Words without the links of the book.
fn plain(words: &str) -> String {
    let mut parts = words.split("](");
    let mut made = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| made += part.split_once(')').map_or("", |(_, rest)| rest));
    made.replace(['[', '`'], "")
}

/// Compares a file with what is to be in it, or writes it.
fn agrees(file: &str, make: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let made = make(&text);
    if std::env::var_os("KUGELBAHN_WRITE").is_some() {
        return std::fs::write(path, made).unwrap();
    }
    assert!(
        text == made,
        "{file} is not as the table of keys has it: KUGELBAHN_WRITE=1 cargo test -p kugelbahn-scenario keys"
    );
}

#[test]
fn the_book_has_the_table_of_keys() {
    agrees("book/src/reference/scenario.md", book);
}

#[test]
fn python_has_the_arguments_of_the_table_of_keys() {
    agrees("python/kugelbahn/__init__.pyi", stub);
    let given: String = Key::arguments().map(|key| format!("{}=None, ", key.argument)).collect();
    let signature = format!(
        "Simulation(*, ball, ground, {given}force=None, scheme=None, impact=None, watch=None, until=None, keys=None)\n--\n\n"
    );
    agrees("python/src/signature.txt", |_| signature.clone());
    let line = |key: &Key| {
        let unit =
            if key.unit.is_empty() || key.unit.starts_with("as ") { String::new() } else { format!(" ({})", key.unit) };
        let names = if names(key).is_empty() { String::new() } else { format!(": {}", names(key).join(", ")) };
        format!("{}{unit}: {}{names}\n", key.argument, plain(key.words))
    };
    agrees("python/src/arguments.txt", |_| Key::arguments().map(line).collect());
}

#[test]
fn keys_are_told_apart() {
    for (index, key) in KEYS.iter().enumerate() {
        assert!(KEYS[..index].iter().all(|other| other.path != key.path), "{} twice", key.path);
        let alike = |other: &Key| !key.argument.is_empty() && other.argument == key.argument;
        assert!(!KEYS[..index].iter().any(alike), "the argument {} twice", key.argument);
        assert!(Key::at(key.path).is_some_and(|(found, entry)| found.path == key.path && entry.is_none()));
        assert!(key.slider.len() <= if key.kind.contains("pair") { 2 } else { 1 }, "{}", key.path);
        assert!(key.slider.iter().all(|[low, high]| low < high), "{}", key.path);
    }
}

#[test]
fn words() {
    for (key, words) in [
        ("initial.velocity.y", "start: velocity upwards"),
        ("ball.2.initial.velocity.y", "start: velocity upwards"),
        ("ball.1.mass", "mass of the ball"),
        ("ground.1.contact.friction", "friction coefficient μ"),
        ("ground.curve.parameters.amplitude", "the ground: amplitude in its formulas"),
        ("ground.motion.parameters.f", "the ground: f in its formulas"),
    ] {
        assert_eq!(words_of(key), words, "{key}");
    }
}

#[test]
fn units() {
    for (key, unit) in [
        ("initial.velocity.x", "m/s"),
        ("initial.velocity.1", "m/s"),
        ("ball.3.initial.velocity.x", "m/s"),
        ("initial.contact.x", "m"),
        ("forces.gravity", "m/s²"),
        ("forces.gravity.y", "m/s²"),
        ("ground.0.contact.rolling-damping", "N s/m"),
        ("watch.2.x", "m"),
        ("contact.stiffness", ""),
        ("ground.curve.parameters.a", ""),
        ("", ""),
    ] {
        assert_eq!(unit_of(key), unit, "{key}");
    }
}
