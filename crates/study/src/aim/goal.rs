//! The text of `--target`, `--minimise` and `--maximise`.

use identify::{Component, Moment, Quantity};
use scenario::input::{InputError, Source, Span, did_you_mean};
use supervisor::EventKind;

/// A number of the run, and what it is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// As it was written.
    pub name: String,
    /// Which number.
    pub quantity: Quantity,
    /// What it is to be.
    pub wish: Wish,
}

/// What a quantity is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// This.
    Equal(f64),
    /// As little as can be.
    Least,
    /// As much as can be.
    Greatest,
}

const COMPONENTS: [(&str, Component); 8] = [
    ("time", Component::Time),
    ("x", Component::State(0)),
    ("y", Component::State(1)),
    ("vx", Component::State(2)),
    ("vy", Component::State(3)),
    ("spin", Component::State(4)),
    ("angle", Component::State(5)),
    ("speed", Component::Speed),
];

const KINDS: [EventKind; 6] = [
    EventKind::Landing,
    EventKind::LiftOff,
    EventKind::Slip,
    EventKind::Stick,
    EventKind::Rest,
    EventKind::EndOfGround,
];

const WHOLE: [(&str, Quantity); 2] = [("height", Quantity::Height), ("normal-force", Quantity::NormalForce)];

const HELP: &str = "a quantity is COMPONENT(MOMENT) or MOMENT.COMPONENT: landing.x, impact.2.x, time(x=3), y(t=1.5), speed(end), \
                    vy-before(impact.1); or height, or normal-force";

struct Text {
    source: Source,
}

impl Text {
    fn span(&self, part: &str) -> Span {
        let all = self.source.text();
        let from = (part.as_ptr() as usize).saturating_sub(all.as_ptr() as usize).min(all.len());
        Span { source: self.source.clone(), range: from..(from + part.len()).min(all.len()) }
    }

    fn wrong(&self, part: &str, message: String, label: &str) -> InputError {
        InputError::new(&self.span(part), message, label).with_help(HELP)
    }

    fn quantity(&self, text: &str) -> Result<Quantity, InputError> {
        let text = text.trim();
        if let Some((_, quantity)) = WHOLE.iter().find(|(name, _)| *name == text) {
            return Ok(*quantity);
        }
        let (component, moment) = match (text.split_once('('), text.rsplit_once('.')) {
            (Some((component, rest)), _) => match rest.strip_suffix(')') {
                Some(moment) => (component, moment),
                None => {
                    return Err(self.wrong(text, format!("`{text}` lacks its closing parenthesis"), "expected `)`"));
                }
            },
            (None, Some((moment, component))) => (component, moment),
            (None, None) => {
                let known = WHOLE.iter().map(|(name, _)| *name).chain(COMPONENTS.iter().map(|(name, _)| *name));
                let message = format!("`{text}` is no quantity of a run");
                let error = InputError::new(&self.span(text), message, "unknown quantity");
                return Err(match did_you_mean(text, known) {
                    Some(near) if WHOLE.iter().any(|(name, _)| *name == near) => {
                        error.with_help(format!("did you mean `{near}`?"))
                    }
                    Some(near) => error.with_help(format!("say when: {near}(landing), {near}(impact.2), {near}(end)")),
                    None => error.with_help(HELP),
                });
            }
        };
        let component = component.trim();
        let (name, before) = component.strip_suffix("-before").map_or((component, false), |name| (name, true));
        let Some((_, found)) = COMPONENTS.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = COMPONENTS.iter().map(|(name, _)| *name).collect();
            let message =
                format!("`{component}` is no component: {}, of velocities also vx-before, …", names.join(", "));
            return Err(self.wrong(component, message, "unknown component"));
        };
        if before && *found == Component::Time {
            let message = "`time` is the same before and after".to_owned();
            return Err(self.wrong(component, message, "leave `-before` out"));
        }
        Ok(Quantity::At { component: *found, moment: self.moment(moment.trim())?, before })
    }

    fn moment(&self, text: &str) -> Result<Moment, InputError> {
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
        let (kind, which) = match text.split_once('.') {
            None => (text, 1),
            Some((kind, which)) => match which.parse::<usize>() {
                Ok(which) if which > 0 => (kind, which),
                _ => return Err(self.wrong(which, format!("`{which}` counts no events"), "expected 1, 2, 3, …")),
            },
        };
        if kind == "impact" {
            return Ok(Moment::Impact(which));
        }
        let names = || KINDS.iter().map(|kind| kind.name());
        let found = KINDS.iter().find(|known| known.name() == kind);
        found.map(|kind| Moment::Event(*kind, which)).ok_or_else(|| {
            let known = ["impact", "end"].into_iter().chain(names());
            let message = format!("`{kind}` is no moment of a run");
            match did_you_mean(kind, known) {
                Some(near) => {
                    let error = InputError::new(&self.span(kind), message, "unknown moment");
                    error.with_help(format!("did you mean `{near}`?"))
                }
                None => self.wrong(
                    kind,
                    format!("{message}: impact, {}, end, t=…, x=…, y=…", names().collect::<Vec<_>>().join(", ")),
                    "unknown moment",
                ),
            }
        })
    }

    fn number(&self, text: &str) -> Result<f64, InputError> {
        let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| self.wrong(text, format!("`{}` is no number", text.trim()), "expected a number"))
    }
}

/// The `=` before the value: the last outside of parentheses.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut found = None;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '=' if depth == 0 => found = Some(i),
            _ => {}
        }
    }
    found.map(|i| (&text[..i], &text[i + 1..]))
}

impl Goal {
    /// `QUANTITY = VALUE`
    pub fn target(text: &str) -> Result<Goal, InputError> {
        let read = Text { source: Source::new("--target", text.to_owned()) };
        let text = read.source.text();
        if text.matches('(').count() > text.matches(')').count() {
            return Err(read.wrong(text, format!("`{text}` lacks its closing parenthesis"), "expected `)`"));
        }
        let Some((quantity, value)) = split(text) else {
            return Err(InputError::new(&read.span(text), format!("`{text}` sets no value"), "expected `= VALUE`")
                .with_help("write --target 'landing.x = 3.0'"));
        };
        let wish = Wish::Equal(read.number(value)?);
        Ok(Goal { quantity: read.quantity(quantity)?, name: quantity.trim().to_owned(), wish })
    }

    /// `QUANTITY`, of the `option` named.
    pub fn extreme(option: &str, text: &str, wish: Wish) -> Result<Goal, InputError> {
        let read = Text { source: Source::new(option, text.to_owned()) };
        let text = read.source.text();
        if let Some((quantity, _)) = split(text) {
            let error = InputError::new(&read.span(text), format!("{option} takes no value"), "expected a quantity");
            return Err(error.with_help(format!("write {option} {} or --target '{text}'", quantity.trim())));
        }
        Ok(Goal { quantity: read.quantity(text)?, name: text.trim().to_owned(), wish })
    }
}
