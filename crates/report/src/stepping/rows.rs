//! Rows of the tables.

use curves::OffsetGround;
use nalgebra::Vector2;
use scenario::stepping::{Frame, SteppingEvent};

use crate::output::{EVENT_COLUMNS, TRAJECTORY_COLUMNS, event_start, motion, nearest, text};

/// Columns of `events.csv` of a run by time stepping: those of an event-driven run, and which balls.
pub const STEPPING_EVENT_COLUMNS: [&str; 20] = followed(&EVENT_COLUMNS, &["ball", "other"]);

/// Columns of `trajectory.csv` of a run by time stepping: those of an event-driven run, then the reaction impulses since
/// the row before and the ledger of the contacts, of the projection and of the scheme itself.
pub const STEPPING_TRAJECTORY_COLUMNS: [&str; 25] = followed(
    // All but the last, the second normal force: forces of time stepping are sums over all contacts.
    TRAJECTORY_COLUMNS.split_at(TRAJECTORY_COLUMNS.len() - 1).0,
    &[
        "normal_impulse",
        "tangential_impulse",
        "work_normal",
        "work_tangential",
        "projection_energy",
        "numerical_energy",
    ],
);

/// Names of columns, then those of others.
const fn followed<const N: usize>(first: &[&'static str], others: &[&'static str]) -> [&'static str; N] {
    let mut columns = [""; N];
    let mut i = 0;
    while i < N {
        columns[i] = if i < first.len() { first[i] } else { others[i - first.len()] };
        i += 1;
    }
    columns
}

/// A row of `events.csv`.
pub(crate) fn event_row(ground: &OffsetGround, index: u64, event: &SteppingEvent) -> Vec<String> {
    let q = event.after.position;
    let s = match event.other {
        None => text(nearest(ground, q).0),
        Some(_) => String::new(),
    };
    let mut row = event_start(index, event.after.time, event.kind, [event.phase_before, event.phase_after], q);
    row.push(s);
    let ([n0, n1], [t0, t1]) = (event.normal_velocity, event.tangential_velocity);
    let (spins, [before, after]) = ([event.before.spin, event.after.spin], event.energy);
    let numbers = [n0, n1, t0, t1, spins[0], spins[1], event.normal_impulse, event.tangential_impulse, before, after];
    row.extend(numbers.map(text));
    row.push((event.ball + 1).to_string());
    row.push(event.other.map_or(String::new(), |other| (other + 1).to_string()));
    row
}

/// A row of a trajectory. `last`: impulses of the step that ends here; `since`: those since the row before.
pub(crate) fn trajectory_row(
    ground: &OffsetGround,
    before: &Frame,
    at: &Frame,
    ball: usize,
    last: [f64; 2],
    since: [f64; 2],
) -> Vec<String> {
    let (state, energy) = (&at.states[ball], &at.accounts[ball]);
    let start = before.states.get(ball).filter(|_| before.index < at.index);
    let step = start.map_or(1.0, |start| state.time - start.time);
    let acceleration = start.map_or(Vector2::zeros(), |start| (state.velocity - start.velocity) / step);
    let (s, gap) = nearest(ground, state.position);
    let mut row = vec![text(state.time), at.phases[ball].name().to_owned()];
    row.extend(motion(state, acceleration, s, gap).map(text));
    let numbers = [
        last[0] / step,
        last[1] / step,
        energy.kinetic,
        energy.potential,
        energy.dissipated - energy.normal - energy.tangential,
        energy.external,
        energy.total(),
        since[0],
        since[1],
        energy.normal,
        energy.tangential,
        energy.projection,
        energy.numerical(),
    ];
    row.extend(numbers.map(text));
    row
}
