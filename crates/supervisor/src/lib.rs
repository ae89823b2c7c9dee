#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod capture;
mod compressed_phase;
mod contact_by_parabola;
mod contact_phase;
mod energy_judge;
mod event;
mod event_balance;
mod flight_phase;
mod lift_off_slip_stick;
mod moment;
mod motion;
mod moving_parts;
mod observer;
mod rest_phase;
mod run;
mod sample;
mod scene;
mod start;
mod step_cut;
mod step_too_long;
mod stop;
mod stretch;
mod summary;
mod supervisor;
mod watches;
mod wedge_phase;

pub use capture::{Capture, CaptureReason};
pub use contact_by_parabola::Localisation;
pub use energy_judge::Ledger;
pub use event::{Event, EventKind, Phase};
pub use event_balance::{Balance, Residual};
pub use moment::{Jump, Jumps, Moment, Tally};
pub use observer::{NoObserver, Observer, Recording};
pub use sample::Sample;
pub use scene::{Made, Options, Part, Scene};
pub use start::{Near, Start};
pub use stop::{Doing, Quantity, Stop};
pub use stretch::{Extreme, KeptStretch, Over, Rate, Stretch};
pub use summary::{Count, Projections, PutBack, Summary, WedgedEnd};
pub use supervisor::{Paused, Supervisor};
pub use watches::{Crossing, Watch, Watched, Watching};
