//! Reads and writes names of moments of a run: `impact.3`, `rest`, `watch.finish`, `t=5`.

use supervisor::{EventKind, Moment, Watch};

use crate::input::{InputError, Span, did_you_mean};

/// Kinds of events that a moment names by the name of the kind.
const KINDS: [EventKind; 8] = [
    EventKind::Landing,
    EventKind::LiftOff,
    EventKind::Slip,
    EventKind::Stick,
    EventKind::Rest,
    EventKind::EndOfGround,
    EventKind::Touch,
    EventKind::Release,
];

/// Reader of moments in a text.
pub struct Words<'a> {
    /// Position of a part of the text.
    pub span: &'a dyn Fn(&str) -> Span,
    /// Watches that may be named.
    pub watches: &'a [Watch],
    /// Cure of errors: a list of moments.
    pub help: &'a str,
}

impl Words<'_> {
    fn wrong(&self, part: &str, message: String, label: &str) -> InputError {
        InputError::new(&(self.span)(part), message, label).with_help(self.help)
    }

    /// Reads a moment.
    pub fn moment(&self, text: &str) -> Result<Moment, InputError> {
        if let Some((axis, value)) = text.split_once('=') {
            let value = self.number(value)?;
            return match axis.trim() {
                "t" if value >= 0.0 => Ok(Moment::Time(value)),
                "t" => Err(self.wrong(text, format!("t = {value} is before the run"), "must not be negative")),
                "x" => Ok(Moment::Passing(0, value)),
                "y" => Ok(Moment::Passing(1, value)),
                _ => Err(self.wrong(text, format!("`{text}` is no moment of a run"), "expected t=…, x=… or y=…")),
            };
        }
        if text == "end" {
            return Ok(Moment::End);
        }
        let (kind, rest) = text.split_once('.').unwrap_or((text, ""));
        if kind == "watch" {
            return self.watch(text, rest);
        }
        let which = if rest.is_empty() && kind == text { 1 } else { self.count(rest)? };
        if kind == "impact" {
            return Ok(Moment::Impact(which));
        }
        if let Some(found) = KINDS.iter().find(|known| known.name() == kind) {
            return Ok(Moment::Event(*found, which));
        }
        if self.watches.iter().any(|watch| &*watch.name == kind) {
            let error = self.wrong(text, format!("`{kind}` is a watch"), "a moment of it has `watch.` before");
            return Err(error.with_help(format!("write `watch.{text}`")));
        }
        let message = format!("`{kind}` is no moment of a run");
        let names = KINDS.map(EventKind::name);
        Err(match did_you_mean(kind, ["impact", "end", "watch"].into_iter().chain(names)) {
            Some(near) => self.wrong(kind, message, "unknown moment").with_help(format!("did you mean `{near}`?")),
            None => {
                let all = format!("{message}: impact, {}, watch.NAME, end, t=…, x=…, y=…", names.join(", "));
                self.wrong(kind, all, "unknown moment")
            }
        })
    }

    /// Reads a watch: `NAME` or `NAME.2`.
    fn watch(&self, text: &str, rest: &str) -> Result<Moment, InputError> {
        let (name, which) = rest.split_once('.').map_or((rest, None), |(name, which)| (name, Some(which)));
        let which = which.map_or(Ok(1), |which| self.count(which))?;
        let names = || self.watches.iter().map(|watch| &*watch.name);
        if let Some(index) = self.watches.iter().position(|watch| &*watch.name == name) {
            return Ok(Moment::Watch(index, which));
        }
        let message =
            if name.is_empty() { "`watch` names no watch".to_owned() } else { format!("there is no watch `{name}`") };
        let error = InputError::new(&(self.span)(text), message, "write watch.NAME");
        Err(match did_you_mean(name, names()) {
            Some(near) => error.with_help(format!("did you mean `watch.{near}`?")),
            None if self.watches.is_empty() => {
                error.with_help("add a `[[watch]]` table with this `name` to the scenario")
            }
            None => error.with_help(format!("the scenario has: {}", names().collect::<Vec<_>>().join(", "))),
        })
    }

    /// Reads a number 1, 2, 3, …
    pub fn count(&self, text: &str) -> Result<usize, InputError> {
        match text.parse::<usize>() {
            Ok(which) if which > 0 => Ok(which),
            _ => Err(self.wrong(text, format!("`{text}` counts no events"), "expected 1, 2, 3, …")),
        }
    }

    /// Reads a finite number.
    pub fn number(&self, text: &str) -> Result<f64, InputError> {
        let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| self.wrong(text, format!("`{}` is no number", text.trim()), "expected a number"))
    }
}

/// Text of a moment, as read by [`Words::moment`].
pub fn written(moment: Moment, watches: &[Watch]) -> String {
    let counted = |name: &str, which: usize| if which == 1 { name.to_owned() } else { format!("{name}.{which}") };
    match moment {
        Moment::Impact(which) => counted("impact", which),
        Moment::Event(kind, which) => counted(kind.name(), which),
        Moment::Watch(index, which) => {
            counted(&format!("watch.{}", watches.get(index).map_or("", |watch| &watch.name)), which)
        }
        Moment::Time(time) => format!("t={time:?}"),
        Moment::Passing(axis, value) => format!("{}={value:?}", if axis == 0 { "x" } else { "y" }),
        Moment::End => "end".to_owned(),
    }
}
