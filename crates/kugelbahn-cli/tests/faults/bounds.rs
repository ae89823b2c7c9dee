//! The largest and the worst file that each reader allows: read or refused within 600 MB and 40 s of CPU, which are 5 s of a release
//! on a machine that is not shared. How long that takes is told. They are run by `.ci/run`, or by `-- --ignored`.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use crate::common::Place;

/// kB that a command may write to.
const MOST: u32 = 600_000;

/// CPU time that a command may take, s: what grows with the square of a file takes minutes.
const SECONDS: u32 = 40;

const START: &str = "initial.position = [0, 1]\nsolver.duration = 0.01\nground.curve = { kind = 'graph', y = '0' }\n";

/// Runs a command within memory and time: its status, 0 or 2, and what it told.
fn within(place: &Place, file: &str, arguments: &str) -> (i32, String) {
    let limited = format!("ulimit -d {MOST} && ulimit -t {SECONDS} && exec \"$0\" {arguments}");
    let started = Instant::now();
    let mut command = Command::new("sh");
    let outcome =
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_kugelbahn")]).current_dir(place.path(".")).output().unwrap();
    let [told, shown] =
        [&outcome.stderr, &outcome.stdout].map(|text| crate::common::unwrapped(&String::from_utf8_lossy(text)));
    let told = format!("{told} {shown}");
    let code = outcome.status.code().unwrap_or(-1);
    let begin: String = told.chars().take(90).collect();
    println!("{file}: {code} in {:.2} s: {begin}", started.elapsed().as_secs_f64());
    assert!(code == 0 || code == 2, "{file}: {code}: {told}");
    (code, told)
}

/// Repeats a part up to a number of bytes.
fn filled(begin: &str, part: &str, end: &str, bytes: usize) -> String {
    format!("{begin}{}{end}", part.repeat((bytes - begin.len() - end.len()) / part.len()))
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

const TOML: usize = 6 << 20;
const XML: usize = 64 << 20;
const CSV: usize = 48 << 20;
const RUNS: usize = 128 << 20;

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn toml() {
    let place = Place::new();
    let run = |name: &str, text: String, told: &str| {
        assert!(text.len() <= TOML, "{name}: {}", text.len());
        place.write("it.toml", text);
        let (code, words) = within(&place, name, "run it.toml --quiet");
        assert!(words.contains(told) && (code == 0) == told.is_empty(), "{name}: {words}");
    };
    run("text", filled("title = '", "a", &format!("'\n{START}"), TOML), "");
    run("numbers", filled(&format!("{START}output.times = ["), "0,", "]", TOML), "");
    run("tables", filled(&format!("{START}a = ["), "{},", "]", TOML), "unknown key `a`");
    run("nested", filled(&format!("{START}a = "), "[", "", TOML), "not TOML");
    run("keys", format!("{START}[a]\n{}", lines(600_000, |i| format!("{i}=1\n"))), "unknown key `a`");
    run("watches", format!("{START}{}", lines(1000, |i| format!("[[watch]]\nx = 1\nname = 'a{i}'\n"))), "");
    run(
        "more watches",
        format!("{START}{}", lines(1001, |i| format!("[[watch]]\nx = 1\nname = 'a{i}'\n"))),
        "at most 1000",
    );
    let grounds = |count, y: &str| {
        let ground =
            |i| format!("[[ground]]\nname = 'g{i}'\ncurve = {{ kind = 'graph', y = '{y}{i}', domain = [-1, 1] }}\n");
        format!("initial.position = [0, 1]\nsolver.duration = 0.01\n{}", lines(count, ground))
    };
    run("grounds", grounds(1000, "-"), "");
    run("grounds that cross", grounds(1000, "x*1e-3*"), "");
    run("more grounds", grounds(1001, "-"), "at most 1000");
    place.write("it.toml", " ".repeat(TOML + 1));
    assert!(within(&place, "one more", "run it.toml").1.contains("larger than 6 MiB"));
    let points = |count| format!("kind = 'polyline'\npoints = [{}]", lines(count, |i| format!("[{i},{}],", i % 2)));
    place.write("it.toml", points(250_001));
    assert_eq!(within(&place, "points", "curves check it.toml").0, 0);
    place.write("it.toml", points(400_000));
    assert!(within(&place, "more points", "curves check it.toml").1.contains("250000"));
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn drawings_and_tracks() {
    let place = Place::new();
    let check = |name: &str, text: String, told: &str| {
        assert!(text.len() <= XML, "{name}: {}", text.len());
        place.write("it.svg", text);
        place.write("it.toml", "kind = 'svg'\nfile = 'it.svg'\n");
        let (code, words) = within(&place, name, "curves check it.toml");
        assert!(words.contains(told) && (code == 0) == told.is_empty(), "{name}: {words}");
    };
    let path = |data: String| format!("<svg><path d='M0 0{data}'/></svg>");
    let drawn = "<path d='M0 0L1 1'/></svg>";
    check("lines", path(lines(250_000, |i| format!("L{i} {}", i % 2))), "");
    assert_eq!(within(&place, "a marble", "run it.svg --quiet --set solver.duration=1e-3").0, 0);
    check("curves", path("c1 1 2 -1 3 0".repeat(250_000)), "");
    check("arcs", path("a1 1 0 0 1 1 1 ".repeat(140_000)), "");
    check("more lines", filled("<svg><path d='M0 0", "l1 1", "'/></svg>", XML), "250000 nodes");
    check("elements", filled("<svg>", "<a/>", drawn, XML), "too many");
    check("comment", filled("<svg><!--", "a", &format!("-->{drawn}"), XML), "");
    check("spaces", filled("<svg>", " ", drawn, XML), "");
    let mut attributes = "<svg><path ".to_owned();
    (0..4_000_000).for_each(|i| write!(attributes, "a{i}='' ").unwrap());
    check("attributes", format!("{attributes}d='M0 0L1 1'/></svg>"), "too many");
    check(
        "compared attributes",
        format!("<svg><path {}/>{drawn}", lines(30_000, |i| format!(" a{i}=''"))),
        "too many attributes",
    );
    let namespaces = lines(1000, |i| format!(" xmlns:a{i}='{i}'"));
    check("namespaces", format!("<svg{namespaces}>{}{drawn}", "<a0:b/>".repeat(500_000)), "too many namespaces");
    check("nodes", format!("<svg>{}{drawn}", "<b/>".repeat(1_000_001)), "nodes limit");
    // The first of two entities of a name counts, and none in a comment.
    let long = format!("<!ENTITY b '{}'>", "x".repeat(40_000));
    for (name, entities) in [
        ("entity", long.clone()),
        ("second entity", format!("{long}<!ENTITY b 'x'>")),
        ("first entity", format!("<!ENTITY b 'x'>{long}")),
        ("entity in a comment", format!("{long}<!--<!ENTITY b 'x'>-->")),
        ("entity across lines", long.replace(' ', "\n\t")),
    ] {
        let text = format!("<!DOCTYPE svg [{entities}]><svg><a c='{0}'>{0}</a>{drawn}", "&b;".repeat(20_000));
        check(name, text, "bytes that entities stand for");
    }
    let twice = "<!ENTITY b 'xx'><!ENTITY c '&b;&b;'>";
    check("entities of entities", format!("<!DOCTYPE svg [{twice}]><svg><a>&c;</a>{drawn}"), "entities in it");
    let element = "<!ENTITY b \"<c d='1'/>\">";
    check(
        "entity of elements",
        format!("<!DOCTYPE svg [{element}]><svg>&b;{drawn}"),
        "an entity with elements or entities",
    );
    let declared = lines(1000, |i| format!(" xmlns:a{i}=''"));
    let prefixed =
        format!("<svg{declared}>{}{drawn}", format!("<b {}/>", lines(10, |i| format!(" a9:b{i}=''"))).repeat(50_000));
    check("namespaces of attributes", prefixed, "too many namespaces");
    let nested = lines(2000, |i| format!("<g xmlns:a{i}=''>"));
    check(
        "namespaces in namespaces",
        format!("<svg>{nested}<path d='M0 0L1 1'/>{}</svg>", "</g>".repeat(2000)),
        "too many namespaces",
    );
    let empty = lines(30_000, |i| format!("<!ENTITY b{i} ''>"));
    check(
        "looked up entities",
        format!("<!DOCTYPE svg [{empty}]><svg><a>{}</a>{drawn}", "&b29999;".repeat(30_000)),
        "or entities",
    );
    // What people write is read.
    let names = lines(40, |i| format!(" xmlns:a{i}='&n;{i}'"));
    let many = lines(300, |i| format!(" b{i}='='"));
    let usual = "<!ENTITY n \"urn\"><!ENTITY m 'x'>";
    check("usual", format!("<!DOCTYPE svg [{usual}]><svg{names}><b{many}/><!-- <= -->{drawn}"), "");
    let point = |i: usize| format!("<trkpt lat='47.{i:07}' lon='11'><ele>{}</ele></trkpt>", i % 3);
    place.write("it.gpx", format!("<gpx><trk><trkseg>{}</trkseg></trk></gpx>", lines(250_000, point)));
    place.write("it.toml", "kind = 'gpx'\nfile = 'it.gpx'\nas = 'polyline'\n");
    assert_eq!(within(&place, "track", "curves check it.toml").0, 0);
    place.write("it.gpx", filled("<gpx><trk><trkseg>", "<trkpt lat='4' lon='1'/>", "</trkseg></trk></gpx>", XML));
    assert!(within(&place, "more of a track", "curves check it.toml").1.contains("too many"));
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn shapes_of_drawings() {
    let place = Place::new();
    let check = |name: &str, keys: &str, text: String, told: &str| {
        place.write("it.svg", format!("<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>"));
        place.write("it.toml", format!("kind = 'svg'\nfile = 'it.svg'\n{keys}\n"));
        let (code, words) = within(&place, name, "curves check it.toml");
        assert!(words.contains(told) && code == 0 || code == 2 && words.contains("at most 250000"), "{name}: {words}");
    };
    let all = "paths = 'all'";
    let lined = |count| lines(count, |i| format!("<path id='p{i}' d='M{i} 0L{i} 1'/>"));
    let within_groups =
        |group: &str, depth: usize, shapes: String| format!("{}{shapes}{}", group.repeat(depth), "</g>".repeat(depth));
    check("groups in groups", all, within_groups("<g transform='rotate(1)'>", 900, lined(90_000)), "curves 90000");
    check("layers in layers", "layer = 'l'", within_groups("<g id='l'>", 1000, lined(90_000)), "curves 90000");
    let style = format!("<g style='{}'>", "a:b;".repeat(10_000));
    check("styles in styles", all, within_groups(&style, 80, lined(3000)), "curves 3000");
    check("names", &format!("paths = [{}]", lines(30_000, |i| format!("'p{i}',"))), lined(30_000), "curves 30000");
    let selectors = lines(100_000, |i| format!(".a{i},"));
    check(
        "selectors of a rule",
        all,
        format!("<style>{selectors}b{{{}}}</style>{}", "opacity:1;".repeat(100_000), lined(1)),
        "",
    );
    let used =
        |shape: &str, count| format!("<defs>{shape}</defs>{}", lines(count, |i| format!("<use href='#p' x='{i}'/>")));
    let turned = format!("<path id='p' transform='{}' d='M0 0L1 1'/>", "rotate(1) ".repeat(100_000));
    check("uses of a transform", all, used(&turned, 50_000), "uses draw more than 64 MiB");
    let long = format!("<path id='p' d='M0 0{}'/>", lines(200_000, |i| format!("L{i} {}", i % 2)));
    check("uses of a path", all, used(&long, 20), "at most 250000");
    check("ends at one place", all, "<path d='M0 0L1 1'/>".repeat(90_000), "lie on each other");
    // Places that look like chance.
    let at = |i: usize| (i * 7919 % 99_991, i * 6007 % 99_989, i * 4999 % 99_971, i * 3001 % 99_961);
    let run = |name: &str, shapes: String, told: &str| {
        place.write("it.svg", format!("<svg>{shapes}</svg>"));
        let (code, words) = within(&place, name, "run it.svg --quiet --set solver.duration=1e-3");
        assert!(words.contains(told) && (code == 0) == told.is_empty(), "{name}: {words}");
    };
    let circle = |(x, y, r, _)| format!("<circle cx='{x}' cy='{y}' r='{r}'/>");
    check("circles across circles", all, lines(30_000, |i| circle(at(i + 1))), "curves 30000");
    check("all curves", all, lines(100_000, |i| circle((i, i, 1 + i % 20, 0))), "curves 100000");
    run("circles that are run on", lines(30_000, |i| circle(at(i + 1))), "");
    let line = |(x, y, u, v)| format!("<path d='M{x} {y}L{u} {v}'/>");
    run("lines across lines", lines(50_000, |i| line(at(i + 1))), "can't be told");
    run("ends at a place", lines(2100, |i| format!("<path d='M0 0L{} {}'/>", i + 1, 9000 - i)), "can't be told");
    // Of each curve all keys are kept, and its name.
    let long = "a".repeat(590);
    let named = |i: usize| format!("<path id='{long}{i}' d='M{i} 0l1 1'/>");
    run("long names", lines(99_000, named), "take more than 32 MiB");
    let text = lines(30_000, |i| format!("<path d='M{i} 0l1 1'/>"));
    for (name, keys) in [
        ("a text", format!("text = \"<svg>{text}</svg>\"")),
        ("a title", format!("file = 'it.svg'\ntitle = '{}'", long.repeat(100))),
    ] {
        place.write("it.toml", format!("kind = 'svg'\npaths = 'all'\n{keys}\n"));
        let (code, words) = within(&place, name, "curves check it.toml");
        assert!(code == 2 && words.contains("take more than 32 MiB"), "{name}: {words}");
    }
    // Parts of both sides, and around corners.
    let curve = |data: &str| format!("<path d='M0 0{}'/>", data.repeat(249_000));
    run("corners of curves", curve("c1 1 2 1 3 0"), "");
    run("corners and turns of curves", curve("c1 3 2 -3 3 0"), "radii times parts are at most");
    let triangle = |i: usize| format!("<path d='M{} {}l.5 .1l0 .3z'/>", i % 300, i / 300);
    run("triangles", lines(83_000, triangle), "");
    run("short lines", lines(90_000, |i| format!("<path d='M{} {}l.5 .1'/>", i % 300, i / 300)), "");
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn tables() {
    let place = Place::new();
    let check = |name: &str, text: String, keys: &str, told: &str| {
        assert!(text.len() <= CSV, "{name}: {}", text.len());
        place.write("it.csv", text);
        place.write("it.toml", format!("kind = 'csv'\nfile = 'it.csv'\n{keys}\n"));
        let (code, words) = within(&place, name, "curves check it.toml");
        assert!(words.contains(told) && (code == 0) == told.is_empty(), "{name}: {words}");
    };
    let rows = || format!("x,y\n{}", lines(250_000, |i| format!("{i},{}e-3\n", i * 7919 % 1000)));
    check("polyline", rows(), "as = 'polyline'", "");
    check("spline", rows(), "as = 'spline'", "");
    check("smoothing spline", rows(), "as = 'smoothing-spline'\nsmoothing = 'gcv'", "");
    let lost = |i: usize| {
        if i.is_multiple_of(2) { "-1,-1\n".to_owned() } else { format!("{},900\n", 900.0 + 1e-3 * i as f64) }
    };
    check("lost rows", format!("x,y\n{}", lines(250_000, lost)), "as = 'polyline'", "");
    check("more rows", filled("x,y\n", "1,2\n", "", CSV), "as = 'polyline'", "more than 250000 rows");
    check("one line", filled("x,y\n", "1,", "\n", CSV), "as = 'polyline'", " ");
    check("no rows", filled("x,y\n", "\n", "", CSV), "as = 'polyline'", " ");
    let fit = "fit it.csv drop.toml --quiet --free initial.velocity";
    for (name, part) in
        [("film", "1,2,3\n"), ("empty film", "\n"), ("film of text", "a b\n"), ("film of one line", "1,")]
    {
        place.write("it.csv", filled("t,x,y\n", part, "\n", CSV));
        assert_eq!(within(&place, name, fit).0, 2);
    }
    std::fs::write(place.path("it.csv"), [b"t,x,y\n".as_slice(), &vec![0xe4; CSV - 7], b"\n"].concat()).unwrap();
    assert_eq!(within(&place, "film of a line of Latin-1", fit).0, 2);
    let sweep = "sweep drop.toml --table it.csv --out out --quiet";
    let runs = |name: &str, text: String, told: &str| {
        assert!(text.len() <= RUNS);
        place.write("it.csv", text);
        let (code, words) = within(&place, name, sweep);
        assert!(code == 2 && words.contains(told), "{name}: {words}");
    };
    runs("runs", format!("ball.mass\n{}x\n", "1\n".repeat(9_999_999)), "column `ball.mass`");
    runs("digits of runs", filled("ball.mass\n", "0.12345678901\n", "x\n", RUNS), "column `ball.mass`");
    runs("more runs", filled("ball.mass\n", "1\n", "x\n", RUNS), "more than 10000000 numbers");
    runs("keys of runs", filled("ball.mass", ",a", "\n1\n", RUNS), "keys");
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn balls() {
    let place = Place::new();
    let row = |i: usize| format!("{},{}\n", i % 400, 1 + i / 400);
    place.write("it.csv", format!("x,y\n{}", lines(100_000, row)));
    for method in ["moreau", "events"] {
        place.write("it.toml", format!("ground.curve = {{ kind = 'graph', y = '0' }}\nsolver = {{ method = '{method}', step = 1e-3 }}\n[[balls]]\nradius = 0.1\ntable = 'it.csv'\n"));
        // They are read, and nothing is proven of them.
        let (code, words) = within(&place, method, "run it.toml --prove");
        assert!(code == 2 && words.contains("--prove needs"), "{words}");
        // Points were kept of each for figures that nobody asked for.
        assert_eq!(within(&place, method, "run it.toml --quiet --set solver.duration=0.01").0, 0);
    }
    // Radii of their own that grow, each in cells of its own size, and with a ground of its own.
    let growing = |i: usize| format!("{},{},{}\n", 10 * (i % 400), 10 * (1 + i / 400), 1e-5 * (1 + i) as f64);
    let scenario = |ground: &str, balls: &str| {
        format!("ground.curve = {ground}\nsolver = {{ method = 'moreau', step = 1e-3 }}\n[[balls]]\n{balls}\n")
    };
    let (flat, bumps) = ("{ kind = 'graph', y = '0' }", "{ kind = 'csv', as = 'polyline', file = 'bumps.csv' }");
    place.write("bumps.csv", format!("x,y\n{}", lines(100_000, |i| format!("{i},{}\n", i % 2))));
    place.write("few.csv", format!("x,y,radius\n{}", lines(100_000, growing)));
    place.write("more.csv", format!("x,y\n{}", lines(100_001, row)));
    place.write("long.csv", filled("x,y\n", "1,2\n", "", CSV));
    place.write("some.csv", format!("x,y,radius\n{}", lines(20_000, growing)));
    let line = "{ kind = 'line', from = [-1, 0], to = [1, 0] }";
    let spiral = "{ kind = 'parametric', x = 's*cos(s)', y = 's*sin(s)', domain = [10, 200] }";
    let random = |count: u32| format!("count = {count}\nradius = 0.1\nrandom = {{ from = [0, 2], to = [90000, 90] }}");
    let moving = |i: usize| {
        format!(
            "[[ground]]\nname = 'g{i}'\ncurve = {{ kind = 'graph', y = '{i}', domain = [-1, 1] }}\nmotion.y = '{i}*sin(t)'\n"
        )
    };
    let bumps_beside = format!("[[ground]]\nname = 'bumps'\ncurve = {bumps}\n");
    for (count, told) in [(700, ""), (1000, "radii times parts are at most"), (900, "radii times parts are at most")] {
        let grounds =
            if count == 900 { bumps_beside.clone() } else { String::new() } + &lines(count, |i| moving(i + 1));
        place.write("it.toml", format!("initial.position = [0, -1]\nball.radius = 0.1\n{grounds}"));
        let (code, words) = within(&place, "moving grounds", "run it.toml --quiet --set solver.duration=1e-3");
        assert!((code == 0) == told.is_empty() && words.contains(told), "{count}: {words}");
    }
    for (name, ground, balls, told) in [
        ("growing radii", flat, "table = 'few.csv'", "--prove needs"),
        ("radii on pieces", bumps, "table = 'few.csv'", "radii times parts are at most"),
        ("places on pieces", bumps, &random(1000), "--prove needs"),
        ("radii over ends", line, "table = 'few.csv'", "radii times parts are at most"),
        ("fewer radii over ends", line, "table = 'some.csv'", "--prove needs"),
        ("radii on turns", spiral, "table = 'some.csv'", "radii times parts are at most"),
        ("more balls", flat, "table = 'more.csv'", "has more than 100000 balls"),
        ("many more balls", flat, "table = 'long.csv'", "has more than 100000 balls"),
        ("two tables", flat, &format!("table = 'it.csv'\n[[balls]]\n{}", random(1)), "at most 100000"),
    ] {
        place.write("it.toml", scenario(ground, balls));
        let (code, words) = within(&place, name, "run it.toml --prove");
        assert!(code == 2 && words.contains(told), "{name}: {words}");
    }
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn places_of_curves() {
    let place = Place::new();
    for (name, graph, radius) in [
        ("a long wave", "y = 'sin(x)'\ndomain = [-10, 999990]", "3"),
        ("steep powers", "y = '((sin((x^x))^-0.5)^2)'\ndomain = [1e-300, 1e-9]", "1e3"),
    ] {
        place.write("it.toml", format!("kind = 'graph'\n{graph}\n"));
        let (code, words) = within(&place, name, &format!("curves check it.toml --radius {radius}"));
        assert!(code == 0 && words.contains("no-more-slots"), "{name}: {words}");
    }
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn films() {
    let place = Place::new();
    let fit = |name: &str, text: String, told: &str| {
        assert!(text.len() <= CSV, "{name}: {}", text.len());
        place.write("it.csv", text);
        // The table is read before the scenario.
        let (code, words) = within(&place, name, "fit it.csv nothing.toml --free initial.velocity");
        assert!(code == 2 && words.contains(told), "{name}: {words}");
    };
    let film = |row: &dyn Fn(usize) -> String| format!("t,x,y\n{}", lines(100_000, row));
    let read = "can't read the scenario nothing.toml";
    fit("fall", film(&|i| format!("{i},{i},{}\n", i * i)), read);
    fit("here and there", film(&|i| format!("{i},{},{}\n", i % 7, i % 5)), read);
    fit("here and there in pairs", film(&|i| format!("{i},{},{}\n", i / 2 % 7, i / 3 % 5)), read);
    fit("at rest", film(&|i| format!("{i},1,2\n")), read);
    // Two rows in a thousandth of a frame: the others are a thousand apart.
    let bounce = |i: usize| format!("{i},{},{}\n", 0.5 * i as f64, (i % 12).abs_diff(6));
    fit("a short frame", format!("t,x,y\n{}39.001,20,1\n", lines(40, bounce)), read);
    fit("a frame of no time", format!("t,x,y\n{}39.0000001,20,1\n", lines(40, bounce)), read);
    fit("more rows", film(&|i| format!("{i},1,2\n")) + "100000,1,2\n", "more than 100000 rows");
}

#[test]
#[ignore = "600 MB and minutes of CPU: run by .ci/run"]
fn answers() {
    let place = Place::new();
    std::fs::create_dir(place.path("entry")).unwrap();
    place.write("entry/about.toml", "name = 'a'\n");
    let judge = |name: &str, text: String, told: &str| {
        place.write("entry/answers.csv", text);
        let (code, words) = within(&place, name, "judge entry");
        assert!(words.contains(told) && (code == 0) == told.is_empty(), "{name}: {words}");
    };
    let head = "case,setting,quantity,index,value\n";
    let of = |line: &str| format!("{head}{}", line.repeat(2_000_000));
    judge("answers", of("1,a,impact,1,0.01\n"), "");
    judge("not applicable", of("8,a,all,,not applicable\n"), "");
    judge("broken lines", of("1,a,bounce,1,0.4\n"), "at least 10000 broken lines");
    judge("empty lines", format!("{head}{}", "\n".repeat(12_000_000)), "more than 12000000 lines");
    judge("one line", format!("{head}{}", "1,".repeat(20_000_000)), "longer than 4096 bytes");
    std::fs::File::create(place.path("entry/answers.csv")).unwrap().set_len((512 << 20) + 1).unwrap();
    assert!(within(&place, "one byte more", "judge entry").1.contains("larger than 512 MiB"));
}
