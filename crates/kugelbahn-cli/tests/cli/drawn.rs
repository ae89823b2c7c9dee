//! Figures, the page and cells of tables, as the library makes them.

use std::collections::BTreeSet;

use kugelbahn::figures::{Chart, Field, Marks, Scale, ground_points};
use kugelbahn::tables::{Cell, number_text, write_line};

use crate::common::Place;

fn drawn(formula: &str) -> Vec<(f64, f64)> {
    ground_points(kugelbahn::Ground::graph(formula).unwrap().curve(), -1.0, 2.0).concat()
}

/// A spike that is ten million times narrower than the picture, and between all of 1500 points of equal distance: two flanks and a chord at
/// the tip, of 65 points at least.
#[test]
fn no_spike_is_lost() {
    let points = drawn("0.7*exp(-((x - 0.1234567)/1e-7)^2)");
    let top = points.iter().map(|p| p.1).fold(0.0, f64::max);
    assert!((0.699..=0.7).contains(&top) && points.len() < 5 * 65, "{top}, {} points", points.len());
}

/// Between its points the line is as near to the ground as it promises: 2e-4 of the width of the picture.
#[test]
fn lines_are_near_the_ground() {
    let points = drawn("0.2*sin(9*x) + 0.001*sin(200*x)");
    let ground = |x: f64| 0.2 * (9.0 * x).sin() + 0.001 * (200.0 * x).sin();
    for ends in points.windows(2) {
        let [(a, ya), (b, yb)] = [ends[0], ends[1]];
        for part in [0.2, 0.5, 0.8] {
            let apart = (ground(a + part * (b - a)) - (ya + part * (yb - ya))).abs();
            assert!(apart <= 1.01 * 2e-4 * 3.0, "{apart} m at {a}");
        }
    }
    assert!(points.len() < 1500, "{}", points.len());
    assert_eq!(drawn("0.5*x").len(), 65);
}

/// Ground too rough to be followed is drawn with as many points as a file should hold.
#[test]
fn noise_has_an_end() {
    let points = drawn("0.5*sin(3000*x)");
    assert!((2000..=6001).contains(&points.len()), "{}", points.len());
}

fn picture(extent: [f64; 4], decades: bool, marks: Marks, scale: Option<Scale>) -> String {
    let chart = Chart::new("", "x", "y", Vec::new()).decades([decades, false].into());
    Chart { extent: Some(extent), field: Some(Field { marks, scale }), ..chart }.svg()
}

#[test]
fn ticks_are_round_and_inside() {
    for (low, high) in [(0.0, 1.0), (-3.7, 12.9), (1.0, 1.001), (-2e-9, 3e9)] {
        let svg = picture([low, high, 0.0, 1.0], false, Marks::Dots(Vec::new()), None);
        let tick = |part: &str| part.split_once("\" y=")?.0.parse::<f64>().ok().filter(|_| part.contains("middle"));
        // The label of the axis comes last.
        let mut ticks: Vec<f64> = svg.split("<text x=\"").filter_map(tick).collect();
        ticks.pop();
        assert!((3..=11).contains(&ticks.len()), "{ticks:?}");
        assert!(ticks.iter().all(|tick| (48.0..=496.1).contains(tick)), "{ticks:?}");
    }
    let shades = Scale::Shades { label: String::new(), low: 2.0, high: 2.0, decades: false };
    let svg = picture([0.95e-3, 10.2, 0.0, 1.0], true, Marks::Dots(Vec::new()), Some(shades));
    for tick in ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"] {
        assert!(svg.contains(&format!("text-anchor=\"middle\">{tick}</text>")), "{tick}\n{svg}");
    }
    assert_eq!(svg.matches(">2</text>").count(), 1);
}

#[test]
fn cells_beside_each_other_are_one() {
    let words = Scale::Words(vec!["a".to_owned(), "b".to_owned()]);
    let cells = Marks::Cells([3, 2], vec![1.0, 1.0, f64::NAN, 1.0, 0.0, 1.0]);
    let svg = picture([0.0, 1.0, 0.0, 1.0], false, cells, Some(words));
    assert!(svg.contains("d=\"M0 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1z\""), "{svg}");
}

/// Modules of the page become one: a name twice would be an error of the whole page.
#[test]
fn the_page_is_filled_in_and_names_of_its_modules_are_unique() {
    let place = Place::new();
    let scenario = "title = '<title>'\ninitial.position = [0, 1]\nground.curve = { kind = 'graph', y = 0 }\nsolver.duration = 0.1\n";
    place.write("drop.toml", scenario);
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--quiet", "--html", "drop.html"]).code, 0);
    let page = std::fs::read_to_string(place.path("drop.html")).unwrap();
    assert!(page.contains("<title>&lt;title&gt; · Kugelbahn</title>"));
    assert!(!page.contains("{{M") && !page.contains("{{C") && !page.contains("{{D"));
    let modules = page.split("<script type=\"module\">").nth(1).unwrap().split("</script>").next().unwrap();
    let mut names = BTreeSet::new();
    // The page has lost its indents, which tell names of a module from those within.
    let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../report/page")).unwrap();
    let paths = sources.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "js"));
    let sources: Vec<String> =
        paths.map(|path| std::fs::read_to_string(path).unwrap().replace("export ", "")).collect();
    for line in sources.iter().flat_map(|source| source.lines()) {
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').collect();
        let at = usize::from(words[0] == "async");
        if let ["const" | "let" | "function" | "class", name] = words[at..(at + 2).min(words.len())] {
            // A pattern names several at once: `const [a, b] = …`.
            let pattern = if name.is_empty() { line.split('=').next().unwrap_or_default() } else { name };
            let several =
                pattern.split(|c: char| "[]{},".contains(c)).map(str::trim).skip(usize::from(name.is_empty()));
            for name in several.filter(|name| !name.is_empty()) {
                assert!(names.insert(name.to_owned()), "{name} stands twice");
            }
        }
    }
    let comment = |line: &str| ["//", "/**", "* "].iter().any(|begin| line.trim_start().starts_with(begin));
    assert!(!modules.lines().any(comment));
    assert!(names.len() > 40 && !modules.contains("\nimport "), "{names:?}");
}

/// The text of a number is what `{:?}` writes, or as short and as near.
#[test]
fn numbers_are_written_as_debug_writes_them() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let some =
        [0.0, 5e-324, 1e-5, 9.999_999_999_999_999e-5, 1e-4, 1e15, 1e16, 123_456_789_012_345_680.0, 1e21, f64::MAX];
    let near = |value: f64| [value.next_down(), value, value.next_up()];
    let decades = (-12..22).flat_map(|exponent| near(10f64.powi(exponent)));
    let bits: Vec<f64> = (0..100_000).map(|_| f64::from_bits(random())).collect();
    let usual: Vec<f64> = (0..100_000)
        .map(|_| (random() as f64 / u64::MAX as f64 - 0.5) * 10f64.powi((random() % 24) as i32 - 12))
        .collect();
    for value in
        some.into_iter().flat_map(near).chain(decades).chain(bits).chain(usual).chain([f64::NAN, f64::INFINITY])
    {
        for value in [value, -value] {
            let (text, wanted) = (number_text(value), format!("{:?}", value + 0.0));
            let as_good = value.abs() > 1e11 && text.len() == wanted.len() && text.parse() == Ok(value);
            assert!(text == wanted || as_good, "{text} for {wanted}");
        }
    }
    assert_eq!(number_text(-0.0), "0.0");
}

/// Lines are those that the crate `csv` writes.
#[test]
fn words_are_quoted_where_a_reader_needs_it() {
    let words = ["", "plain", "a,b", "say \"so\"", "two\nlines", "\r", " space ", "#"];
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let mut out = Vec::new();
    for row in [&words[..], &words[..1], &words[2..3]] {
        let _ = writer.write_record(row);
        write_line(&mut out, row.iter().map(|word| Cell::Word(word)));
    }
    let wanted = writer.into_inner().unwrap();
    assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&wanted));
}

/// Symptom: a name of 300 letters widened the rows of all others, or stuck out of its own. Each table measured its names alone.
#[test]
fn a_long_name_widens_no_row() {
    let place = Place::new();
    let long = "a".repeat(300);
    place.write("it.svg", format!("<svg><path id='{long}' d='M0 0h1'/><path id='b' d='M3 0h1'/></svg>"));
    place.write("it.toml", "kind = 'svg'\nfile = 'it.svg'\npaths = 'all'\n");
    for arguments in [&["curves", "check", "it.svg"][..], &["curves", "check", "it.toml"]] {
        let told = place.kugelbahn(arguments).stdout;
        assert!(told.contains("aaa…aaa") && told.lines().all(|line| line.chars().count() <= 120), "{told}");
    }
}
