//! Reads names of a run's quantities, such as `impact.3.x`: one grammar for all commands that aim at or observe them.

use identify::{Component, OfJump, Quantity};
use scenario::input::{InputError, Source, Span, did_you_mean};
use scenario::moment::Words;
use supervisor::{Moment, Watch};

/// A quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observable {
    /// A component of the ball's state at a moment.
    At(StatePart, Moment),
    /// A number of the run as a whole, or of a jump.
    Whole(Quantity),
}

impl Observable {
    /// Reads `impact.3.x`, `x(impact.3)`, `rest.time`, `normal-force`, `end.phase`, `jump.2.length`, …; `option` names
    /// where it was written, `watches` are those of the scenario.
    pub fn read(option: &str, text: &str, watches: &[Watch]) -> Result<Self, InputError> {
        let text = QuantityText { source: Source::new(option, text.to_owned()), watches };
        text.observable(text.source.text())
    }

    /// The numerical quantity; `None`: its values are words.
    pub fn quantity(&self) -> Option<Quantity> {
        match *self {
            Observable::At(StatePart { what, before }, moment) => {
                what.map(|component| Quantity::At { component, moment, before })
            }
            Observable::Whole(quantity) => Some(quantity),
        }
    }

    /// Its unit; empty for words, and for `s`, whose unit depends on the ground.
    pub fn unit(&self) -> &'static str {
        match self {
            Observable::At(part, _) => part.unit(),
            Observable::Whole(Quantity::NormalForce) => "N",
            Observable::Whole(Quantity::Jump(OfJump::LiftOff(component) | OfJump::Landing(component), _)) => {
                unit(*component)
            }
            Observable::Whole(Quantity::Jump(of, _)) => {
                JUMPS.iter().find(|(_, known, _)| known == of).map_or("", |(.., unit)| unit)
            }
            Observable::Whole(_) => "m",
        }
    }
}

/// A component of the ball's state, before or after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatePart {
    /// Component; `None`: the phase, a word.
    pub what: Option<Component>,
    /// Whether just before an event; else just after it.
    pub before: bool,
}

impl StatePart {
    /// Reads `x`, `vy-before`, `phase`, …
    pub fn read(option: &str, text: &str) -> Result<Self, InputError> {
        let text = QuantityText { source: Source::new(option, text.to_owned()), watches: &[] };
        text.part(text.source.text().trim())
    }

    /// Its unit, as [`Observable::unit`].
    pub fn unit(&self) -> &'static str {
        self.what.map_or("", unit)
    }
}

/// Reads a kind of event: `impact`, `lift-off`, …
pub fn event(option: &str, text: &str, watches: &[Watch]) -> Result<Moment, InputError> {
    let text = QuantityText { source: Source::new(option, text.to_owned()), watches };
    let whole = text.source.text().trim();
    match text.moment(whole)? {
        moment @ (Moment::Impact(1) | Moment::Event(_, 1)) if !whole.contains('.') => Ok(moment),
        moment @ Moment::Watch(_, 1) if whole.matches('.').count() == 1 => Ok(moment),
        _ => Err(text.wrong(whole, format!("`{whole}` is no kind of event"), "expected impact, landing, lift-off, …")),
    }
}

fn unit(component: Component) -> &'static str {
    COMPONENTS.iter().find(|(_, known, _)| *known == component).map_or("", |(.., unit)| unit)
}

/// Names of the components and of the phase.
fn names() -> impl Iterator<Item = &'static str> {
    COMPONENTS.iter().map(|(name, ..)| *name).chain([PHASE])
}

/// Components of the state: name and unit.
const COMPONENTS: [(&str, Component, &str); 9] = [
    ("time", Component::Time, "s"),
    ("x", Component::State(0), "m"),
    ("y", Component::State(1), "m"),
    ("vx", Component::State(2), "m/s"),
    ("vy", Component::State(3), "m/s"),
    ("spin", Component::State(4), "rad/s"),
    ("angle", Component::State(5), "rad"),
    ("speed", Component::Speed, "m/s"),
    ("s", Component::GroundParameter, ""),
];

const WHOLE: [(&str, Quantity); 2] = [("height", Quantity::Height), ("normal-force", Quantity::NormalForce)];

/// Numbers of a jump: name and unit. Its `lift-off` and `landing` are moments with components.
const JUMPS: [(&str, OfJump, &str); 5] = [
    ("length", OfJump::Length, "m"),
    ("speed", OfJump::Speed, "m/s"),
    ("landing-angle", OfJump::LandingAngle, "rad"),
    ("fall-height", OfJump::FallHeight, "m"),
    ("normal-impulse", OfJump::NormalImpulse, "N s"),
];

/// Name of the phase, whose values are words.
const PHASE: &str = "phase";

const HELP: &str = "a quantity is COMPONENT(MOMENT) or MOMENT.COMPONENT: landing.x, impact.2.x, time(x=3), y(t=1.5), speed(end), \
                    vy-before(impact.1); watch.NAME.1.x, jump.2.length, end.phase; or height, or normal-force";

/// A text with a quantity, and its origin for errors.
pub(crate) struct QuantityText<'a> {
    pub source: Source,
    /// Watches that may be named.
    pub watches: &'a [Watch],
}

impl QuantityText<'_> {
    pub fn span(&self, part: &str) -> Span {
        self.source.part(part)
    }

    pub fn wrong(&self, part: &str, message: String, label: &str) -> InputError {
        InputError::new(&self.span(part), message, label).with_help(HELP)
    }

    /// Reads a quantity.
    pub fn observable(&self, text: &str) -> Result<Observable, InputError> {
        let text = text.trim();
        if let Some((_, quantity)) = WHOLE.iter().find(|(name, _)| *name == text) {
            return Ok(Observable::Whole(*quantity));
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
                let known = WHOLE.iter().map(|(name, _)| *name).chain(names());
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
        let (component, moment) = (component.trim(), moment.trim());
        if let Some(which) = moment.strip_prefix("jump") {
            return self.jump(which.strip_prefix('.').unwrap_or(which), component);
        }
        Ok(Observable::At(self.part(component)?, self.moment(moment)?))
    }

    fn part(&self, component: &str) -> Result<StatePart, InputError> {
        let (name, before) = component.strip_suffix("-before").map_or((component, false), |name| (name, true));
        if name == PHASE {
            return Ok(StatePart { what: None, before });
        }
        let Some((_, found, _)) = COMPONENTS.iter().find(|(known, ..)| *known == name) else {
            let message = format!("`{component}` is no component");
            return Err(match did_you_mean(name, names()).filter(|_| name.len() > 2) {
                Some(near) => InputError::new(&self.span(component), message, "unknown component")
                    .with_help(format!("did you mean `{near}`?")),
                None => {
                    let names = names().collect::<Vec<_>>().join(", ");
                    let message = format!("{message}: {names}, of velocities also vx-before, …");
                    self.wrong(component, message, "unknown component")
                }
            });
        };
        if before && *found == Component::Time {
            let message = "`time` is the same before and after".to_owned();
            return Err(self.wrong(component, message, "leave `-before` out"));
        }
        Ok(StatePart { what: Some(*found), before })
    }

    /// Reads a quantity of a jump: `length` of `2`, `x` of `2.lift-off`; names as in `summary.json`, with `-` for `_`.
    fn jump(&self, which: &str, name: &str) -> Result<Observable, InputError> {
        let dashed = |text: &str| text.replace('_', "-");
        let wrong = |message: String, label: &str| Err(self.wrong(name, message, label));
        let at = |end: &str| matches!(end, "lift-off" | "landing");
        let (which, end) = match which.rsplit_once('.') {
            Some((which, end)) if at(&dashed(end)) => (which, Some(dashed(end))),
            None if at(&dashed(which)) => ("", Some(dashed(which))),
            _ => (which, None),
        };
        let which = if which.is_empty() { 1 } else { self.words(|words| words.count(which))? };
        let known = dashed(name);
        let of = match end {
            Some(end) => match self.part(name)? {
                StatePart { what: Some(component), before: false } if end == "landing" => OfJump::Landing(component),
                StatePart { what: Some(component), before: false } => OfJump::LiftOff(component),
                _ => return wrong(format!("a jump has no `{name}` there"), "a number, without `-before`"),
            },
            None => match JUMPS.iter().find(|(word, ..)| *word == known) {
                Some((_, of, _)) => *of,
                None => {
                    let words: Vec<&str> = JUMPS.iter().map(|(word, ..)| *word).collect();
                    let label = format!("expected {}, lift-off.x, landing.x, …", words.join(", "));
                    return wrong(format!("a jump has no `{name}`"), &label);
                }
            },
        };
        Ok(Observable::Whole(Quantity::Jump(of, which)))
    }

    fn words<T>(&self, read: impl FnOnce(&Words) -> Result<T, InputError>) -> Result<T, InputError> {
        read(&Words { span: &|part| self.span(part), watches: self.watches, help: HELP })
    }

    fn moment(&self, text: &str) -> Result<Moment, InputError> {
        self.words(|words| words.moment(text))
    }

    /// Reads a finite number.
    pub fn number(&self, text: &str) -> Result<f64, InputError> {
        self.words(|words| words.number(text))
    }
}
