//! No input may panic or hang: what the fuzz targets run, bounded and with a fixed seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{DROP, profiles};
use crate::entry;

/// Numbers, words and signs that break things.
const TOKENS: [&str; 64] = [
    "1e308",
    "-1e308",
    "1e-308",
    "1e-320",
    "-0.0",
    "0",
    "nan",
    "inf",
    "-inf",
    "1e9",
    "1e-9",
    "1",
    "-1",
    "3.7",
    "1e17",
    "99999999999999999999999999",
    "0x7fffffffffffffff",
    "true",
    "\"\"",
    "\"x\"",
    "\"s\"",
    "[]",
    "{}",
    "[0, 0]",
    "[[0, 0]]",
    "\"sin(1e9*x)\"",
    "\"1/x\"",
    "\"abs(sin(50*x))\"",
    "\"x^x\"",
    "\"exp(exp(x))\"",
    "\"max(x, -x, 1)\"",
    "\"max(x, min(-x, 0.1))\"",
    "\"tan(x)\"",
    "\"sqrt(x^2)\"",
    "\"atan2(x, x)\"",
    "\"((((((((x))))))))\"",
    "\"infinite\"",
    "\"rolling\"",
    "\"index3\"",
    "\"arc-length\"",
    "\"point\"",
    "\"graph\"",
    "\"parametric\"",
    "\"circle\"",
    "\"arc\"",
    "\"polyline\"",
    "\"composite\"",
    "\"ellipse\"",
    "\"spline\"",
    "\"smoothing-spline\"",
    "\"bezier\"",
    "\"csv\"",
    "\"svg\"",
    "\"offset\"",
    "\"transform\"",
    "\"periodic\"",
    "\"clamped\"",
    "\"gcv\"",
    "\"inside\"",
    "\"measured-hill.csv\"",
    "\"drawn-track.svg\"",
    "\"sine.toml\"",
    "[[0, 1], [1, 0]]",
    "1979-05-27",
];
const SIGNS: [char; 22] = [
    '=', '[', ']', '{', '}', '"', '\'', '.', ',', '#', '-', '+', '(', ')', '*', '/', '^', '\n', '\\', 'e', 'ü', '\u{0}',
];

/// SplitMix64 (Steele, Lea, Flood 2014): the same cases on every machine.
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// One change at random.
pub fn mutate(text: &str, other: &str, dice: &mut Dice) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = dice.below(chars.len() + 1);
    let joined = |parts: [&[char]; 3]| parts.concat().into_iter().collect::<String>();
    match dice.below(8) {
        0 => joined([&chars[..at], &[*dice.pick(&SIGNS)], &chars[at..]]),
        1 => joined([&chars[..at], &[], &chars[(at + 1 + dice.below(6)).min(chars.len())..]]),
        2 => joined([&chars[..at], &chars[at..(at + 30).min(chars.len())], &chars[at..]]),
        3 => {
            // A line of one into the other.
            let (line, mut lines) = (*dice.pick(&other.lines().collect::<Vec<_>>()), text.lines().collect::<Vec<_>>());
            lines.insert(dice.below(lines.len() + 1), line);
            lines.join("\n")
        }
        4 => {
            let mut lines: Vec<&str> = text.lines().collect();
            if !lines.is_empty() {
                lines.remove(dice.below(lines.len()));
            }
            lines.join("\n")
        }
        // A number or a word becomes another one.
        _ => {
            let is_word = |c: char| c.is_alphanumeric() || ".+-_".contains(c);
            let words: Vec<(usize, usize)> = (0..chars.len())
                .filter(|i| is_word(chars[*i]) && (*i == 0 || !is_word(chars[*i - 1])))
                .map(|from| (from, from + chars[from..].iter().take_while(|c| is_word(**c)).count()))
                .filter(|(from, _)| chars[*from].is_ascii_digit() || dice_free(*from))
                .collect();
            let (from, to) = if words.is_empty() { (at, at) } else { *dice.pick(&words) };
            let token: Vec<char> = dice.pick(&TOKENS).chars().collect();
            joined([&chars[..from], &token, &chars[to..]])
        }
    }
}

/// Words that are no numbers take part now and then.
fn dice_free(at: usize) -> bool {
    at.is_multiple_of(3)
}

/// Runs one case; it may be refused, but not panic, and it has to return: work is bounded by `solver.limit` and the
/// budgets of the reader, not by a clock.
pub fn survive(kind: &str, text: &str, run: impl FnOnce() -> bool) -> bool {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("a {kind} panics:\n{text}"))
}

fn curves() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::fs::read_dir(profiles())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.extend(KINDS.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
    found.sort();
    found
}

/// Kinds with keys that no file of `curves/` uses.
const KINDS: [(&str, &str); 7] = [
    (
        "clamped",
        "kind = \"spline\"\nends = \"clamped\"\ndirections = [[0, 2], [1, -1]]\npoints = [[0, 0], [1, 2], [0.9, 3], [3, 3]]\n",
    ),
    ("loop", "kind = \"spline\"\nends = \"periodic\"\npoints = [[1, 0], [0.1, 1.1], [-1.2, 0], [0, -0.8], [1, 0]]\n"),
    (
        "smoothed",
        "kind = \"smoothing-spline\"\nsmoothing = \"gcv\"\npoints = [[0, 1.01], [0.7, 0.72], [1, 0.02], [0.69, -0.7], [0.01, -1]]\n",
    ),
    ("arc of an ellipse", "kind = \"ellipse\"\ncentre = [0, 0]\nsemi-axes = [1, 2]\nturn = 0.3\nfrom = 3\nto = -1\n"),
    ("parabolas", "kind = \"bezier\"\ndegree = 2\npoints = [[0, 1], [1, 0], [2, 0.2], [3, 0.4], [4, -1]]\n"),
    (
        "handles",
        "kind = \"bezier\"\ntolerance = 1e-4\npoints = [[0, 1], [0, 1], [1, 0], [2, 0], [3, 0], [4, 1], [4, 1]]\n",
    ),
    (
        "moved",
        "kind = \"transform\"\nmirror = \"x\"\nscale = 0.5\nturn = \"pi/3\"\naround = [1, 1]\nmove = [0, 2]\nreverse = true\n\
         [curve]\nkind = \"offset\"\ndistance = -0.1\ncurve = { kind = \"circle\", centre = [0, 0], radius = 1, side = \"inside\" }\n",
    ),
];

const ROLL: &str = r#"[ball]
mass = 0.2
radius = 0.03
inertia = "hollow-sphere"
[initial]
contact = { x = 0.5, speed = 1.2, spin = "rolling" }
[ground]
curve = { kind = "graph", y = "a*cos(k*x)", parameters = { a = 0.1, k = 2 } }
[forces]
gravity = [0.1, -9.81]
drag = { cd = 0.5, density = 1.2, area = 0.01 }
wind = [1.0, 0.0]
magnus = 0.001
external = { x = "0.1*sin(t)", y = "-0.01*vy*m" }
[contact]
restitution = 0.9
tangential-restitution = 0.1
friction = 0.3
rolling-damping = 0.01
[solver]
method = "newmark"
formulation = "symmetric"
tolerance = 1e-6
capture-speed = 1e-5
duration = 2.0
"#;

const BALLS: &str = r#"[[ball]]
mass = 0.2
radius = 0.1
initial = { position = [0.0, 1.0], velocity = [0.5, 0] }
[[ball]]
radius = 0.05
inertia = "disc"
[ball.initial]
position = [0.3, 1.1]
spin = 3.0
[[ball]]
initial = { contact = { x = 0.5, speed = 1 } }
[ground]
curve = { kind = "graph", y = "a*cos(k*x)", parameters = { a = 0.1, k = 2 } }
[forces]
external = { x = "0.1*sin(t)", y = "-0.01*vy*m" }
[contact]
restitution = 0.5
friction = 0.3
[contact.balls]
restitution = 0.9
[solver]
method = "moreau"
step = 0.01
theta = 0.6
lcp = "lemke"
lcp-tolerance = 1e-8
projection = true
duration = 2.0
"#;

/// Gives a reader `count` cases, or as many as go into `KUGELBAHN_FUZZ` seconds, if that is set, with another seed each time; each says whether it
/// was read.
#[allow(clippy::print_stdout, reason = "it tells what it measured")]
pub fn campaign(reader: &str, seed: u64, count: usize, mut case: impl FnMut(&mut Dice, usize) -> bool) {
    let long = std::env::var("KUGELBAHN_FUZZ").ok().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let mut dice = Dice(if long.is_some() { u64::from(std::process::id()) } else { seed });
    let (started, mut tried, mut read) = (Instant::now(), 0, 0);
    while long.map_or(tried < count, |long| started.elapsed() < long) {
        read += usize::from(case(&mut dice, tried));
        tried += 1;
    }
    println!("{reader}: {read} of {tried} cases read in {:?}", started.elapsed());
    // The cases would show nothing if nearly none, or nearly all of them, got through the reader.
    assert!(read > tried / 50 && tried - read > tried / 50, "{reader}: {read} of {tried} cases read");
}

#[test]
fn mutated_curves_never_panic() {
    let curves = curves();
    campaign("curve", 1, 1500, |dice, i| {
        let mut text = curves[i % curves.len()].1.clone();
        for _ in 0..=dice.below(3) {
            let other = &dice.pick(&curves).1;
            text = mutate(&text, other, dice);
        }
        survive("curve", &text, || entry::curve(&text, &profiles()))
    });
}

#[test]
fn mutated_scenarios_never_panic() {
    let mut files = curves();
    files.retain(|(name, _)| name.ends_with(".toml"));
    let seeds = [DROP, ROLL, BALLS];
    campaign("scenario", 2, 3000, |dice, i| {
        let (name, curve) = &files[(i / 2) % files.len()];
        let mut text = seeds[i % 3].replace("hills.toml", name);
        for _ in 0..=dice.below(3) {
            let other = if dice.below(2) == 0 { seeds[dice.below(3)] } else { curve };
            text = mutate(&text, other, dice);
        }
        survive("scenario", &text, || entry::scenario(&text, &profiles()))
    });
}

#[test]
fn hostile_curves_are_refused_or_shown() {
    let graph = |y: &str| format!("kind = \"graph\"\ny = \"{y}\"\n");
    let on = |y: &str, domain: &str| format!("{}domain = {domain}\n", graph(y));
    let sum = |term: &str, count: usize| vec![term; count].join("+");
    let points = |count: usize| {
        let list: Vec<String> = (0..count).map(|i| format!("[{i}, {}]", i % 2)).collect();
        format!("kind = \"polyline\"\npoints = [{}]\n", list.join(", "))
    };
    let spiral = "kind = \"parametric\"\nx = \"s*cos(1e4*s)\"\ny = \"s*sin(1e4*s)\"\ndomain = [0.1, 1]\n";
    let mut nested = "{ kind = \"line\", from = [0, 0], to = [1, 0] }".to_owned();
    for _ in 0..60 {
        nested = format!("{{ kind = \"composite\", pieces = [{nested}] }}");
    }
    let parameters: Vec<String> = (0..5000).map(|i| format!("p{i} = {i}")).collect();
    let cases = [
        graph("sin(1e9*x)"),
        on("sin(1e9*x)", "[-1, 1]"),
        on("sin(1e5*x)", "[-1, 1]"),
        on("1e-9*sin(1e300*x)", "[-1, 1]"),
        on("abs(sin(1e4*x))", "[-1, 1]"),
        on("abs(sin(1e9*x))", "[-1, 1]"),
        graph("sin(1/x)"),
        on("sin(1/x)", "[1e-9, 1]"),
        on("x*sin(1/x)", "[-1, 1]"),
        graph("sin(x^9)"),
        graph("sin(exp(x))"),
        on("x", "[-1e308, 1e308]"),
        on("x^2", "[1e300, 1e308]"),
        on("x", "[0, 1e-320]"),
        on("x^1000", "[-2, 2]"),
        graph("x^1e9"),
        graph("x^(-1e18)"),
        graph("1e308*x"),
        graph("1e-320*x^2"),
        graph("floor(x)"),
        graph(&"(".repeat(9000)),
        graph(&format!("{}x{}", "(".repeat(90), ")".repeat(90))),
        graph(&sum("x", 4000)),
        graph(&sum("sin(x)", 1000)),
        on(&sum("sin(9*x)", 1000), "[0, 1]"),
        on(&sum("abs(x-0.5)", 900), "[0, 1]"),
        on(&sum("abs(sin(99*x))", 600), "[0, 9]"),
        format!("{}{}{}", "kind = \"graph\"\ny = \"", vec!["abs("; 99].concat(), format_args!("x{}\"", ")".repeat(99))),
        format!("a = {}1{}", "[".repeat(50_000), "]".repeat(50_000)),
        format!("{} = 1", vec!["a"; 20_000].join(".")),
        format!("[{}]", vec!["a"; 20_000].join(".")),
        format!("title = \"{}\"\nkind = \"graph\"\ny = 0", "long ".repeat(100_000)),
        format!("kind = \"composite\"\npieces = [{nested}]"),
        points(20_000),
        points(1),
        spiral.to_owned(),
        spiral.replace("1e4", "300"),
        spiral.replace("[0.1, 1]", "[-1, 1]"),
        format!("{}[parameters]\n{}\n", graph("x"), parameters.join("\n")),
        "kind = \"circle\"\ncentre = [0, 0]\nradius = 1e308\nside = \"inside\"\n".to_owned(),
        "kind = \"circle\"\ncentre = [1e308, 0]\nradius = 1e-308\nside = \"outside\"\n".to_owned(),
        "kind = \"composite\"\npieces = [{ curve = \"/dev/zero\" }]\n".to_owned(),
    ];
    for text in &cases {
        survive("curve", text, || entry::curve(text, Path::new("/nowhere")));
    }
}

#[test]
fn hostile_scenarios_end() {
    let cases = [
        ("duration = 1.5", "duration = 1e308"),
        ("duration = 1.5", "duration = 1e-308"),
        ("duration = 1.5", "step = 1e-300"),
        ("duration = 1.5", "step = 1e300\nformulation = \"index3\""),
        ("duration = 1.5", "capture-speed = 0"),
        ("duration = 1.5", "capture-speed = 1e300\ncapture-tolerance = 1e300"),
        ("duration = 1.5", "capture-tolerance = 1e-300"),
        ("duration = 1.5", "tolerance = 1e-15"),
        ("mass = 1.0", "mass = 1e-320"),
        ("mass = 1.0", "mass = 1e308"),
        ("radius = 0.05", "radius = 1e-300"),
        ("radius = 0.05\n", "radius = 1e5\ninertia = 1e-300\n"),
        ("position = [0.0, 1.0]", "position = [1e308, 1e308]"),
        ("position = [0.0, 1.0]", "position = [0, 1e17]"),
        ("velocity = [0.3, 0.0]", "velocity = [1e308, 0]"),
        ("velocity = [0.3, 0.0]", "velocity = [0, 1e200]\nspin = 1e200"),
        ("restitution = 0.5", "restitution = 1"),
        ("restitution = 0.5", "restitution = 0.9999999999999999"),
        ("friction = 0.2", "friction = 1e308"),
        ("friction = 0.2", "friction = 0.2\nrolling-damping = 1e308"),
        ("[contact]", "[forces]\ngravity = 0\n[contact]"),
        ("[contact]", "[forces]\ngravity = 1e308\n[contact]"),
        ("[contact]", "[forces]\ngravity = [1e-320, -1e-320]\n[contact]"),
        ("[contact]", "[forces]\ndrag = { coefficient = 1e300 }\n[contact]"),
        ("[contact]", "[forces]\nmagnus = 1e300\n[contact]"),
        ("[contact]", "[forces]\nexternal = { x = \"1e9*sin(1e9*t)\", y = \"0\" }\n[contact]"),
        ("[contact]", "[forces]\nexternal = { x = \"1/(t-0.1)\", y = \"ln(0.2-t)\" }\n[contact]"),
        ("[contact]", "[forces]\nexternal = { x = \"-1e300*vx\", y = \"exp(1e3*y)\" }\n[contact]"),
        ("\"hills.toml\"", "{ kind = \"graph\", y = \"1e-3*sin(1e6*x)\" }"),
        ("\"hills.toml\"", "{ kind = \"graph\", y = \"x^2*1e300\" }"),
        ("\"hills.toml\"", "{ kind = \"circle\", centre = [0, 1], radius = 0.05001, side = \"inside\" }"),
        ("\"hills.toml\"", "{ kind = \"circle\", centre = [0, 0], radius = 1e-300, side = \"outside\" }"),
    ];
    for (old, new) in cases {
        let text = DROP.replace(old, new).replace("hills.toml", "sine.toml");
        assert_ne!(text, DROP.replace("hills.toml", "sine.toml"), "`{old}` is not in the scenario");
        let text =
            if new.starts_with("duration = 1e") { text.replace("[output]\ninterval = 0.01\n", "") } else { text };
        survive("scenario", &text, || entry::scenario(&text, &profiles()));
    }
}
