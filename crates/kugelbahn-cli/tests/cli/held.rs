//! What a film does and the ball did not, by how often it is told where it is so, and where it is not: hands that hold the ball, frames
//! shown twice or missing. Films are drops with known restitution, 30 to 240 frames a second, with noise or on a grid of pixels.

use std::collections::BTreeMap;

use kugelbahn::fit::{Data, Reading, read};
use kugelbahn::input::Source;

use crate::common::film::{Noise, csv};

const G: f64 = 9.81;

/// A ball let go at 1 m that goes along x at some speed: t, x, y.
fn drop(frames: usize, rate: f64, restitution: f64, speed: f64) -> Vec<[f64; 3]> {
    let (mut from, mut height, mut velocity) = (0.0, 1.0, 0.0);
    let mut rows = Vec::new();
    for i in 0..frames {
        let t = i as f64 / rate;
        loop {
            let lasts = (velocity + f64::sqrt(velocity * velocity + 2.0 * G * height)) / G;
            if t - from <= lasts || lasts < 1e-3 {
                break;
            }
            velocity = restitution * (G * lasts - velocity);
            (from, height) = (from + lasts, 0.0);
        }
        let s = t - from;
        rows.push([t, speed * t, f64::max(0.0, height + velocity * s - 0.5 * G * s * s)]);
    }
    rows
}

fn noisy(rows: &[[f64; 3]], size: f64, noise: &mut Noise) -> Vec<[f64; 3]> {
    rows.iter().map(|[t, x, y]| [*t, x + size * noise.normal(), y + size * noise.normal()]).collect()
}

/// What is told of a film.
fn told(rows: &[[f64; 3]]) -> Data {
    read(&Source::new("film.csv", csv(rows)), &Reading::default()).unwrap()
}

/// How many of some films have each of these words told of them.
fn count(films: impl Iterator<Item = Vec<[f64; 3]>>) -> BTreeMap<&'static str, usize> {
    let mut counted = BTreeMap::new();
    for film in films {
        let hints = told(&film).hints.join(" ");
        for words in ["is held", "the frame before again", "missing from the film", "from the rows beside"] {
            *counted.entry(words).or_default() += usize::from(hints.contains(words));
        }
    }
    counted
}

/// Symptom: of 40 clean films at 240 frames a second 8 were said to show a ball that is caught or held, of 20 on a grid of 5 mm 10 to
/// show frames twice; of films with e = 0.4 and 4 mm of noise 3 of 40 to lack frames. Cause: thresholds of rest that a ball at the
/// top of its flight met, digits taken for the grid, and an impact taken for a gap.
#[test]
fn clean_films_are_clean() {
    let mut noise = Noise(3);
    for (rate, restitution, size, grid) in [
        (240.0, 0.8, 1e-3, 0.0),
        (240.0, 0.8, 5e-4, 5e-3),
        (120.0, 0.4, 4e-3, 0.0),
        (60.0, 0.4, 4e-3, 0.0),
        (30.0, 0.8, 2e-3, 0.0),
    ] {
        let film = |i: usize| {
            let frames = (rate * (0.9 + 0.02 * i as f64)) as usize;
            let mut rows = noisy(&drop(frames, rate, restitution, 0.1 * (i % 8) as f64), size, &mut noise);
            if grid > 0.0 {
                rows.iter_mut().for_each(|row| (1..3).for_each(|k| row[k] = (row[k] / grid).round() * grid));
            }
            rows
        };
        let counted = count((0..30).map(film));
        assert!(counted.values().all(|count| *count == 0), "{rate} {restitution} {size} {grid}: {counted:?}");
    }
}

/// Symptom: of 60 clean films at 240 frames a second 2 had rows called jumps. Cause: rows beside an impact were held against one parabola,
/// and a few of them may lie close to one. So many films are made that some are of that kind.
#[test]
fn no_row_at_an_impact_jumps() {
    let mut noise = Noise(11);
    let film = |i: usize| {
        let restitution = 0.5 + 0.005 * (i % 60) as f64;
        noisy(&drop(200 + i, 240.0, restitution, 0.4), 1e-3, &mut noise)
    };
    let counted = count((0..300).map(film));
    assert_eq!(counted["from the rows beside"], 0, "{counted:?}");
}

/// Symptom: of balls that are held before a drop at 240 frames a second none was told. When it is let go is told to 0.04 s, in which it falls 8 mm.
#[test]
fn hands_are_told() {
    let mut noise = Noise(5);
    for (rate, rest) in [(30.0, 6), (60.0, 8), (240.0, 30)] {
        let films: Vec<_> =
            (0..20).map(|i| drop((rate * (0.9 + 0.03 * f64::from(i))) as usize, rate, 0.8, 0.5)).collect();
        let step = 1.0 / rate;
        let held = |film: &Vec<[f64; 3]>| {
            let still = (0..rest).map(|i| [step * f64::from(i), film[0][1], film[0][2]]);
            let rows: Vec<[f64; 3]> =
                still.chain(film.iter().map(|[t, x, y]| [t + step * f64::from(rest), *x, *y])).collect();
            noisy(&rows, 1e-3, &mut noise)
        };
        let all: Vec<_> = films.iter().map(held).collect();
        let mut found = 0;
        for film in &all {
            let hints = told(film).hints.join(" ");
            let Some((_, start)) = hints.split_once("--start ") else { continue };
            let start: f64 = start.split_whitespace().next().unwrap().parse().unwrap();
            assert!((start - step * f64::from(rest)).abs() < 0.04, "{rate}: {start}");
            found += 1;
        }
        println!("{rate} frames a second: {found} of {} hands", all.len());
        assert!(found >= 19, "{rate}: {found}");
    }
}

/// Symptom: of films that lack two frames 14 of 24 were told. Cause: four rows on either side were asked for, all without an impact.
#[test]
fn missing_frames_are_told() {
    let mut noise = Noise(7);
    for rate in [30.0, 60.0, 120.0] {
        let film = |i: usize| {
            let frames = (1.3 * rate) as usize;
            let rows = noisy(&drop(frames, rate, 0.8, 0.2 + 0.05 * i as f64), 1e-3, &mut noise);
            let at = [6 + 3 * i % (frames / 2 - 8), frames / 2 + 5 * i % (frames / 2 - 8)];
            let kept = (0..frames).filter(|i| !at.contains(i));
            kept.enumerate().map(|(j, i)| [j as f64 / rate, rows[i][1], rows[i][2]]).collect()
        };
        let counted = count((0..24).map(film));
        assert!(counted["missing from the film"] >= 20, "{rate}: {counted:?}");
    }
}

/// Symptom: a frame missing within two rows of an impact was never told. Cause: what was left of one arc alone was looked at. Symptom: behind
/// a frame shown twice, with times that go on, later rows stayed late; and in films that show the frame before for one that they lack, others
/// were said to be missing. All rows are where and when the ball was there.
#[test]
fn times_are_right_behind_frames_missing_or_twice() {
    let mut noise = Noise(13);
    for rate in [30.0, 60.0, 120.0] {
        let frames = (1.3 * rate) as usize;
        let impact = (rate * f64::sqrt(2.0 / G)) as usize;
        let mut right = [0; 3];
        for i in 0..24 {
            let rows = noisy(&drop(frames, rate, 0.8, 0.2 + 0.05 * i as f64), 1e-3, &mut noise);
            let at = impact - 2 + i % 5;
            let missing = (0..frames).filter(|k| *k != at);
            let twice = (0..frames).flat_map(|k| [k].repeat(1 + usize::from(k == at + 7)));
            let instead = (0..frames).map(|k| if k == at + 7 { k - 1 } else { k });
            let shown = [missing.collect::<Vec<_>>(), twice.collect(), instead.collect()];
            for (right, shown) in right.iter_mut().zip(shown) {
                let film: Vec<[f64; 3]> =
                    shown.iter().enumerate().map(|(j, k)| [j as f64 / rate, rows[*k][1], rows[*k][2]]).collect();
                let last = told(&film).rows.last().unwrap().time;
                *right += usize::from((last - (frames - 1) as f64 / rate).abs() < 1e-9);
            }
        }
        let [missing, twice, instead] = right;
        assert!(missing >= 20 && twice >= 22 && instead == 24, "{rate}: {right:?}");
    }
}

/// Symptom: a tracker that stands for three rows and then catches up was taken for three missing frames in 11 of 12 films, and the film moved in
/// time. Cause: one row alone with the place of the row before was a repeat.
#[test]
fn a_tracker_that_stands_moves_no_time() {
    let mut noise = Noise(17);
    for count in [1, 2, 3, 4, 7] {
        for at in (20..100).step_by(8) {
            let mut film = noisy(&drop(120, 60.0, 0.8, 0.4), 1e-3, &mut noise);
            let end = film[119][0];
            let place = [film[at][1], film[at][2]];
            film[at + 1..=at + count].iter_mut().for_each(|row| (row[1], row[2]) = (place[0], place[1]));
            let data = told(&film);
            assert!((data.rows.last().unwrap().time - end).abs() < 1e-9, "{count} {at}: {:?}", data.hints);
        }
    }
}
