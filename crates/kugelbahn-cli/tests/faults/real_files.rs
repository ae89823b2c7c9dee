//! Drawings and tables as programs and people write them.

use crate::common::{Place, unwrapped};

/// A place with a drawing of `faults/files` and a curve file of it.
fn drawn(file: &str) -> Place {
    let place = Place::new();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/files").join(file);
    place.write("a.svg", std::fs::read_to_string(path).unwrap());
    place.write("a.toml", "kind = 'svg'\nfile = 'a.svg'\n");
    place
}

#[track_caller]
fn checked(place: &Place) -> String {
    let outcome = place.kugelbahn(&["curves", "check", "a.toml"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    unwrapped(&outcome.stdout)
}

/// Symptom: an arc rounded onto its own start became a line without length.
#[test]
fn svg_arc_rounded_closed() {
    let round = checked(&drawn("svg-arc-rounded-closed-one.svg"));
    assert!(round.contains("length 0.1256") && round.contains("none: closed"), "{round}");
    let place = drawn("svg-arc-rounded-closed-two.svg");
    place.write("a.toml", "kind = 'svg'\nfile = 'a.svg'\npaths = 'all'\n");
    checked(&place);
}

/// Symptom: every Bézier curve whose ends are one point counted as a line.
#[test]
fn svg_teardrop() {
    let drop = checked(&drawn("svg-teardrop-drop.svg"));
    assert!(drop.contains("length 0.10183 m"), "{drop}");
    let place = Place::new();
    place.write("a.toml", "kind = 'bezier'\npoints = [[0.05, 0.05], [0.1, 0.1], [0, 0.1], [0.05, 0.05]]\n");
    checked(&place);
}

/// Symptom: a cubic of four equal points was a line without length, not nothing.
#[test]
fn svg_zero_cubic() {
    for file in ["svg-zero-cubic-track.svg", "svg-zero-cubic-track2.svg"] {
        let track = checked(&drawn(file));
        assert!(track.contains("pieces 2"), "{file}: {track}");
    }
}

/// Symptom: a drawing was listed, and `--radius` and `--svg` did nothing.
#[test]
fn svg_check_options() {
    let place = drawn("svg-zero-cubic-track.svg");
    let outcome = place.kugelbahn(&["curves", "check", "a.svg", "--radius", "0.008", "--svg", "check.svg"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("1 shape") && outcome.stdout.contains("pieces"), "{}", outcome.stdout);
    assert!(place.read("check.svg").contains("<svg"));
}

/// Symptom: a check with a radius took a thousand times as long as one without.
#[test]
fn svg_near_cusp_check() {
    let place = drawn("svg-near-cusp-check-arrow.svg");
    let limited = "ulimit -t 1 && exec \"$0\" curves check a.toml --radius 0.01";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_kugelbahn")]).current_dir(place.path("."));
    assert!(command.output().unwrap().status.success());
}

/// A drawing alone is a scenario: a marble falls on its line, also on one drawn from right to left, not on the frame around it.
#[test]
fn a_marble_falls_on_a_drawing() {
    let page = "<svg xmlns='http://www.w3.org/2000/svg' width='200mm' height='100mm' viewBox='0 0 200 100'>";
    let lands_on = |shapes: &str| {
        let place = Place::new();
        place.write("a run.svg", format!("{page}{shapes}</svg>"));
        let outcome = place.kugelbahn(&["run", "a run.svg", "--json", "--set", "solver.duration=0.2"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let summary: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(summary["title"], "A marble on a run.svg");
        let first = &summary["events"][0];
        assert_eq!(first["kind"], "impact", "{first}");
        first["ground"].as_str().unwrap_or_default().to_owned()
    };
    let frame = "<rect id='page' width='200' height='100'/>";
    assert_eq!(
        lands_on(&format!(
            "{frame}<path id='rail' d='M10 60 C60 90 120 90 190 60'/><circle id='pin' cx='90' cy='60' r='2'/>"
        )),
        "rail"
    );
    lands_on("<path id='rail' d='M190 60 C120 90 60 90 10 60'/>");
}

const LEVEL: &str =
    "ball.mass = 0.05\ninitial.position = [0, 5]\nground.curve = { kind = 'graph', y = -1 }\nsolver.duration = 2\n";

fn fit(name: &str, table: &str, more: &[&str]) -> String {
    let place = Place::new();
    place.write("s.toml", LEVEL);
    place.write(name, table);
    let outcome =
        place.kugelbahn(&[&["fit", name, "s.toml", "--free", "initial.position,initial.velocity"], more].concat());
    assert_eq!(outcome.code, 2, "{}", outcome.stdout);
    unwrapped(&outcome.stderr)
}

/// Symptom: `0.000` was no finite number in a table of commas, and the cure to leave it blank.
#[test]
fn table_mixed_decimals() {
    let told = fit("film.csv", "t;x;y\n0.000;0,00;5,00\n3,33E-02;0,10;4,99\n6,67E-02;0,20;4,98\n0,1;0,3;4,95\n", &[]);
    assert!(told.contains("`0.000` has a decimal point, the table commas: write 0,000"), "{told}");
    // Which of them a table has is what most of its numbers have.
    for cell in ["0,3", "1,000"] {
        let told = fit("film.csv", &format!("t;x;y\n0.0;0.0;5.00\n0.1;0.1;4.95\n0.2;0.2;4.8\n0.3;{cell};4.5\n"), &[]);
        let instead = cell.replace(',', ".");
        assert!(
            told.contains(&format!("row 5, column 2: `{cell}` has a decimal comma, the table points: write {instead}")),
            "{told}"
        );
    }
}

/// Symptom: of two numbers in one cell it was said that it is no finite number.
#[test]
fn table_two_numbers() {
    let told =
        fit("film.txt", "0.0\t0.0\t5.0\n0.1\t0.1\t4.95\n0.2\t0.2   4.8\n0.3\t0.3\t4.5\n", &["--columns", "1,2,3"]);
    assert!(told.contains("`0.2 4.8` is 2 numbers in one cell: a tab is missing"), "{told}");
}

/// Symptom: a spreadsheet was called an archive without a project.
#[test]
fn table_xls_is_xlsx() {
    let told = fit("film.xls", "PK\u{3}\u{4}", &[]);
    assert!(told.contains("is a spreadsheet") && told.contains("save the sheet as CSV"), "{told}");
    let place = Place::new();
    place.write("s.toml", LEVEL);
    place.write("film.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0");
    let outcome = place.kugelbahn(&["fit", "film.xls", "s.toml", "--free", "initial.position"]);
    assert!(outcome.stderr.contains("is a spreadsheet"), "{}", outcome.stderr);
}

/// Symptom: `t` in a parametric curve was an unknown constant.
#[test]
fn table_parametric_t() {
    let place = Place::new();
    let told = place.refused("initial.position = [0, 3]\nground.curve = { kind = 'parametric', x = '2*cos(t)', y = 'sin(t)', domain = [0, 3] }\n", &[]);
    assert!(unwrapped(&told).contains("the parameter of a parametric curve is called `s`"), "{told}");
}

/// Symptom: `1,5*x` and `x)` were told that a product needs its `*`, `x²` whether `x` was meant.
#[test]
fn formulas_of_other_programs() {
    let place = Place::new();
    for (formula, cure) in
        [("x²", "x^2"), ("|x|", "abs(x)"), ("√x", "sqrt(x)"), ("2x", "2*x"), ("y=x", "right-hand side alone")]
    {
        let told = unwrapped(&place.refused_curve(&format!("{{ kind = 'graph', y = '{formula}' }}")));
        assert!(told.contains(cure), "{told}");
    }
    for formula in ["1,5*x", "x)", "x>0"] {
        let told = place.refused_curve(&format!("{{ kind = 'graph', y = '{formula}' }}"));
        assert!(told.contains("expected an operator") && !told.contains("2*x"), "{told}");
    }
}

/// Symptom: nothing lay below the marble where the tenths of a drawing were its corners, or its gaps.
#[test]
fn a_marble_finds_a_place_on_corners_and_between_gaps() {
    let place = Place::new();
    let corners: String = (1..=10).map(|i| format!("L{} {}", 10 * i, 5 * (i % 2))).collect();
    let dashes: String = (0..50).map(|i| format!("M{} 0l1 0", 2 * i)).collect();
    for path in [format!("M0 0{corners}"), dashes] {
        place.write("it.svg", format!("<svg><path d='{path}'/></svg>"));
        let outcome = place.kugelbahn(&["run", "it.svg", "--set", "solver.duration=0.5"]);
        assert!(outcome.code == 0 && outcome.stdout.contains("impact"), "{path}: {}", outcome.stderr);
    }
}

/// Symptom: runs ended before the ball landed, and another number was to be freed.
#[test]
fn cli_aim_cut_off() {
    let place = Place::new();
    place.write(
        "cup.toml",
        "ball = { mass = 0.0459, radius = 0.0213 }\ninitial = { position = [0, 1.0], velocity = [1.5, 1.0] }\n\
         ground.curve = { kind = 'graph', y = '0' }\ncontact = { restitution = 0.72, friction = 0.3 }\nsolver.duration = 3.0\n",
    );
    let free = ["--free", "initial.velocity.x=0..5,initial.velocity.y=0..5"];
    let aim = ["aim", "cup.toml", "--target", "landing.x = 2.5", "--target", "height = 1.4"];
    let outcome = place.kugelbahn(&[&aim[..], &free].concat());
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("runs end before: run longer with --set solver.duration="), "{}", outcome.stderr);
}

/// A scenario that is begun with runs, and replaces no file.
#[test]
fn new_scenarios_run() {
    let place = Place::new();
    assert_eq!(place.kugelbahn(&["new", "throw.toml"]).code, 0);
    assert_eq!(place.kugelbahn(&["run", "throw.toml", "--quiet"]).code, 0);
    let again = place.kugelbahn(&["new", "throw.toml"]);
    assert!(again.code == 2 && again.stderr.contains("is there already"), "{}", again.stderr);
    let drawing = place.kugelbahn(&["new", "throw.svg"]);
    assert!(drawing.code == 2 && drawing.stderr.contains("kugelbahn new NAME.toml"), "{}", drawing.stderr);
}
