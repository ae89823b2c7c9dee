//! Names that most programs need: `use kugelbahn::prelude::*;`

pub use curves::{Piece, Profile};
pub use flight::{FlightMethod, FlightScheme};
pub use mechanics::{AppliedForce, Ball, Body, Compliance, CompliantLaw, Forces, NormalLaw, State};
pub use moreau::{Contact, Contacts, Lagrangian, Motion, SteppingScheme};
pub use nalgebra::{DVector, Vector2};
pub use newmark::{Control, SchemeError, Tolerance};
pub use numbers::{Interval, Number};
pub use rolling::{ContactMethod, ContactScheme, ContactState, ContactSystem, Coordinates};
pub use scenario::{Keys, Methods};
pub use std::ops::ControlFlow;
pub use supervisor::{Event, EventKind, NoObserver, Observer, Phase, Sample, Stop, Stretch};

pub use crate::{Crossing, Ended, Ground, Moment, Run, Running, Simulation, Snapshot, Watch, Watched};
