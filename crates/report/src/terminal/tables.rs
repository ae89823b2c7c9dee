//! Tables of a run for the terminal, with the columns that fit 80 characters; files have all.

use std::collections::BTreeMap;
use std::fmt::Write;

use mechanics::State;
use scenario::Scenario;
use scenario::stepping::BallEvent;
use supervisor::{EventKind, Phase};

use super::Style;
use crate::PhaseRow;
use crate::output::Recorder;

/// Number of impacts shown at the start and at the end of a series.
const IMPACTS: (usize, usize) = (8, 3);
/// Number of events (and of phases) shown at the start and at the end of a long run.
const EVENTS: (usize, usize) = (60, 10);
/// Maximum number of balls with their own lines.
const LINES: usize = 12;

/// Adds one line per phase; a series of bounces is one flight.
pub(super) fn phases(out: &mut String, record: &Recorder, style: Style) {
    let header = "phase      from [s]    to [s]      bounces λ [N]             v [m/s]  lost [J]";
    let _ = writeln!(out, "{}", style.bold(header));
    let line = |row: &PhaseRow| {
        let bounces = if row.bounces > 0 { row.bounces.to_string() } else { String::new() };
        let name = style.phase(row.phase, &format!("{:<10}", row.phase.name()));
        let push = row.pushes.map_or(String::new(), |[least, most]| {
            match [or_zero(least.force, most.force), most.force].map(short) {
                [least, most] if least == most => most,
                [least, most] => format!("{least} – {most}"),
            }
        });
        let [from, to] = [row.from, row.to].map(clock);
        let (speed, lost) = (short(row.top_speed), short(row.lost));
        format!("{name} {from:<11} {to:<11} {bounces:<7} {push:<17} {speed:<8} {lost}").trim_end().to_owned()
    };
    let more = (record.phases.hidden > 0).then(|| format!("… and {} more phases", record.phases.hidden));
    write_phases(out, record.phases.rows.iter().map(line).collect(), more, style);
}

/// Adds lines of phases (of many only the first and last), and a line on further ones.
fn write_phases(out: &mut String, mut lines: Vec<String>, more: Option<String>, style: Style) {
    let (start, end) = EVENTS;
    if lines.len() > start + end + 1 {
        let hidden = lines.len() - start - end;
        lines.splice(start..start + hidden, [style.faint(&format!("… {hidden} more phases"))]);
    }
    for line in lines.into_iter().chain(more.map(|more| style.faint(&more))) {
        let _ = writeln!(out, "{line}");
    }
}

/// Adds one line per phase of a run by time stepping, without forces.
pub(super) fn phases_of_steps(out: &mut String, (state, last): &(State, Phase), record: &Recorder, style: Style) {
    let _ = writeln!(out, "{}", style.bold("phase      from [s]         to [s]           bounces"));
    let first = record.events.first().map_or(*last, |told| told.event.phase_before);
    let (mut phase, mut from, mut bounces) = (first, 0.0, 0u64);
    let mut lines = Vec::new();
    let line = |phase: Phase, from: f64, to: f64, bounces: u64| {
        let bounces = if bounces > 0 { bounces.to_string() } else { String::new() };
        let name = style.phase(phase, &format!("{:<10}", phase.name()));
        format!("{name} {from:<16.9} {to:<16.9} {bounces}")
    };
    for BallEvent { event, .. } in &record.events {
        if event.phase_before == Phase::Flight && event.normal_impulse > 0.0 {
            bounces += 1;
        }
        if event.phase_after != phase {
            lines.push(line(phase, from, event.time(), bounces));
            (phase, from, bounces) = (event.phase_after, event.time(), 0);
        }
    }
    let hidden = record.event_count - record.events.len() as u64;
    let to = if hidden > 0 { record.events.last().map_or(from, |told| told.event.time()) } else { state.time };
    lines.push(line(phase, from, to, bounces));
    let more = (hidden > 0).then(|| format!("… and {hidden} more events; ends {}", last.name()));
    write_phases(out, lines, more, style);
}

pub(super) fn jumps(out: &mut String, scenario: &Scenario, record: &Recorder, style: Style) {
    let rows = record.jumps.rows();
    let (count, scene) = (rows.len(), &scenario.scene);
    if count == 0 {
        return;
    }
    // With several curves, their names replace the heights.
    let several = !scenario.curve.curves.is_empty();
    let header = match several {
        true => "jump from x    on        v [m/s] to x      on        angle   length [m] fall [m]",
        false => "jump from x    y [m]     v [m/s] to x      y [m]     angle   length [m] fall [m]",
    };
    let _ = writeln!(out, "{}", style.bold(header));
    for (i, jump) in rows.take(LINES).enumerate() {
        let ends = [(&jump.left, &jump.left.after), (&jump.back, &jump.back.before)];
        let [(x, y), (u, v)] = ends.map(|(event, state)| {
            let position = scene.world(state).position;
            let curve = scenario.curve.name(scene.ground.curve_of(event.place));
            (fixed(position.x, 4), curve.map_or_else(|| fixed(position.y, 4), |name| cut(name, 9)))
        });
        let (speed, angle) = (short(scene.world(&jump.left.after).velocity.norm()), jump.landing_angle().to_degrees());
        let (angle, length, fall) = (format!("{angle:.2}°"), short(jump.length(scene)), short(jump.fall_height(scene)));
        let _ = writeln!(out, "{:<4} {x:<9} {y:<9} {speed:<7} {u:<9} {v:<9} {angle:<7} {length:<10} {fall}", i + 1);
    }
    if count > LINES {
        let _ = writeln!(out, "{}", style.faint(&format!("… {} more; --json has all", count - LINES)));
    }
    out.push('\n');
}

/// Adds lines on the balls at the end; for many balls their numbers by phase.
pub(super) fn balls(out: &mut String, ends: &[(State, Phase)], record: &Recorder, style: Style) {
    if ends.len() > LINES {
        let mut counts: BTreeMap<Phase, u64> = BTreeMap::new();
        ends.iter().for_each(|(_, phase)| *counts.entry(*phase).or_default() += 1);
        let fastest = ends.iter().map(|(state, _)| state.velocity.norm()).fold(0.0, f64::max);
        let _ = writeln!(out, "{}", style.bold("balls     in the end"));
        for (phase, count) in counts {
            let _ = writeln!(out, "{} {count}", style.phase(phase, &format!("{:<9}", phase.name())));
        }
        let _ = writeln!(out, "fastest   {} m/s", short(fastest));
        return;
    }
    let header = "ball impacts in the end  x [m]      y [m]      vx [m/s]  vy [m/s]  spin [rad/s]";
    let _ = writeln!(out, "{}", style.bold(header));
    for (i, (state, phase)) in ends.iter().enumerate() {
        let name = style.phase(*phase, &format!("{:<11}", phase.name()));
        let (q, impacts) = (state.position, record.impacts[i]);
        let [vx, vy, spin] = [state.velocity.x, state.velocity.y, state.spin].map(short);
        let ball = i + 1;
        let _ = writeln!(out, "{ball:<4} {impacts:<7} {name} {:<10.5} {:<10.5} {vx:<9} {vy:<9} {spin}", q.x, q.y);
    }
}

pub(super) fn events(out: &mut String, scenario: &Scenario, record: &Recorder, style: Style) {
    if record.event_count == 0 {
        let _ = writeln!(out, "no events");
        return;
    }
    let (balls, along) = match (record.scenes.len() > 1, scenario.curve.curves.is_empty()) {
        (true, _) => ("ball–other  ", ""),
        (false, true) => ("", "v·τ [m/s]"),
        (false, false) => ("", "ground"),
    };
    let header = format!("event          {balls}time [s]     x [m]      y [m]      v·n [m/s]            {along}");
    let header = header.trim_end();
    let _ = writeln!(out, "{}", style.bold(header));
    let events: Vec<&BallEvent> = record.events.iter().chain(&record.last_event).collect();
    let shown = shown(&events);
    let mut before = None;
    for i in shown.iter().copied() {
        // The last event shown may not follow the one before it.
        let index = if i + 1 == events.len() { record.event_count - 1 } else { i as u64 };
        let left_out = index - before.map_or(0, |before| before + 1);
        if left_out > 0 {
            let _ = writeln!(out, "{}", style.faint(&format!("… {left_out} between; --out DIR writes all")));
        }
        before = Some(index);
        let _ = writeln!(out, "{}", event_line(scenario, record, events[i], style));
    }
}

/// Indices of the events shown: beginning and end of a series of impacts, and the first and last of many.
fn shown(events: &[&BallEvent]) -> Vec<usize> {
    let is_impact = |i: &usize| events[*i].event.kind == EventKind::Impact;
    let mut shown = Vec::new();
    let mut i = 0;
    while i < events.len() {
        let series = (i..events.len()).take_while(is_impact).count();
        if series > IMPACTS.0 + IMPACTS.1 + 1 {
            shown.extend((i..i + IMPACTS.0).chain(i + series - IMPACTS.1..i + series));
            i += series;
        } else {
            shown.push(i);
            i += 1;
        }
    }
    if shown.len() > EVENTS.0 + EVENTS.1 + 1 {
        shown.drain(EVENTS.0..shown.len() - EVENTS.1);
    }
    shown
}

fn event_line(scenario: &Scenario, record: &Recorder, told: &BallEvent, style: Style) -> String {
    let scenes = &record.scenes;
    let BallEvent { ball, other, event, normal_velocity: [before, after], tangential_velocity: [_, along], .. } = told;
    let q = scenes[*ball].world(&event.after).position;
    let watch = told.watch.and_then(|watch| scenario.watches.get(watch));
    let kind = watch.map_or_else(|| event.kind.name().to_owned(), |watch| format!("watch {}", watch.name));
    let kind = style.phase(event.phase_after, &format!("{kind:<14}"));
    let (balls, along) = match other {
        _ if scenes.len() == 1 => {
            let curve = scenes[*ball].ground.curve_of(event.place);
            (String::new(), scenario.curve.name(curve).map_or_else(|| short(*along), |name| cut(name, 13)))
        }
        Some(other) => (format!("{:<11} ", format!("{}–{}", ball + 1, other + 1)), String::new()),
        None => (format!("{:<11} ", format!("{}–ground", ball + 1)), String::new()),
    };
    // Speeds within rounding are zero.
    let grain = 4.0 * f64::EPSILON * event.before.velocity.norm().max(event.after.velocity.norm());
    let [before, after] = [before, after].map(|speed| if speed.abs() <= grain { 0.0 } else { *speed });
    let normal = if watch.is_some() {
        let top = record.phases.rows.iter().map(|row| row.top_speed).fold(0.0, f64::max);
        format!("v = {}", short(or_zero(event.after.velocity.norm(), top)))
    } else if before == after {
        short(after)
    } else {
        format!("{} → {}", short(before), short(after))
    };
    let [time, x, y] = [format!("{:.9}", event.time()), fixed(q.x, 5), fixed(q.y, 5)];
    format!("{kind} {balls}{time:<12} {x:<10} {y:<10} {normal:<20} {along}").trim_end().to_owned()
}

/// The name cut to this number of characters.
pub(crate) fn cut(name: &str, columns: usize) -> String {
    match name.char_indices().nth(columns) {
        Some(_) => name.chars().take(columns - 1).chain(['…']).collect(),
        None => name.to_owned(),
    }
}

/// Maximum number of characters of a name in a column, so that no name widens the rows of all others.
const NAME_WIDTH: usize = 40;

/// Width of a column with a head of so many characters over these names, each a [`short_name`].
pub fn name_width<S: AsRef<str>>(head: usize, names: impl IntoIterator<Item = S>) -> usize {
    names.into_iter().map(|name| name.as_ref().chars().count().min(NAME_WIDTH)).fold(head, usize::max)
}

/// The name, of one that is too long for a column both ends.
pub fn short_name(name: &str) -> String {
    let (count, half) = (name.chars().count(), NAME_WIDTH / 2);
    let ends = || name.chars().take(half).chain(['…']).chain(name.chars().skip(count + 1 - half)).collect();
    if count <= NAME_WIDTH { name.to_owned() } else { ends() }
}

/// The value, or zero if it is rounding compared with `beside`.
fn or_zero(value: f64, beside: f64) -> f64 {
    if value.abs() <= 1e-12 * beside.abs() { 0.0 } else { value }
}

/// Text of a time with as many decimals, up to nine, as fit the column.
fn clock(time: f64) -> String {
    let fits = (0..=9).rev().map(|decimals| format!("{time:.decimals$}")).find(|text| text.len() <= 11);
    fits.unwrap_or_else(|| short(time))
}

/// Text of a number with fixed decimals; with an exponent beyond 1e9, and without negative zero.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e9 {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    // A value rounded to zero has no sign.
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Text of a number with four decimals; below 1e-3 and from 1e5 on with three digits and an exponent.
pub(super) fn short(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.abs() < 1e-3 || value.abs() >= 1e5 {
        format!("{value:.2e}")
    } else {
        format!("{value:.4}")
    }
}
