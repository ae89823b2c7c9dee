//! Output of a command: messages, reports, progress.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kugelbahn::input::{InputError, printable};
use kugelbahn::output::{OutputError, print};
use kugelbahn::terminal::Style;

/// Why the command failed; each has its exit status.
pub enum CommandFailure {
    Input(InputError),
    Output(OutputError),
    Stopped,
}

impl From<InputError> for CommandFailure {
    fn from(error: InputError) -> Self {
        CommandFailure::Input(error)
    }
}

impl From<OutputError> for CommandFailure {
    fn from(error: OutputError) -> Self {
        CommandFailure::Output(error)
    }
}

/// Tells what is wrong, with its place.
pub fn complain(error: InputError) {
    let colour = colour_on(&std::io::stderr());
    let theme = if colour { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::unicode_nocolor() };
    let mut text = String::new();
    let drawn = miette::GraphicalReportHandler::new_themed(theme).render_report(&mut text, &error);
    // The error has escaped its texts; the only control characters are the colours of the theme.
    let _ = std::io::stderr().lock().write_all(if drawn.is_ok() { text } else { format!("{error}\n") }.as_bytes());
}

/// Prints what was found: as JSON, as a report, or not at all.
pub fn say(
    json: bool,
    quiet: bool,
    document: impl FnOnce() -> String,
    report: impl FnOnce(Style) -> String,
) -> Result<(), OutputError> {
    if json {
        print(&document())?;
    } else if !quiet {
        print(&report(printed_style()))?;
    }
    Ok(())
}

/// A bar for long runs.
pub fn progress_bar(hidden: bool, template: &str) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A bar that shows nothing in the first second, and then no more than five times a second.
pub struct Throttle {
    pub bar: ProgressBar,
    started: Instant,
    /// ms since the start.
    shown: AtomicU64,
}

impl Throttle {
    pub fn new(hidden: bool, template: &str) -> Self {
        Throttle { bar: progress_bar(hidden, template), started: Instant::now(), shown: AtomicU64::new(0) }
    }

    /// Lets `show` set the bar, if it is time, and tells it how many seconds went by.
    pub fn show(&self, show: impl FnOnce(&ProgressBar, u64)) {
        let (now, last) = (self.started.elapsed().as_millis() as u64, self.shown.load(Relaxed));
        if now > 1000 && now > last + 200 && self.shown.compare_exchange(last, now, Relaxed, Relaxed).is_ok() {
            show(&self.bar, now / 1000);
        }
    }
}

/// The style of what is printed to stdout.
pub fn printed_style() -> Style {
    Style { colour: colour_on(&std::io::stdout()) }
}

/// Colours go to a terminal that has them (`TERM`), whose user has not said `NO_COLOR`.
fn colour_on(stream: &impl IsTerminal) -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !dumb && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints to stderr, with control characters escaped.
pub fn warn(text: &str) {
    let _ = std::io::stderr().lock().write_all(printable(text).as_bytes());
}
