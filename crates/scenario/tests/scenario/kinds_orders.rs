//! The same hill as formula, as spline and as drawing: lift-off and landing differ by what interpolation theory says.

use std::fmt::Write;
use std::path::Path;

use scenario::Scenario;
use supervisor::{Event, EventKind, Observer};

/// Metres.
const END: f64 = 6.0;

fn hill(x: f64) -> f64 {
    0.5 * (-((x - 2.0) / 0.7).powi(2)).exp()
}

fn slope(x: f64) -> f64 {
    -2.0 * (x - 2.0) / 0.49 * hill(x)
}

#[derive(Default)]
struct Watch(Vec<Event>);

impl Observer for Watch {
    fn event(&mut self, event: &Event) {
        self.0.push(*event);
    }
}

/// What happens to a bead that comes at 4 m/s over the hill.
fn events(curve: &str, folder: &Path) -> Vec<Event> {
    let scenario = format!(
        "[ball]\nradius = 0\n[initial]\ncontact = {{ x = 1e-3, speed = 4 }}\n[solver]\nduration = 0.9\ntolerance = 1e-13\n\
         [ground.curve]\n{curve}"
    );
    let scenario = Scenario::from_text(&scenario, folder, &[]).unwrap();
    let mut watch = Watch::default();
    scenario::run(&scenario, &mut watch).unwrap();
    watch.0
}

/// Abscissae of the lift-off and of the landing.
fn flight(curve: &str, folder: &Path) -> [f64; 2] {
    let events = events(curve, folder);
    let at = |lifts: bool| {
        events.iter().find(|event| matches!(event.kind, EventKind::LiftOff) == lifts).unwrap().position().x
    };
    [at(true), at(false)]
}

fn as_spline(n: usize, shift: f64) -> String {
    let step = END / n as f64;
    // From a part of a step before the start, so that the lift-off lies elsewhere between two points.
    let points = (0..=n).map(|i| (i as f64 - shift) * step).fold(String::new(), |mut text, x| {
        let _ = write!(text, "[{x:?}, {:?}], ", hill(x));
        text
    });
    format!("kind = 'spline'\npoints = [{points}]")
}

fn as_drawing(n: usize, shift: f64) -> String {
    let step = END / n as f64;
    let mut path = String::new();
    for i in 0..=n {
        let x = (i as f64 - shift) * step;
        let (y, third) = (-hill(x), -slope(x) * step / 3.0);
        if i == 0 {
            let _ = write!(path, "M{x:?} {y:?} C{:?} {:?}", x + step / 3.0, y + third);
        } else {
            let _ = write!(path, " {:?} {:?} {x:?} {y:?}", x - step / 3.0, y - third);
            if i < n {
                let _ = write!(path, " {:?} {:?}", x + step / 3.0, y + third);
            }
        }
    }
    format!("<svg><path d=\"{path}\"/></svg>")
}

/// Curvature, which decides the lift-off, is good to h²; place and speed of the flight to h⁴ and its direction to h³,
/// and a bead that leaves h² too early or late flies on along a ground that is as good as its flight, to h⁴.
#[test]
fn lift_off_and_landing_converge_with_the_order_of_curvature_and_slope() {
    let folder = tempfile::tempdir().unwrap();
    let [lift_off, landing] =
        flight(&format!("kind = 'graph'\ny = '0.5*exp(-((x-2)/0.7)^2)'\ndomain = [0, {END}]"), folder.path());
    assert!((lift_off - 1.808_14).abs() < 1e-4, "{lift_off}");
    for drawn in [false, true] {
        let worst = |n: usize| {
            let mut worst = [0.0_f64; 2];
            for shift in [0.0, 0.2, 0.4, 0.6, 0.8] {
                let curve = if drawn {
                    std::fs::write(folder.path().join("hill.svg"), as_drawing(n, shift)).unwrap();
                    "kind = 'svg'\nfile = 'hill.svg'\nscale = 1".to_owned()
                } else {
                    as_spline(n, shift)
                };
                let found = flight(&curve, folder.path());
                worst = [worst[0].max((found[0] - lift_off).abs()), worst[1].max((found[1] - landing).abs())];
            }
            worst
        };
        let (coarse, fine) = (worst(75), worst(600));
        let slopes = [0, 1].map(|i| (coarse[i] / fine[i]).log2() / 3.0);
        println!("drawn: {drawn}: lift-off and landing off by {coarse:?} and {fine:?}: orders {slopes:?}");
        assert!((slopes[0] - 2.0).abs() < 0.3, "{slopes:?}");
        assert!(slopes[1] > 2.7, "{slopes:?}");
    }
}

/// The hill measured every 20 mm and rounded to 1 mm: a spline through the points throws the bead off again and again,
/// one smoothed by cross-validation does once, where the hill does.
#[test]
fn smoothing_takes_the_rounding_out_of_a_measured_hill() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../curves");
    let lift_offs = |keys: &str| -> Vec<f64> {
        let events = events(&format!("kind = 'csv'\nfile = 'measured-hill.csv'\n{keys}"), &folder);
        let lifts = events.iter().filter(|event| matches!(event.kind, EventKind::LiftOff));
        lifts.map(|event| event.position().x).collect()
    };
    let smoothed = lift_offs("as = 'smoothing-spline'\nsmoothing = 'gcv'");
    let plain = lift_offs("as = 'spline'");
    println!("lift-offs: {} from the plain spline, smoothed {smoothed:?}", plain.len());
    assert!(matches!(smoothed.as_slice(), [x] if (x - 1.808_14).abs() < 0.01), "{smoothed:?}");
    assert!(plain.len() > 5, "{plain:?}");
}
