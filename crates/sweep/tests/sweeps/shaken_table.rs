//! Where a ball on a shaken table doubles its period, from a sweep's own rows.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use reference::shaken_table::ShakenTable;
use sweep::{Request, Worker};

use crate::{strings, sweep_of};

const OMEGA: f64 = 60.0;

/// Each run begins beside the orbit with one bounce a period. After 1000 impacts the difference of successive speeds is a square root of
/// the distance from the threshold: its square, fitted by a parabola over Γ, is 0 there.
#[test]
fn its_period_doubles_where_the_map_says() {
    for e in [0.3, 0.5, 0.7] {
        // With n = 1: Γ² = (nπ(1−e)/(1+e))² + (2(1+e²)/(1+e)²)².
        let exact = (PI * (1.0 - e) / (1.0 + e)).hypot(2.0 * (1.0 + e * e) / (1.0 + e).powi(2));
        assert!((ShakenTable::doubling(e) - exact).abs() < 1e-12);
        let gammas: Vec<f64> = (0..16).map(|i| exact + 0.01 + 0.002 * f64::from(i)).collect();
        let mut table =
            "ground.motion.parameters.A,ground.motion.parameters.phi,initial.position.y,initial.velocity.y\n"
                .to_owned();
        for gamma in &gammas {
            let orbit = ShakenTable { gravity: 9.81, restitution: e, omega: OMEGA, gamma: *gamma };
            let (a, phi) = (orbit.amplitude(), orbit.phase());
            writeln!(table, "{a:?},{phi:?},{:?},{:?}", a * phi.sin(), 1.001 * orbit.launch_speed()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("orbits.csv");
        std::fs::write(&file, table).unwrap();
        let period = TAU / OMEGA;
        let scenario = format!(
            "initial = {{ position = [0.0, 0.0], velocity = [0.0, 0.5] }}\n\
             ground = {{ curve = {{ kind = 'graph', y = 0 }}, motion = {{ y = 'A*sin(omega*t + phi)', \
             parameters = {{ A = 0.004, omega = {OMEGA:?}, phi = 0.0 }} }} }}\n\
             contact = {{ restitution = {e:?} }}\n\
             solver = {{ method = 'dop853', tolerance = 1e-11, duration = {:?} }}\n",
            1042.5 * period
        );
        let request = Request {
            table: Some(file.to_string_lossy().into_owned()),
            observe: strings(&[&format!("every impact: cycle({period:?}), vy-before")]),
            skip: 1000,
            ..Request::default()
        };
        let sweep = sweep_of(&scenario, request).unwrap();
        let mut worker = Worker::new(&sweep);
        let mut points = Vec::new();
        for (index, gamma) in (0..).zip(&gammas) {
            worker.clear();
            worker.run(index);
            let section = worker.tables().nth(1).unwrap();
            let speeds = section.column("vy-before").unwrap();
            assert!(section.rows() >= 40, "{}", section.rows());
            let swing = (0..39).map(|row| (speeds.number(row) - speeds.number(row + 1)).abs()).sum::<f64>() / 39.0;
            points.push((gamma - exact, swing * swing));
        }
        let found = exact + root_of_parabola(&points);
        println!("e = {e}: {found:.6}, exact {exact:.6}");
        assert!((found - exact).abs() < 1e-3, "{found} {exact}");
    }
}

/// Where a parabola through points (least squares, by the normal equations) is 0, near 0.
fn root_of_parabola(points: &[(f64, f64)]) -> f64 {
    let sum = |p: i32, with_y: bool| points.iter().map(|(x, y)| x.powi(p) * if with_y { *y } else { 1.0 }).sum::<f64>();
    let m: [[f64; 4]; 3] = std::array::from_fn(|i| {
        std::array::from_fn(|j| if j < 3 { sum((i + j) as i32, false) } else { sum(i as i32, true) })
    });
    let det = |c: [usize; 3]| {
        let a = |i: usize, j: usize| m[i][c[j]];
        a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0))
            + a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0))
    };
    let whole = det([0, 1, 2]);
    let [c, b, a] = [det([3, 1, 2]), det([0, 3, 2]), det([0, 1, 3])].map(|part| part / whole);
    // The smaller root.
    -2.0 * c / (b + (b * b - 4.0 * a * c).sqrt() * b.signum())
}
