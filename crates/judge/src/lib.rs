#![doc = include_str!("../README.md")]

mod answers_file;
mod error;
mod error_figures;
mod kugelbahn_answers;
mod suite;
mod table;
mod verdict;

pub use answers_file::{About, Answer, AnswerSheet, Heard, read_about, read_entry, read_sheets};
pub use error::{Complaint, JudgeError};
pub use error_figures::{JudgedEntry, figure_name, figures};
pub use kugelbahn_answers::ours;
pub use suite::{EventSeries, ExactNumber, Judged, Suite, Task};
pub use table::{floor, overview, table, worst_of};
pub use verdict::{AfterZeno, CaseVerdict, EventVerdict, Worst, judge};
