//! Several curves of one file, or several passages of one curve.

mod layers;
mod watched;

use std::path::Path;

use scenario::curve::{Curve, curve_from_text};
use scenario::{Scenario, run};
use supervisor::Recording;
use tempfile::TempDir;

/// A drawing as Inkscape writes it: layers, labels, a layer that is hidden, shapes that are drawn by `<use>`.
const DRAWING: &str = r##"<svg width="400mm" height="300mm" viewBox="0 0 400 300"
    xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
    xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">
<defs><circle id="shape" r="5"/></defs>
<g inkscape:label="Track" inkscape:groupmode="layer" id="layer1" transform="translate(0,10)">
  <path id="path10" inkscape:label="rail" d="M 10 50 C 60 50 80 120 150 120"/>
  <path id="path11" d="M 390 60 L 250 180"/>
</g>
<g inkscape:label="Pins" inkscape:groupmode="layer" id="layer2">
  <use xlink:href="#shape" x="200" y="200"/><use xlink:href="#shape" x="230" y="200" id="right"/>
  <line x1="0" y1="280" x2="400" y2="280"/>
</g>
<g inkscape:label="Notes" inkscape:groupmode="layer" style="display:none"><path d="M0 0L1 1" id="secret"/></g>
</svg>"##;

const TABLE: &str = "x,y,curve\n0,1,upper\n1,0.8,upper\n1.9,0.1,lower\n4,0,lower\n2,0.4,upper\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.svg"), DRAWING).unwrap();
    std::fs::write(folder.path().join("t.csv"), TABLE).unwrap();
    folder
}

fn drawn(folder: &Path, keys: &str) -> Curve {
    curve_from_text(&format!("kind = 'svg'\nfile = 'd.svg'\n{keys}"), folder).unwrap()
}

fn names(curve: &Curve) -> Vec<&str> {
    curve.curves.iter().map(|(name, _)| &**name).collect()
}

#[test]
fn shapes_of_a_drawing() {
    let folder = folder();
    let drawn = |keys: &str| drawn(folder.path(), keys);
    assert_eq!(names(&drawn("paths = 'all'")), ["rail", "path11", "path 3", "right", "path 5"]);
    assert_eq!(names(&drawn("layer = 'Pins'")), ["path 3", "right", "path 5"]);
    assert_eq!(names(&drawn("layer = 'layer1'")), ["rail", "path11"]);
    let two = drawn("paths = ['rail', 4]");
    assert_eq!((names(&two), two.ground.curves()), (vec!["rail", "path 4"], 2));
    assert!((two.ground.length_of(1) - 0.01 * std::f64::consts::PI).abs() < 1e-15);
    // A path alone is what it is among others; drawn from right to left it may be run from left to right.
    for (i, path) in ["'rail'", "'path11'", "3", "'right'", "5"].iter().enumerate() {
        for side in ["left", "above"] {
            let alone = drawn(&format!("path = {path}\nfree-side = '{side}'")).ground;
            let all = drawn(&format!("paths = 'all'\nfree-side = '{side}'")).ground;
            let ends = |ground: &curves::Ground, curve: usize| {
                let pieces = &ground.pieces()[ground.pieces_of(curve)];
                let (first, last) = (&pieces[0], &pieces[pieces.len() - 1]);
                [first.curve().point_at(first.domain().lo), last.curve().point_at(last.domain().hi)]
            };
            assert_eq!(ends(&alone, 0), ends(&all, i));
            let [from, to] = ends(&alone, 0);
            assert!(side == "left" || from.x < to.x + 1e-12);
        }
    }
}

#[test]
fn curves_of_a_table() {
    let folder = folder();
    let table =
        |keys: &str| curve_from_text(&format!("kind = 'csv'\nas = 'polyline'\nfile = 't.csv'\n{keys}"), folder.path());
    let all = table("curve-column = 'curve'").unwrap();
    assert_eq!(names(&all), ["upper", "lower"]);
    for (i, name) in ["upper", "lower"].iter().enumerate() {
        let alone = table(&format!("curve-column = 3\ncurve = '{name}'")).unwrap();
        assert!(alone.curves.is_empty());
        assert_eq!(alone.ground.length(), all.ground.length_of(i));
    }
    for (keys, wanted) in [
        ("curve = 'upper'", "needs `curve-column`"),
        ("curve-column = 'name'", "no column `name`"),
        ("curve-column = 9", "there is no column 9"),
        ("curve-column = 3\ncurve = 'low'", "no curve `low`"),
    ] {
        let error = table(keys).unwrap_err().to_string();
        assert!(error.contains(wanted), "{keys}: {error}");
    }
}

/// A scenario says its curves one by one when it is written out, and is the same again.
#[test]
fn written_out_and_read_again() {
    let folder = folder();
    let tail = "curve = { kind = 'svg', file = 'd.svg', paths = 'all', free-side = 'above' }\n";
    let one = format!("ball.radius = 0.004\ninitial.position = [0.03, 0.27]\n[ground]\n{tail}");
    let several = format!(
        "ball.radius = 0.004\ninitial.position = [0.03, 0.27]\n[[ground]]\nname = 'all'\n{tail}contact = {{ restitution = 0.3 }}\n"
    );
    for (text, first, restitution) in [(one, "rail", None), (several, "all.rail", Some(0.3))] {
        let read = Scenario::from_text(&text, folder.path(), &[]).unwrap();
        assert_eq!(read.curve.name(0), Some(first));
        let mut resolved = read.resolved();
        // TOML has no null.
        resolved["forces"].as_object_mut().unwrap().shift_remove("external");
        assert_eq!(resolved["ground"][4]["contact"]["restitution"].as_f64(), restitution);
        let again = Scenario::from_text(&toml::to_string(&resolved).unwrap(), folder.path(), &[]).unwrap();
        let all =
            |scenario: &Scenario| scenario.curve.curves.iter().map(|curve| curve.name.clone()).collect::<Vec<_>>();
        assert_eq!(all(&again), all(&read));
        assert_eq!(again.scene.ground.ground().length(), read.scene.ground.ground().length());
        assert_eq!(again.resolved()["ground"], resolved["ground"]);
    }
}

#[test]
fn refused() {
    let folder = folder();
    for (keys, wanted) in [
        ("path = 'rail'\npaths = 'all'", "two choices"),
        ("layer = 'Track'\npaths = ['rail']", "two choices"),
        ("layer = 'track'", "in a layer `track`"),
        ("layer = 'Notes'", "nothing can be seen in the layer `Notes`"),
        ("layer = 'Nowhere'", "nothing is drawn in a layer"),
        ("paths = []", "`paths` names no path"),
        ("paths = 'rail'", "is a string"),
        ("paths = ['rail', 'rail']", "names one path twice"),
        ("paths = [6]", "no path 6"),
        ("path = 'layer1'", "not a path"),
    ] {
        let text = format!("kind = 'svg'\nfile = 'd.svg'\n{keys}");
        let error = curve_from_text(&text, folder.path()).unwrap_err().to_string();
        assert!(error.contains(wanted), "{keys}: {error}");
    }
    for (drawing, keys) in [
        ("<svg width='1mm' height='1mm' viewBox='0 0 1 1'/>", "paths = 'all'"),
        ("<svg width='1mm' height='1mm' viewBox='0 0 1 1'><g id='g'><text x='0' y='1'>rail</text></g></svg>", ""),
    ] {
        std::fs::write(folder.path().join("empty.svg"), drawing).unwrap();
        let error = curve_from_text(&format!("kind = 'svg'\nfile = 'empty.svg'\n{keys}"), folder.path()).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("nothing can be seen in the drawing") && error.contains("empty.svg"), "{error}");
    }
    // Two of one label are told by their ids; lists have what can be seen, by both.
    let twice = DRAWING.replace("<path id=\"path11\"", "<path id=\"path11\" inkscape:label=\"rail\"");
    std::fs::write(folder.path().join("d.svg"), twice).unwrap();
    let refused = |keys: &str| {
        let error = curve_from_text(&format!("kind = 'svg'\nfile = 'd.svg'\n{keys}"), folder.path()).unwrap_err();
        format!("{error:?} {error}")
    };
    assert!(refused("path = 'rail'").contains("by its id: path10, path11"), "{}", refused("path = 'rail'"));
    let none = refused("path = 'pth'");
    assert!(none.contains("its paths are rail (path10), rail (path11), right") && !none.contains("secret"), "{none}");
    let inside = "kind = 'composite'\npieces = [{ kind = 'svg', file = 'd.svg', paths = 'all' }]";
    assert!(curve_from_text(inside, folder.path()).unwrap_err().to_string().contains("no part of one"));
}

/// Thousands of shapes, and a path of ten thousand nodes, are read once each.
#[test]
fn large_drawings() {
    let folder = folder();
    let pins: String =
        (0..3000).map(|i| format!("<use href=\"#p\" x=\"{}\" y=\"{}\"/>", 10 * (i % 60), 10 * (i / 60))).collect();
    let nodes: String = (0..10_000).map(|i| format!(" {} {:.3}", i, 5.0 * (0.01 * f64::from(i)).sin())).collect();
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1000mm' height='900mm' viewBox='0 0 1000 900'><defs><circle id='p' r='2'/></defs>{pins}<path d='M{nodes}' transform='scale(0.1)'/></svg>"
    );
    std::fs::write(folder.path().join("d.svg"), text).unwrap();
    let all = drawn(folder.path(), "paths = 'all'");
    assert_eq!((all.curves.len(), all.ground.curves()), (3001, 3001));
    assert_eq!(all.ground.pieces_of(3000).len(), 9999);
}

/// The items of a list are set by their names.
#[test]
fn items_by_their_names() {
    let plank = |name: &str, y: f64| {
        format!("[[ground]]\nname = '{name}'\ncurve = {{ kind = 'line', from = [0, {y}], to = [1, {y}] }}\n")
    };
    let text = format!("initial.position = [0.5, 2]\n{}{}", plank("low", 0.0), plank("high", 1.0));
    let set = |setting: &str| Scenario::from_text(&text, Path::new(""), &[setting.to_owned()]);
    let law = |setting: &str| -> Vec<Option<f64>> {
        let resolved = set(setting).unwrap().resolved();
        let tables = resolved["ground"].as_array().unwrap().iter();
        tables.map(|table| table["contact"]["restitution"].as_f64()).collect()
    };
    assert_eq!(law("ground.high.contact.restitution=0.3"), [Some(0.0), Some(0.3)]);
    assert_eq!(law("ground.0.contact.restitution=0.3"), [Some(0.3), Some(0.0)]);
    let refused = format!("{:?}", set("ground.hihg.contact.restitution=0.3").unwrap_err());
    assert!(refused.contains("or its name: low, high"), "{refused}");
}

/// `s` on one curve of several: parameters of the others do not count.
#[test]
fn a_place_of_one_curve() {
    let plank = |name: &str, from: &str, to: &str| {
        format!("[[ground]]\nname = '{name}'\ncurve = {{ kind = 'line', from = {from}, to = {to} }}\n")
    };
    let text = format!(
        "ball = {{ mass = 0.2, radius = 0.04 }}\ncontact = {{ restitution = 0, friction = 'infinite' }}\n\
         initial = {{ position = [0.1, 1.2] }}\nsolver.duration = 5\n{}{}",
        plank("upper", "[0, 1]", "[1, 0.9]"),
        plank("lower", "[0.8, 0.5]", "[3, 0.3]")
    );
    let watches = "[[watch]]\nname = 'any'\ns = 0.9\n[[watch]]\nname = 'low'\ns = 0.9\nground = 'lower'\n\
                   [[watch]]\nname = 'high'\nground = 'upper'\ns = 0.9\n";
    let scenario = Scenario::from_text(&(text.clone() + watches), Path::new(""), &[]).unwrap();
    let mut told = Recording::default();
    run(&scenario, &mut told).unwrap();
    let of = |watch: usize| -> Vec<(f64, usize)> {
        let these = told.crossings.iter().filter(move |crossing| crossing.watch == watch);
        let curve = |crossing: &supervisor::Crossing| scenario.scene.ground.curve_of(crossing.sample.place.unwrap());
        these.map(|crossing| (crossing.time(), curve(crossing))).collect()
    };
    let [any, low, high] = [0, 1, 2].map(of);
    assert_eq!((low.len(), high.len()), (1, 1));
    assert_eq!((low[0].1, high[0].1), (1, 0));
    assert_eq!(any, [high[0], low[0]]);
    assert_eq!(scenario.resolved()["watch"][1]["ground"], "lower");
    for (more, wanted) in [
        ("s = 0.9\nground = 'middle'", "no curve is called \"middle\""),
        ("x = 0.9\nground = 'lower'", "says nothing of `x`"),
        ("s = 0.9\nground = 2", "is a number"),
    ] {
        let text = format!("{text}[[watch]]\nname = 'a'\n{more}\n");
        let error = Scenario::from_text(&text, Path::new(""), &[]).unwrap_err().to_string();
        assert!(error.contains(wanted), "{more}: {error}");
    }
}

const FLOOR: &str = "{ name = 'floor', curve = { kind = 'graph', y = 0 } }";
const BOWL: &str = "{ name = 'bowl', curve = { kind = 'circle', centre = [0, 0], radius = 1, side = 'inside' } }";
const PIN: &str = "{ name = 'pin', curve = { kind = 'circle', centre = [0, 0], radius = 1, side = 'outside' } }";

fn plank(y: f64) -> String {
    format!("{{ name = 'plank', curve = {{ kind = 'line', from = [-1, {y:?}], to = [1, {y:?}] }} }}")
}

/// Of all curves that are solid from one side none may be above the ball, whichever is the nearest.
#[test]
fn no_start_below_any_curve() {
    let started = |initial: &str, radius: f64, grounds: &[&str]| {
        let ground = grounds.join(", ");
        let text = format!("initial = {initial}\nball.radius = {radius:?}\nground = [{ground}]");
        Scenario::from_text(&text, Path::new(""), &[]).map(|_| ()).map_err(|error| error.to_string())
    };
    let at = |x: f64, y: f64| format!("{{ position = [{x:?}, {y:?}] }}");
    let moving = plank(-1.2).replace("curve =", "motion = { y = '0.01*sin(t)' }, curve =");
    let (low, high) = (plank(-1.2), plank(1.8));
    for radius in [0.0, 0.05] {
        for (initial, grounds, name) in [
            (at(0.0, -1.0), vec![FLOOR, &low], "floor"),
            (at(0.0, -1.0), vec![FLOOR, &moving], "floor"),
            (at(0.0, 1.6), vec![BOWL, &high], "bowl"),
            (at(0.0, 7.0), vec![BOWL, &high], "bowl"),
            (at(0.0, 0.1), vec![PIN, "{ name = 'in', curve = { kind = 'line', from = [-1, 0], to = [1, 0] } }"], "pin"),
            ("{ contact = { ground = 'plank', x = 0 } }".to_owned(), vec![FLOOR, &low], "floor"),
        ] {
            let error = started(&initial, radius, &grounds).expect_err(&initial);
            assert!(error.contains(&format!("below `{name}`")), "{initial}: {error}");
        }
        for (initial, grounds) in [
            (at(0.0, 1.6), vec![FLOOR, PIN, &high]),
            (at(0.0, 0.1), vec![BOWL, "{ name = 'in', curve = { kind = 'line', from = [-1, 0], to = [1, 0] } }"]),
            (at(0.0, 1.6), vec![PIN, &moving]),
        ] {
            started(&initial, radius, &grounds).unwrap_or_else(|error| panic!("{initial} {radius}: {error}"));
        }
    }
    // On two at once, to rounding; and in a curve with ends, which has a name.
    let slopes = ["y = 'x/3'", "y = '-x/3'"].map(|y| format!("{{ name = {y:?}, curve = {{ kind = 'graph', {y} }} }}"));
    started(&at(0.0, 0.0), 0.0, &[&slopes[0], &slopes[1]]).unwrap();
    let error = started(&at(0.0, -1.18), 0.05, &[&low, PIN]).unwrap_err();
    assert!(error.contains("deep in `plank`"), "{error}");
}
