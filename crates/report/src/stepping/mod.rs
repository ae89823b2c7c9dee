//! Tables, figures and reports of runs by time stepping.

mod figures;
mod record;
mod report;
mod rows;
mod summary;

pub use figures::{Trace, path_svg, time_svg};
pub use record::SteppingRecorder;
pub use report::stepping_report;
pub use rows::{STEPPING_EVENT_COLUMNS, STEPPING_TRAJECTORY_COLUMNS};
pub use summary::stepping_summary_json;
