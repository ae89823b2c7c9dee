#![doc = include_str!("../README.md")]

mod balance;
mod capture;
mod compressed_phase;
mod contact_phase;
mod event;
mod flight_phase;
mod localisation;
mod locate;
mod observer;
mod progress;
mod resolution;
mod rest_phase;
mod run;
mod scene;
mod snug;
mod start;
mod stop;
mod stretch;
mod summary;
mod watch;
mod wedge_phase;

pub use balance::{Balance, Quantity, Residual};
pub use capture::{Capture, CaptureReason};
pub use event::{Event, EventKind, Phase};
pub use localisation::Localisation;
pub use observer::{Nobody, Observer, Recording, Sample};
pub use progress::Doing;
pub use run::{Options, Paused, Supervisor};
pub use scene::Scene;
pub use start::Start;
pub use stop::Stop;
pub use stretch::{KeptStretch, Stretch};
pub use summary::{Count, Summary, WedgedEnd};
