//! Pictures of sweeps: what is drawn where.

use sweep::{PlotColumns, Request, Store, SweepError, plot};

use crate::{HILLS, make, strings, sweep_of};

fn drawing(x: &str, y: Option<&str>, colour: Option<&str>) -> PlotColumns {
    PlotColumns { x: x.to_owned(), y: y.map(str::to_owned), colour: colour.map(str::to_owned) }
}

/// Numbers behind a text, up to the next letter or sign of another kind.
fn numbers_behind(svg: &str, text: &str) -> Vec<f64> {
    let (_, rest) = svg.split_once(text).unwrap_or_else(|| panic!("{text}\n{svg}"));
    let end = rest.find(|c: char| !"0123456789.- ".contains(c)).unwrap();
    rest[..end].split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// Width and height of a cell by the size of the frame.
fn cells_of_frame(svg: &str) -> [f64; 2] {
    let frame = svg.lines().find(|line| line.starts_with("<rect x=") && line.contains("fill=\"none\"")).unwrap();
    let size = |name: &str| numbers_behind(frame, &format!(" {name}=\""))[0];
    let cell = numbers_behind(svg, "scale(");
    [size("width") / cell[0], size("height") / -cell[1]]
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
    // A cell a point of the grid, 5 × 4 over the whole frame, all of them there.
    let heat = svg("initial.velocity.x", Some("contact.restitution"), Some("impact.2.x"));
    let [across, up] = cells_of_frame(&heat);
    assert!((across - 5.0).abs() < 1e-3 && (up - 4.0).abs() < 1e-3, "{across} × {up}");
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
    assert!(bars.contains(">runs</text>") && bars.contains("impact.2.x [m]"));
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
    let [across, up] = cells_of_frame(&svg);
    assert!((across - 9.0).abs() < 1e-3 && (up - 4.0).abs() < 1e-3, "{across} × {up}");
    // Half a cell from the left, and a quarter of four decades on.
    let (left, cell) =
        (numbers_behind(&svg, "crispEdges\" transform=\"translate(")[0], numbers_behind(&svg, "scale(")[0]);
    for (tick, x) in [("10⁻³", 0.5), ("10⁻²", 2.5), ("10⁻¹", 4.5), ("10⁰", 6.5), ("10¹", 8.5)] {
        let line = svg.lines().find(|line| line.ends_with(&format!("\"middle\">{tick}</text>"))).unwrap();
        let at = numbers_behind(line, "x=\"")[0];
        assert!((at - left - x * cell).abs() < 0.06, "{tick} at {at}\n{svg}");
    }
}
