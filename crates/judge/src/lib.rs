#![doc = include_str!("../README.md")]

mod drawn;
mod error;
mod ours;
mod sheet;
mod suite;
mod table;
mod verdict;

pub use drawn::{JudgedEntry, figure_name, figures};
pub use error::{Complaint, JudgeError};
pub use ours::ours;
pub use sheet::{About, Answer, AnswerSheet, Heard, read_about, read_entry, read_sheets};
pub use suite::{EventSeries, ExactNumber, Judged, Suite, Task};
pub use table::{floor, overview, table, worst_of};
pub use verdict::{AfterZeno, CaseVerdict, EventVerdict, Worst, judge};
