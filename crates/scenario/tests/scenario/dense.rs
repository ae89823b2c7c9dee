//! Many curves that cross and move against each other, at random.

use std::path::Path;

use scenario::{Scenario, run};
use supervisor::{Recording, Stop};

use crate::kinds::Rng;

fn scene(number: u64) -> String {
    let mut r = Rng(number);
    r.next();
    let [radius, restitution, friction] = [
        [0.0, 0.04, 0.12][(3.0 * r.next()) as usize],
        [0.0, 0.4, 0.8][(3.0 * r.next()) as usize],
        [0.0, 0.3, 2.0][(3.0 * r.next()) as usize],
    ];
    let mut text = format!(
        "ball = {{ mass = 0.2, radius = {radius:?} }}\ncontact = {{ restitution = {restitution:?}, friction = {friction:?} }}\n\
         initial = {{ position = [{:?}, 6.5], velocity = [{:?}, 0.0] }}\nsolver.duration = 6\n",
        r.between(-1.0, 1.0),
        r.between(-1.0, 1.0)
    );
    let planks = 4 + (8.0 * r.next()) as usize;
    for plank in 0..planks {
        let (x, y) = (r.between(-2.0, 2.0), r.between(0.0, 5.5));
        let (angle, half) = (r.between(-1.2, 1.2), r.between(0.2, 1.5));
        let [dx, dy] = [half * angle.cos(), half * angle.sin()];
        text += &format!(
            "[[ground]]\nname = \"p{plank}\"\ncurve = {{ kind = \"line\", from = [{:?}, {:?}], to = [{:?}, {:?}] }}\n",
            x - dx,
            y - dy,
            x + dx,
            y + dy
        );
        if r.next() < 0.6 {
            let [a, b] = [0, 1].map(|_| r.between(-0.2, 0.2));
            let [p, q] = [0, 1].map(|_| r.between(1.0, 8.0));
            text += &format!("motion = {{ x = \"{a:?}*sin({p:?}*t)\", y = \"{b:?}*cos({q:?}*t)\" }}\n");
        }
    }
    text
}

/// Energy is accounted for in each, and each ends for a reason that is the scene's.
#[test]
fn moving_crossing_planks() {
    let count = std::env::var("KUGELBAHN_CASES").map_or(100, |cases| cases.parse::<u64>().unwrap() / 10);
    let from = std::env::var("KUGELBAHN_FROM").map_or(0, |from| from.parse::<u64>().unwrap());
    let (mut ended, mut bad) = ([0usize; 4], Vec::new());
    for number in from..from + count {
        let (text, seen) = (scene(number), bad.len());
        let scenario = match Scenario::from_text(&text, Path::new(""), &[]) {
            Ok(scenario) => scenario,
            Err(_) => {
                ended[3] += 1;
                continue;
            }
        };
        let mut told = Recording::default();
        let summary = run(&scenario, &mut told).unwrap();
        match summary.stop {
            None => ended[0] += 1,
            // Where planks close in on it, or a slot is narrower than it, no motion is left.
            Some(Stop::Squeezed { .. }) => ended[1] += 1,
            Some(other) => {
                ended[2] += 1;
                bad.push(format!("{number}: {other:?}"));
            }
        }
        if summary.unexplained().abs() > 1e-6 {
            bad.push(format!("{number}: {:e} J unexplained", summary.unexplained()));
        }
        if bad.len() > seen {
            println!("{}", bad[seen]);
        }
    }
    println!("{} run, {} squeezed, {} stopped, {} refused", ended[0], ended[1], ended[2], ended[3]);
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(count < 10 || ended[0] > count as usize / 2, "{ended:?}");
}

/// On one plank alone the ball runs into the other, which alone would let it go: both hold it.
#[test]
fn pressed_by_one_into_the_other() {
    // At 1e-12, where it does not depend on rounding whether one hop more, of 1e-9 s, is told apart.
    let exact = ["solver.tolerance=1e-12".to_owned()];
    let scenario = Scenario::from_text(&scene(63), Path::new(""), &exact).unwrap();
    let summary = run(&scenario, &mut Recording::default()).unwrap();
    let Some(Stop::Squeezed { time, curves, .. }) = summary.stop else { panic!("{:?}", summary.stop) };
    assert!((time - 1.307_438_992_176).abs() < 1e-11 && [[10, 1], [1, 10]].contains(&curves), "{time} {curves:?}");
}

/// Impacts that pass between two planks with no end and no time between them: each brings back the speeds that the other took. How many
/// there are depends on no tolerance.
#[test]
fn pressed_by_impacts() {
    for (number, then, impacts) in
        [(109, 2.568_374_481_410_47, 201), (364, 1.126_016_610_256_16, 35), (78, 4.662_019_394_098, 212)]
    {
        for (tolerance, late) in [("1e-9", 1e-8), ("1e-12", 1e-11)] {
            let settings = [format!("solver.tolerance={tolerance}")];
            let scenario = Scenario::from_text(&scene(number), Path::new(""), &settings).unwrap();
            let summary = run(&scenario, &mut Recording::default()).unwrap();
            let Some(Stop::Squeezed { time, curves, .. }) = summary.stop else {
                panic!("{number}: {:?}", summary.stop)
            };
            println!("{number}: {time} {curves:?}");
            assert!((time - then).abs() < late && summary.count.impacts == impacts, "{}", summary.count.impacts);
        }
    }
}
