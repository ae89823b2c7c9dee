//! Pictures of sweeps: what is drawn where.

use sweep::{Drawing, Request, Store, SweepError, plot};

use crate::{HILLS, make, strings, sweep_of};

fn drawing(x: &str, y: Option<&str>, colour: Option<&str>) -> Drawing {
    Drawing { x: x.to_owned(), y: y.map(str::to_owned), colour: colour.map(str::to_owned) }
}

#[test]
fn heat_maps_dots_bars_and_words() {
    let request = Request {
        vary: strings(&["contact.restitution=0.2..0.8/4", "initial.velocity.x=0..2/5"]),
        observe: strings(&["impact.2.x", "end.phase", "every impact: x, vx"]),
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let folder = tempfile::tempdir().unwrap();
    make(&sweep, folder.path(), 1, 1);
    let store = Store::read(&[folder.path().to_path_buf()]).unwrap().0;
    let svg = |x, y, colour| plot(&sweep.layout, &store, &drawing(x, y, colour)).unwrap();
    // A cell a point of the grid, 5 × 4 over 760 × 480 pixels, all of them there.
    let heat = svg("initial.velocity.x", Some("contact.restitution"), Some("impact.2.x"));
    assert!(heat.contains("scale(152 -120)"), "{heat}");
    let cells: usize = heat
        .split("<path fill=")
        .skip(1)
        .flat_map(|path| path.split('M').skip(1))
        .filter_map(|run| run.split_once('h')?.1.split('v').next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(cells, 20);
    assert!(heat.contains("impact.2.x [m]"));
    let dots = svg("contact.restitution", Some("impact.2.x"), Some("end.phase"));
    assert_eq!(dots.matches("<circle").count(), 20);
    assert!(dots.contains(">flight</text>") || dots.contains(">sliding</text>"));
    let section = svg("contact.restitution", Some("vx"), None);
    assert!(section.matches("<circle").count() > 40, "rows of the section, with keys of their runs");
    let bars = svg("impact.2.x", None, None);
    assert!(bars.contains(">rows</text>") && bars.contains("impact.2.x [m]"));
    match plot(&sweep.layout, &store, &drawing("impact.2.y", None, None)) {
        Err(SweepError::NoColumn { near, .. }) => assert_eq!(near.as_deref(), Some("impact.2.x")),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        plot(&sweep.layout, &store, &drawing("exit", Some("end"), None)),
        Err(SweepError::NothingToDraw { .. })
    ));
}

/// A key with equal ratios has an axis of decades, a cell a point, ends in the middle of the outermost.
#[test]
fn equal_ratios_are_equal_widths() {
    let vary = strings(&["contact.friction=log:1e-3..10/9", "initial.velocity.x=0..1/4"]);
    let request = Request { vary, observe: strings(&["impact.1.x"]), ..Request::default() };
    let sweep = sweep_of(HILLS, request).unwrap();
    let folder = tempfile::tempdir().unwrap();
    make(&sweep, folder.path(), 1, 1);
    let (store, layout) = Store::read(&[folder.path().to_path_buf()]).unwrap();
    let svg =
        plot(&layout, &store, &drawing("contact.friction", Some("initial.velocity.x"), Some("impact.1.x"))).unwrap();
    assert!(svg.contains(&format!("scale({} -120)", 760.0 / 9.0)), "{svg}");
    // Half a cell from the left, and a quarter of four decades on.
    for (tick, x) in [("0.001", 0.5), ("0.01", 2.5), ("0.1", 4.5), ("1", 6.5), ("10", 8.5)] {
        let at = format!("<text x=\"{:.1}\" y=\"500\" text-anchor=\"middle\">{tick}</text>", x * 760.0 / 9.0);
        assert!(svg.contains(&at), "{at}\n{svg}");
    }
}
