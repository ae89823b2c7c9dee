//! Bad input to the real binary: one message with place, mark, expectation and cure; exit 2; nothing written.

use crate::common::{DROP, Place};

/// Every part stands in the message, and the message is one.
#[track_caller]
pub fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no `{part}` in\n{message}");
    }
    assert_eq!(message.matches('×').count(), 1, "not one message:\n{message}");
    let digits = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
    assert!(digits < Some(25), "a number nobody can read:\n{message}");
}

#[test]
fn a_message_shows_place_mark_expectation_and_cure() {
    let place = Place::new();
    insta::assert_snapshot!(place.refused_line("mass = 1.0", "mas = 1.0"), @r#"
      × unknown key `mas` in [ball]
       ╭─[bad.toml:3:1]
     2 │ [ball]
     3 │ mas = 1.0
       · ─┬─
       ·  ╰── unknown key
     4 │ radius = 0.05
       ╰────
      help: did you mean `mass`? (known here: inertia, mass, radius)
    "#);
    insta::assert_snapshot!(place.refused_line("restitution = 0.5", "restitution = 1.5"), @r#"
      × `restitution` = 1.5 is not allowed
        ╭─[bad.toml:11:15]
     10 │ [contact]
     11 │ restitution = 1.5
        ·               ─┬─
        ·                ╰── must be between 0 and 1
     12 │ friction = 0.2
        ╰────
    "#);
    insta::assert_snapshot!(place.refused_curve(r#"{ kind = "graph", y = "0.1*sin(2*pi*z)" }"#), @r#"
     × in the formula for `y`: unknown name `z` (known here: x, pi, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, sqrt, abs, atan2, min, max) at column 14
       ╭─[bad.toml:9:45]
     8 │ [ground]
     9 │ curve = { kind = "graph", y = "0.1*sin(2*pi*z)" }
       ·                                             ┬
       ·                                             ╰── here
    10 │ [contact]
       ╰────
     help: a constant is named in `parameters`, such as parameters = { z = 1.0 }
    "#);
    insta::assert_snapshot!(place.refused(DROP, &["solver.step=0"]), @r#"
      × `step` = 0 is not allowed
       ╭─[--set:1:13]
     1 │ solver.step=0
       ·             ┬
       ·             ╰── must be positive and finite
       ╰────
    "#);
}

#[test]
fn unknown_and_missing_keys() {
    let place = Place::new();
    says(
        &place.refused_line("[solver]", "[slover]"),
        &["unknown key `slover`", "bad.toml:13:2", "did you mean `solver`?"],
    );
    says(&place.refused_line("friction = 0.2", "fricton = 0.2"), &["bad.toml:12:1", "did you mean `friction`?"]);
    says(
        &place.refused_line("interval = 0.01", "wibble = 1"),
        &["unknown key `wibble`", "known here: balls, contacts, format, interval, times"],
    );
    says(&place.refused_line("[initial]", "[initail]"), &["did you mean `initial`", "bad.toml:5:2"]);
    says(&place.refused_line("position = [0.0, 1.0]\n", ""), &["has no `position`", "bad.toml:5:1", "add `position`"]);
    says(&place.refused_line("curve = \"hills.toml\"\n", ""), &["has no `curve`", "add `curve`"]);
    says(&place.refused("", &[]), &["has no `ground`", "add `ground`"]);
    says(
        &place.refused_curve(r#"{ kind = "graph" }"#),
        &["has no `y`", "the height as a formula of x", "bad.toml:9:9"],
    );
    says(
        &place.refused_curve(r#"{ kind = "grpah", y = "x" }"#),
        &["unknown kind \"grpah\"", "did you mean \"graph\"?"],
    );
    says(&place.refused_curve(r#"{ kind = "line", from = [0, 0], to = [1, 0], y = 3 }"#), &["unknown key `y`"]);
    says(&place.refused(DROP, &["initial.contact.x=0"]), &["already says where", "not beside `contact`"]);
}

#[test]
fn wrong_types_and_numbers_outside_their_range() {
    let place = Place::new();
    let line = |old: &str, new: &str| place.refused_line(old, new);
    says(&line("mass = 1.0", "mass = \"heavy\""), &["`mass` is a string", "bad.toml:3:8", "expected a number"]);
    says(&line("mass = 1.0", "mass = -1.0"), &["`mass` = -1 is not allowed", "bad.toml:3:8", "must be positive"]);
    says(&line("mass = 1.0", "mass = nan"), &["NaN", "bad.toml:3:8"]);
    says(&line("mass = 1.0", "mass = inf"), &["`mass` = inf", "finite"]);
    says(&line("radius = 0.05", "radius = -0.05"), &["`radius` = -0.05", "bad.toml:4:10", "zero or positive"]);
    says(&line("radius = 0.05", "radius = 0.05\ninertia = \"ball\""), &["unknown inertia", "solid-sphere"]);
    says(&line("radius = 0.05", "radius = 0.05\ninertia = 2"), &["`inertia` = 2", "at most 1"]);
    says(&line("restitution = 0.5", "restitution = -0.1"), &["between 0 and 1", "bad.toml:11:15"]);
    says(&line("restitution = 0.5", "restitution = nan"), &["NaN"]);
    says(&line("friction = 0.2", "friction = -1"), &["`friction` = -1"]);
    says(&line("friction = 0.2", "friction = \"infinit\""), &["or \"infinite\""]);
    says(&line("position = [0.0, 1.0]", "position = [0.0]"), &["`position` has 1 items", "two numbers [x, y]"]);
    says(&line("position = [0.0, 1.0]", "position = [0.0, inf]"), &["not finite"]);
    says(&line("velocity = [0.3, 0.0]", "velocity = 3"), &["`velocity` is a number", "two numbers"]);
    says(&line("duration = 1.5", "step = 0"), &["`step` = 0", "positive"]);
    says(&line("duration = 1.5", "step = -1e-3"), &["`step` = -0.001"]);
    says(&line("duration = 1.5", "step = 1e-3\ntolerance = 1e-6"), &["both a step and a tolerance", "`step` fixes h"]);
    says(
        &line("duration = 1.5", "step = 1e-3\ngamma = 0.6"),
        &["`gamma` = 0.6 needs the formulation index3", "bad.toml:15:9", "leave `beta` and `gamma` out"],
    );
    says(&line("duration = 1.5", "formulation = \"projected\"\nstep = 1e-3\nbeta = 0.3"), &["`beta` = 0.3 needs"]);
    says(&line("duration = 1.5", "formulation = \"index3\"\nbeta = 0.3"), &["give `step`"]);
    says(&line("duration = 1.5", "tolerance = 1e-300"), &["at least 1e-15"]);
    says(&line("duration = 1.5", "duration = 0"), &["`duration` = 0"]);
    says(&line("duration = 1.5", "duration = inf"), &["`duration` = inf"]);
    says(&line("duration = 1.5", "capture-speed = -1"), &["`capture-speed` = -1"]);
    says(&line("duration = 1.5", "method = \"euler\""), &["unknown method \"euler\"", "\"newmark\""]);
    says(&line("duration = 1.5", "formulation = \"index3\""), &["symmetric formulation", "give `step`"]);
    says(&line("interval = 0.01", "interval = 1e-300"), &["`interval` = 1e-300", "at least duration/1e8"]);
    says(&line("interval = 0.01", "interval = 0"), &["`interval` = 0"]);
    says(&line("mass = 1.0", "mass = 1979-05-27"), &["`mass` is a date"]);
    says(&line("mass = 1.0", "mass = 1.0\nmass = 2.0"), &["duplicate key", "bad.toml:4:1"]);
    says(&line("[ball]", "[ball"), &["not TOML", "bad.toml:2"]);
}

#[test]
fn a_start_that_cannot_be() {
    let place = Place::new();
    let below = place.refused_line("position = [0.0, 1.0]", "position = [0.5, 0.1]");
    says(&below, &["m below the ground", "bad.toml:6:12", "at least one radius above"]);
    let start = |text: &str| {
        place.refused(&DROP.replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", &format!("contact = {text}")), &[])
    };
    says(&start("{ speed = 1 }"), &["does not say where", "give `x`"]);
    says(&start("{ x = 0, s = 0 }"), &["both `x` and `s`"]);
    says(&start("{ x = 0, spin = \"wild\" }"), &["or \"rolling\""]);
    says(&start("{ x = 0.3, speed = 1e300 }"), &["`speed` is too large", "at most 1e12"]);
    says(&start("{ x = 0.3, speed = -1e13 }"), &["`speed` is too large"]);
    says(&start("{ x = 0.3, spin = 1e200 }"), &["`spin` is too large", "at most 1e12"]);
    says(&start("{ x = 0.3, spin = inf }"), &["`spin` is too large"]);
    says(&start("{ x = 1e13 }"), &["`contact` is too large"]);
    says(&place.refused_line("velocity = [0.3, 0.0]", "spin = 1e200"), &["`spin` is too large"]);
    says(&place.refused_line("velocity = [0.3, 0.0]", "velocity = [0, 1e13]"), &["`velocity` is too large"]);
    let on_circle = DROP
        .replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", "contact = { x = 0 }")
        .replace("\"hills.toml\"", "{ kind = \"circle\", centre = [0, 0], radius = 1, side = \"inside\" }");
    says(&place.refused(&on_circle, &[]), &["in 2 places", "give `s` instead"]);
    says(&place.refused(&on_circle.replace("x = 0", "x = 7"), &[]), &["there is no ground at x = 7"]);
    says(
        &place.refused(&on_circle.replace("x = 0", "s = -7"), &[]),
        &["there is no ground at s = -7", "from 0 to 6.28"],
    );
    let too_large = on_circle.replace("x = 0", "s = 1").replace("radius = 0.05", "radius = 1.5");
    says(&place.refused(&too_large, &[]), &["does not fit there"]);
    let steep = DROP
        .replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", "contact = { x = 0.0 }")
        .replace("\"hills.toml\"", "{ kind = \"graph\", y = \"0.3/(1+exp((0.5-x)/1e-4)^2)\" }");
    says(&place.refused(&steep, &[]), &["no direction at s = 0", "overflow"]);
}

#[test]
fn formulas_that_do_not_parse() {
    let place = Place::new();
    let formula = |text: &str| place.refused_curve(&format!("{{ kind = \"graph\", y = \"{text}\" }}"));
    // The formula begins in column 32.
    says(&formula("x^^2"), &["bad.toml:9:34", "found `^`"]);
    says(&formula("2x"), &["bad.toml:9:33", "write 2*x, not 2x"]);
    says(&formula("sin(x"), &["bad.toml:9:35", "no matching `)`"]);
    says(&formula("sni(x)"), &["bad.toml:9:32", "unknown name `sni`", "did you mean `sin`?"]);
    says(&formula("sin x"), &["needs its argument in parentheses"]);
    says(&formula("atan2(x)"), &["takes 2 argument(s), not 1"]);
    says(&formula(""), &["the expression is empty"]);
    says(&formula("x +"), &["ends where a number"]);
    says(&formula("1e999*x"), &["`1e999` is not a finite number"]);
    says(&formula(&"(".repeat(5000)), &["nested too deeply"]);
    says(&formula(&"-".repeat(9000)), &["nested too deeply"]);
    says(&formula(&"x+".repeat(20_000)), &["too long"]);
    let force = DROP.replace("[contact]", "[forces]\nexternal = { x = \"0\", y = \"vz*m\" }\n[contact]");
    says(&place.refused(&force, &[]), &["unknown name `vz`", "known here: t, x, y, vx, vy, m, g, spin"]);
}

#[test]
fn curves_that_cannot_be_ground() {
    let place = Place::new();
    let graph = |y: &str, domain: &str| place.refused_curve(&format!("{{ kind = \"graph\", y = \"{y}\"{domain} }}"));
    says(&graph("sqrt(x)", ""), &["not finite", "give a `domain`", "bad.toml:9:31"]);
    says(&graph("1/x", ""), &["not finite at x = 0"]);
    says(&graph("1/0", ""), &["not finite", "bad.toml:9:31"]);
    says(&graph("tan(x)", ""), &["`y` is undefined or grows without bound", "infinite x", "give a `domain`"]);
    says(&graph("ln(x)", ", domain = [-1, 1]"), &["not finite"]);
    for (formula, cure) in [
        ("log(x)", "the natural logarithm is `ln`"),
        ("log2(x)", "log2(x) is ln(x)/ln(2)"),
        ("pow(x,2)", "a power is written x^2"),
        ("e^x", "e^x is exp(x)"),
        ("π*x", "π is written `pi`"),
        ("gamma(x)", "no function has this name"),
        ("A*x", "parameters = { A = 1.0 }"),
    ] {
        says(&graph(formula, ""), &["unknown name", cure]);
    }
    says(&graph("x", ", domain = [1, 1]"), &["from 1 to 1 has no length", "from < to"]);
    says(&graph("x", ", domain = [2, 1]"), &["from 2 to 1 has no length"]);
    says(&graph("x", ", domain = [0, nan]"), &["NaN"]);
    says(&graph("x", ", domain = [0]"), &["expected [from, to]"]);
    says(&graph("abs(sin(x))", ""), &["give a finite domain"]);
    let curve = |text: &str| place.refused_curve(text);
    let cusp = r#"{ kind = "parametric", x = "s^2", y = "s^3", domain = [-1, 1] }"#;
    says(&curve(cusp), &["zero speed (a cusp)", "end the domain short of the cusp"]);
    let still = r#"{ kind = "parametric", x = "1", y = "2", domain = [-1, 1] }"#;
    says(&curve(still), &["zero speed"]);
    // Closed, it crosses itself at (0, 0), s = π/2 and 3π/2.
    let crossing = r#"{ kind = "parametric", x = "cos(s)", y = "sin(2*s)", domain = [0, 6.283185307179586] }"#;
    says(&curve(crossing), &["crosses or touches itself at", "s = 1.570796", "s = 4.712388", "cut the curve"]);
    let lines = r#"{ kind = "polyline", points = [[0, 0], [2, 0], [2, 1], [1.3, 0]] }"#;
    says(&curve(lines), &["crosses or touches itself at (1.", "piece 0", "piece 2"]);
    let back = r#"{ kind = "polyline", points = [[0, 0], [2, 0], [1, 0]] }"#;
    says(&curve(back), &["turns back on itself (a cusp)", "(2.0, 0.0)"]);
    let twice = r#"{ kind = "polyline", points = [[0, 0], [1, 0], [1, 0]] }"#;
    says(&curve(twice), &["from (1, 0) to (1, 0) has no length", "bad.toml:9:56", "two different points"]);
    says(&curve(r#"{ kind = "polyline", points = [[0, 0]] }"#), &["at least two points"]);
    let apart = r#"{ kind = "composite", pieces = [{ kind = "line", from = [0, 0], to = [1, 0] }, { kind = "line", from = [1, 0.1], to = [2, 0] }] }"#;
    says(
        &curve(apart),
        &["ends at (1.0, 0.0)", "begins at (1.0, 0.1)", "0.1 m away", "begin where the one before ends"],
    );
    says(&curve(r#"{ kind = "composite", pieces = [] }"#), &["without pieces"]);
    let round = |radius: &str| format!(r#"{{ kind = "circle", centre = [0, 0], radius = {radius}, side = "inside" }}"#);
    says(&curve(&round("0")), &["`radius` = 0", "must be positive"]);
    says(&curve(&round("-1")), &["`radius` = -1"]);
    says(&curve(&round("nan")), &["NaN"]);
    let arc = r#"{ kind = "arc", centre = [0, 0], radius = 1, from = 0, to = 7 }"#;
    says(&curve(arc), &["more than once", "at most 2 pi"]);
    let same = r#"{ kind = "arc", centre = [0, 0], radius = 1, from = 1, to = 1 }"#;
    says(&curve(same), &["has no length", "two different angles"]);
    says(&curve(r#"{ kind = "graph", y = "a*x", parameters = { a = "b" } }"#), &["unknown name `b`"]);
    says(&curve(r#"{ kind = "graph", y = "1", parameters = { sin = 1 } }"#), &["can't be the name of a parameter"]);
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new();
    let missing = place.kugelbahn(&["run", "nothing.toml", "--out", "out"]);
    assert_eq!(missing.code, 2);
    says(&missing.stderr, &["can't read the scenario nothing.toml", "give the path"]);
    place.write("latin.toml", b"title = \"ok\"\ntitle2 = \"M\xfcller\"\n");
    let latin = place.kugelbahn(&["run", "latin.toml", "--out", "out"]);
    assert_eq!(latin.code, 2);
    says(&latin.stderr, &["latin.toml is not UTF-8", "line 2", "save it as UTF-8"]);
    assert!(!place.path("out").exists());
    let gone = place.refused_line("hills.toml", "hill.toml");
    says(&gone, &["can't read the curve file hill.toml", "bad.toml:9:9", "relative to that file"]);
    // A mistake in the curve file is shown there.
    place.write("broken.toml", "kind = \"graph\"\ny = \"x +* 2\"\n");
    says(&place.refused_line("hills.toml", "broken.toml"), &["broken.toml:2:9", "found `*`"]);
    // Files that name each other.
    place.write("a.toml", "kind = \"composite\"\npieces = [{ curve = \"a.toml\" }]\n");
    says(&place.refused_line("hills.toml", "a.toml"), &["nested too deeply"]);
    says(&place.refused_line("hills.toml", "."), &["can't read the curve file"]);
}

#[test]
fn settings_are_named_in_messages() {
    let place = Place::new();
    let set = |setting: &str| place.refused(DROP, &[setting]);
    says(&set("ball.mas=2"), &["unknown key `mas`", "[--set:1:6]", "did you mean `mass`?"]);
    says(&set("bal.mass=2"), &["unknown key `bal`", "did you mean `ball`?"]);
    says(&set("ball.mass=heavy"), &["`mass` is a string", "[--set:1:11]"]);
    says(&set("ball.mass=-2"), &["`mass` = -2", "[--set:1:11]", "must be positive"]);
    says(&set("ground.parameters.amplitud=0.2"), &["no parameter `amplitud`", "did you mean `amplitude`?"]);
    says(&set("ball"), &["sets nothing", "expected KEY=VALUE", "for example --set"]);
    says(
        &set("contact.restitution="),
        &["`contact.restitution=` sets nothing", "a value is missing", "for example --set"],
    );
    says(&set("ball..mass=1"), &["a name is missing"]);
    says(&set("title.x=1"), &["can't be set inside a string"]);
    says(&set("initial.position.7=1"), &["there is no item 7"]);
    says(&set("=1"), &["is no key"]);
    let deep = format!("{}=1", vec!["a"; 5000].join("."));
    says(&set(&deep), &["too many"]);
}

/// Two balls by time stepping.
const PAIR: &str = r#"[[ball]]
radius = 0.1
initial = { position = [0.0, 1.0] }
[[ball]]
radius = 0.2
initial = { position = [0.4, 1.0] }
[ground]
curve = { kind = "graph", y = 0 }
[contact]
restitution = 0.5
[solver]
method = "moreau"
step = 1e-3
duration = 1.0
"#;

#[test]
fn time_stepping_and_several_balls() {
    let place = Place::new();
    insta::assert_snapshot!(place.refused(&PAIR.replace("0.4, 1.0", "0.2, 1.0"), &[]), @r"
      × ball 1 and ball 2 overlap by 0.1 m at the start
       ╭─[bad.toml:6:11]
     5 │ radius = 0.2
     6 │ initial = { position = [0.2, 1.0] }
       ·           ────────────┬────────────
       ·                       ╰── ball 2 starts here
     7 │ [ground]
       ╰────
      help: put their centres at least the sum of their radii apart
    ");
    let line = |old: &str, new: &str| {
        assert!(PAIR.contains(old));
        place.refused(&PAIR.replace(old, new), &[])
    };
    let set = |setting: &str| place.refused(PAIR, &[setting]);
    says(&line("step = 1e-3\n", ""), &["[solver] has no `step`", "bad.toml:11:1", "marches in fixed steps"]);
    says(&line("step = 1e-3", "step = 0"), &["`step` = 0", "bad.toml:13:8", "at most the duration of 1 s"]);
    for (settings, steps) in [
        (&["solver.step=1e-300"][..], "1e300"),
        (&["solver.step=1e-12", "solver.duration=1e-3"], "1e9"),
        (&["solver.limit=100"], "1000"),
    ] {
        let message = place.refused(PAIR, settings);
        says(&message, &["`step` = ", &format!("makes {steps} steps, and `limit` is"), "a larger `limit`"]);
    }
    says(&set("solver.step=2"), &["`step` = 2", "at most the duration of 1 s"]);
    says(&set("solver.theta=0.4"), &["`theta` = 0.4", "between 0.5 and 1"]);
    says(&set("solver.theta=1.1"), &["`theta` = 1.1"]);
    says(&set("solver.theta=nan"), &["NaN"]);
    says(&set("solver.lcp=lemka"), &["unknown lcp \"lemka\"", "\"gauss-seidel\"", "did you mean \"lemke\"?"]);
    says(&set("solver.projection=yes"), &["`projection` is a string", "true, false, or a tolerance"]);
    says(&set("solver.lcp-tolerance=0"), &["`lcp-tolerance` = 0"]);
    says(&line("step = 1e-3", "step = 1e-3\ntolerance = 1e-9"), &["key of event-driven runs", "bad.toml:14:13"]);
    says(&set("solver.tolerance=1e-9"), &["key of event-driven runs", "leave `tolerance` out"]);
    says(&set("contact.restitution=1.5"), &["between 0 and 1"]);
    says(&set("contact.balls.friction=-1"), &["`friction` = -1"]);
    says(&line("method = \"moreau\"", "method = \"moroe\""), &["did you mean \"moreau\"?"]);
    says(&line("method = \"moreau\"", ""), &["2 balls need time stepping", "bad.toml:4:1", "solver.method"]);
    says(&line("method = \"moreau\"", "method = \"kern\""), &["knows one ball"]);
    says(&place.refused(&format!("[ball]\nmass = 1\n{PAIR}"), &[]), &["duplicate key", "several are a `[[ball]]`"]);
    says(&set("initial.position=[0, 1]"), &["beside `[[ball]]`", "give each ball its own"]);
    says(&set("ball.2.initial.position=[0.4, 0.1]"), &["0.1 m below the ground", "this is ball 2"]);
    says(&set("ball.2.mass=nan"), &["NaN"]);
    says(&set("ball.2.radius=-1"), &["`radius` = -1"]);
    says(&line("initial = { position = [0.4, 1.0] }", ""), &["[[ball]] 2 has no `initial`"]);
    says(&place.refused(DROP, &["solver.theta=0.5"]), &["key of time stepping", "give `method = \"moreau\"`"]);
    let between = format!("{DROP}[contact.balls]\nfriction = 0.1\n");
    says(&place.refused(&between, &[]), &["`[contact.balls]` is for time stepping", "bad.toml:", "solver.method"]);
    let one = format!("{DROP}[contact.balls]\nfriction = 0.1\n").replace("[solver]", "[solver]\nmethod = \"bdf\"");
    says(&place.refused(&one, &[]), &["`[contact.balls]` is for time stepping"]);
    let set = ["solver.method=newmark", "contact.balls.friction=0.1"];
    says(&place.refused(DROP, &set), &["`[contact.balls]` is for time stepping", "--set"]);
    let kern = ["solver.method=kern", "solver.step=1e-3"];
    says(&place.refused(DROP, &kern), &["Kern's scheme can't run this", "a radius of 0.05 m", "\"moreau\""]);
    let drop = "ball.radius=0";
    says(&place.refused(DROP, &[&kern[..], &[drop]].concat()), &["0.3 m/s to the side"]);
    let drop = [drop, "initial.velocity=[0, 0]"];
    says(&place.refused(DROP, &[&kern[..], &drop].concat()), &["not one level line"]);
    let level = ["ground.curve={ kind = \"graph\", y = 0 }", "forces.drag.coefficient=0.1"];
    says(&place.refused(DROP, &[&kern[..], &drop, &level].concat()), &["not one of the time alone"]);
    let rubs = ["ground.curve={ kind = \"graph\", y = 0 }", "contact.friction=0.3"];
    says(&place.refused(DROP, &[&kern[..], &drop, &rubs].concat()), &["knows no friction", "\"moreau\""]);
    says(&place.refused(DROP, &[&kern[..], &["solver.theta=0.5"]].concat()), &["`theta` is a key of \"moreau\""]);
    let stuck = ["contact.friction=\"infinite\"", "solver.lcp=lemke"];
    says(&place.refused(PAIR, &stuck), &["can't do infinite friction", "gauss-seidel"]);
}

#[test]
fn compliant_contact() {
    let place = Place::new();
    let contact = |with: &str| place.refused_line("restitution = 0.5\nfriction = 0.2", with);
    says(&contact("law = \"herz\""), &["unknown law \"herz\"", "bad.toml:11:7", "did you mean \"hertz\"?"]);
    says(&contact("law = \"hertz\""), &["has no `stiffness`", "youngs-modulus", "bad.toml:10:1"]);
    says(
        &contact("law = \"hertz\"\nyoungs-modulus = 0"),
        &["`youngs-modulus` = 0 is not allowed", "positive and finite (Pa)", "bad.toml:12:18"],
    );
    says(
        &contact("law = \"kelvin-voigt\"\nstiffness = -1"),
        &["`stiffness` = -1 is not allowed", "positive and finite", "bad.toml:12:13"],
    );
    says(
        &contact("law = \"hunt-crossley\"\nstiffness = 1e5\nexponent = 0.5"),
        &["`exponent` = 0.5 is not allowed", "between 1 and 10"],
    );
    says(&contact("law = \"hertz\"\nstiffness = 1e5\nviscosity = nan"), &["bad.toml:13:13", "viscosity"]);
    says(
        &contact("law = \"hertz\"\nstiffness = 1e5\nyoungs-modulus = 1e7"),
        &["both `youngs-modulus` and `stiffness`", "2πE√(2R)"],
    );
    says(
        &contact("law = \"hertz\"\nstiffness = 1e5\nrestitution = 0.5"),
        &["`restitution` is a key of rigid contact", "bad.toml:13:15", "damping"],
    );
    says(&contact("stiffness = 1e5"), &["`stiffness` is no key of the contact law \"rigid\"", "\"hertz\""]);
    says(
        &contact("law = \"hertz\"\nstiffness = 1e5\ndamping = 1"),
        &["`damping` is no key of the contact law \"hertz\"", "\"kelvin-voigt\", \"hunt-crossley\""],
    );
    says(&contact("law = \"hertz\"\nstiffness = 1e5\nfriction = \"infinite\""), &["friction", "regularised"]);
    // Keys of the file that `--set` leaves without a meaning were dropped without a word.
    place.write("drop.toml", DROP.replace("friction = 0.2", "static-friction = 0.2"));
    let set = ["run", "drop.toml", "--set", "contact.law=hertz", "--set", "contact.stiffness=1e5"];
    let warned = place.kugelbahn(&set).stderr;
    assert!(warned.contains("left-aside: `contact.restitution`, `contact.static-friction` of the file: "), "{warned}");
    let soft = ["contact={ law = \"hertz\", stiffness = 1e5 }"];
    says(&place.refused(DROP, &[soft[0], "ball.radius=0"]), &["needs a ball with a radius", "can't be compressed"]);
    says(
        &place.refused(DROP, &[soft[0], "solver.method=moreau", "solver.step=1e-3"]),
        &["time stepping knows rigid contact alone", "solver.method"],
    );
}

#[test]
fn event_solvers() {
    let place = Place::new();
    let refused = |settings: &[&str]| place.refused(DROP, settings);
    says(&refused(&["solver.method=bfd"]), &["unknown method \"bfd\"", "\"dop853\"", "did you mean \"bdf\"?"]);
    says(&refused(&["solver.localisation=parabula"]), &["unknown localisation", "did you mean \"parabola\"?"]);
    for method in ["bdf", "radau", "dop853"] {
        let method = format!("solver.method={method}");
        for tolerance in ["solver.tolerance=0", "solver.tolerance=-1e-6", "solver.tolerance=1e-15"] {
            says(&refused(&[&method, tolerance]), &["`tolerance` = ", "at least 1e-14 (rounding) and below 1"]);
        }
        says(&refused(&[&method, "solver.absolute-tolerance=0"]), &["`absolute-tolerance` = 0"]);
        let extrapolate = ["solver.step=1e-2", "solver.extrapolate=true"];
        says(&refused(&[&[&method[..]], &extrapolate[..]].concat()), &["`extrapolate` is for \"newmark\"", "leave"]);
        says(&refused(&[&method, "solver.theta=0.5"]), &["key of time stepping", &method["solver.method=".len()..]]);
    }
    let stepping = ["solver.method=moreau", "solver.step=1e-3", "solver.localisation=parabola"];
    says(&refused(&stepping), &["`localisation` is a key of event-driven runs"]);
}

#[test]
fn motions_of_the_ground() {
    let place = Place::new();
    let refused = |motion: &str, more: &[&str]| {
        let motion = format!("ground.motion={motion}");
        let settings = [&[&*motion], more].concat();
        place.refused(DROP, &settings)
    };
    says(&refused("{}", &[]), &["has neither `x` nor `y`", "the way of the ground as formulas of t"]);
    says(&refused("{ y = \"A*sin(t)\" }", &[]), &["unknown name `A`", "known here: t"]);
    says(&refused("{ y = 1, z = 2 }", &[]), &["unknown key `z`", "[ground.motion]"]);
    says(&refused("{ y = \"t\", parameters = { t = 2 } }", &[]), &["`t` can't be the name"]);
    says(&refused("{ y = \"sqrt(t)\" }", &[]), &["no finite value at t = 0"]);
    says(&refused("{ y = \"abs(t - 0.25)\" }", &[]), &["switch at t = 0.25 s", "smooth formulas"]);
    says(&refused("{ y = \"sin(t)\" }", &["solver={ method = \"moreau\", step = 1e-3 }"]), &["no moving ground"]);
    says(&refused("{ y = \"10 + 0*t\" }", &[]), &["below the ground"]);
}
