//! Reads `--vary`, `--sample` and the cells of `--reduce`.

use scenario::Setting;
use scenario::input::{InputError, Source, did_you_mean};

use super::law::SampleLaw;
use super::{PlanPoints, setting};

const VARY: &str =
    "write KEY=FROM..TO/COUNT, KEY=log:FROM..TO/COUNT, or KEY=VALUE,VALUE,…: --vary contact.restitution=0.1..0.9/50";
const CELLS: &str = "write COLUMN=FROM..TO/CELLS or COLUMN=log:FROM..TO/CELLS: --reduce 'end.x=0..2/50'";
const SAMPLE: &str = "write KEY ~ normal(MEAN, DEVIATION), uniform(FROM, TO), lognormal(MEAN, DEVIATION) of the logarithm, or \
                      choice(VALUE, …): --sample 'contact.restitution ~ normal(0.8, 0.01)'";

/// Text of an option, to which errors point, and their help.
struct PlanText {
    source: Source,
    help: &'static str,
}

impl PlanText {
    fn wrong(&self, part: &str, message: impl Into<String>, label: &str) -> InputError {
        InputError::new(&self.source.part(part), message, label).with_help(self.help)
    }

    fn number(&self, text: &str) -> Result<f64, InputError> {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| self.wrong(text, format!("`{}` is no number", text.trim()), "expected a finite number"))
    }

    fn key<'a>(&self, text: &'a str) -> Result<&'a str, InputError> {
        let key = text.trim();
        let plain = !key.is_empty() && key.split('.').all(|part| !part.trim().is_empty());
        if plain { Ok(key) } else { Err(self.wrong(text, format!("`{key}` is no key"), "expected a dotted key")) }
    }

    /// Reads values between commas.
    fn list(&self, text: &str) -> Result<Vec<Setting>, InputError> {
        let value = |part: &str| match part.trim() {
            "" => Err(self.wrong(part, "a value is missing", "here")),
            value => Ok(setting(value)),
        };
        text.split(',').map(value).collect()
    }
}

/// Reads `KEY=FROM..TO/COUNT` or `KEY=VALUE,…`.
pub(super) fn vary(text: &str) -> Result<(String, PlanPoints), InputError> {
    points_of(PlanText { source: Source::new("--vary", text.to_owned()), help: VARY })
}

/// Reads the cells in `COLUMN=FROM..TO/CELLS`, and returns their CELLS + 1 bounds; the caller reads COLUMN.
pub(crate) fn cells_along(text: &str) -> Result<PlanPoints, InputError> {
    let text = PlanText { source: Source::new("--reduce", text.trim().to_owned()), help: CELLS };
    let wrong = text.wrong(text.source.text(), "no cells from one number to a larger one", "expected FROM..TO/CELLS");
    match points_of(text)? {
        (_, PlanPoints::Range { from, to, count, log }) if from < to => {
            Ok(PlanPoints::Range { from, to, count: count.saturating_add(1), log })
        }
        _ => Err(wrong),
    }
}

fn points_of(text: PlanText) -> Result<(String, PlanPoints), InputError> {
    let all = text.source.text();
    let Some((key, values)) = all.split_once('=') else {
        return Err(text.wrong(all, format!("`{all}` varies nothing"), "expected KEY=VALUES"));
    };
    let key = text.key(key)?.to_owned();
    let values = values.trim();
    let (log, line) = values.strip_prefix("log:").map_or((false, values), |line| (true, line));
    // A path such as `../a.csv` is no range.
    let range = line.split_once("..").filter(|(from, _)| log || from.trim().parse::<f64>().is_ok());
    let Some((from, rest)) = range else {
        if log {
            return Err(text.wrong(line, format!("`{line}` is no range"), "expected FROM..TO/COUNT"));
        }
        return Ok((key, PlanPoints::List(text.list(values)?)));
    };
    let Some((to, count)) = rest.rsplit_once('/') else {
        return Err(text.wrong(line, format!("`{line}` does not say how many points"), "expected FROM..TO/COUNT"));
    };
    let (from, to) = (text.number(from)?, text.number(to)?);
    let count = match count.trim().parse::<u64>() {
        Ok(0) => return Err(text.wrong(count, "an empty grid: 0 points", "at least 1")),
        Ok(count) => count,
        Err(_) => return Err(text.wrong(count, format!("`{}` counts no points", count.trim()), "expected 1, 2, 3, …")),
    };
    if log && (from == 0.0 || to == 0.0 || (from < 0.0) != (to < 0.0)) {
        let message = "equal ratios need two numbers of one sign, and not 0";
        return Err(text.wrong(line, message, "no log: between these"));
    }
    if !(if log { (to / from).is_normal() } else { (to - from).is_finite() }) {
        return Err(text.wrong(line, "the range is too long", "expected ends nearer to each other"));
    }
    Ok((key, PlanPoints::Range { from, to, count, log }))
}

/// Reads `KEY ~ LAW(…)`.
pub(super) fn sample(text: &str) -> Result<(String, SampleLaw), InputError> {
    let text = PlanText { source: Source::new("--sample", text.to_owned()), help: SAMPLE };
    let all = text.source.text();
    let Some((key, law)) = all.split_once('~') else {
        return Err(text.wrong(all, format!("`{all}` draws nothing"), "expected KEY ~ LAW"));
    };
    let key = text.key(key)?.to_owned();
    let law = law.trim();
    let Some((name, inner)) = law.strip_suffix(')').and_then(|law| law.split_once('(')) else {
        return Err(text.wrong(law, format!("`{law}` is no law"), "expected NAME(…)"));
    };
    let two = || match inner.split_once(',') {
        Some((first, second)) => Ok((text.number(first)?, text.number(second)?)),
        None => Err(text.wrong(inner, format!("`{}` takes two numbers", name.trim()), "expected two")),
    };
    let spread = |(mean, deviation): (f64, f64)| {
        if deviation >= 0.0 {
            return Ok((mean, deviation));
        }
        Err(text.wrong(inner, format!("the standard deviation {deviation} is below 0"), "must not be negative"))
    };
    let law = match name.trim() {
        "normal" => two().and_then(spread).map(|(mean, deviation)| SampleLaw::Normal(mean, deviation))?,
        "lognormal" => two().and_then(spread).map(|(mean, deviation)| SampleLaw::Lognormal(mean, deviation))?,
        "uniform" => {
            let (from, to) = two()?;
            if !(from <= to) {
                return Err(text.wrong(inner, "the range is empty", "expected FROM, TO with FROM ≤ TO"));
            }
            if !(to - from).is_finite() {
                return Err(text.wrong(inner, "the range is too long", "expected ends nearer to each other"));
            }
            SampleLaw::Uniform(from, to)
        }
        "choice" => SampleLaw::Choice(text.list(inner)?),
        other => {
            let message = format!("there is no law `{other}`");
            let near = did_you_mean(other, ["normal", "uniform", "lognormal", "choice"]);
            let near = near.map(|near| format!("did you mean `{near}`?"));
            return Err(text.wrong(name, message, "unknown law").with_cure(near));
        }
    };
    Ok((key, law))
}
