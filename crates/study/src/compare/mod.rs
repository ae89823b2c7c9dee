//! `kugelbahn compare` and `kugelbahn converge`: runs one scenario by several methods and judges each by a reference.
//!
//! Runs for accuracy go side by side on all cores, those for time one after the other. Nothing but times differs from
//! one call to the next.

mod closed_forms;
mod comparison;
mod converge;
mod draft;
mod errors;
mod figures;
mod json;
mod matching;
mod measure;
mod method;
mod option_lists;
mod page;
mod rates;
mod reference_solution;
mod tables;
mod track;

pub use closed_forms::known;
pub use comparison::{ComparedRun, Comparison, ComparisonPlan, Timing, cases, compare, time};
pub use converge::{Convergence, Line, Plateau, Point, PowerLaw, converge, fit, observables};
pub use draft::Draft;
pub use errors::{Errors, errors};
pub use figures::{convergence_figure, differences_figure, paths_figure, work_precision_figure};
pub use json::{comparison_json, convergence_json};
pub use matching::{Matching, matching};
pub use measure::{JUDGED, Measure, OBSERVED};
pub use method::{Case, Fineness, Method, methods};
pub use option_lists::numbers;
pub(crate) use page::again;
pub use page::{comparison_html, convergence_html};
pub use rates::{convergence_csv, convergence_report, convergence_table};
pub use reference_solution::{ClosedForm, Exact, Truth};
pub use tables::{comparison_csv, comparison_report, comparison_table, events_csv};
pub use track::{ComparedRow, EventTime, RunTrack, RunWork};
