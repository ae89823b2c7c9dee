//! [`Axis`]: maps data to points of print, and chooses ticks.

/// A linear or logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    decades: bool,
    from: f64,
    to: f64,
}

/// Logarithm of a value; not inlined, or it would be computed for linear axes, too.
#[inline(never)]
fn decade(value: f64) -> f64 {
    value.log10()
}

impl Axis {
    /// An axis over values, longer at both ends by the part `room` of their span. Values whose differences are rounding
    /// beside `most`, the largest magnitude in their unit, count as equal.
    pub fn new(values: impl Iterator<Item = f64>, decades: bool, room: f64, most: f64) -> Option<Self> {
        let usable = values.filter(|value| value.is_finite() && (!decades || *value > 0.0));
        let seen = usable.map(|value| if decades { decade(value) } else { value });
        let (low, high) = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if !(low <= high) {
            return None;
        }
        let most = most.max(low.abs()).max(high.abs());
        let margin = match high - low {
            span if decades => (0.05 * span).max(0.15),
            span if span > 1e-12 * most => room * span,
            _ if most == 0.0 => 0.5,
            _ => 0.1 * most,
        };
        Some(Axis::between(low - margin, high + margin).in_decades(decades))
    }

    pub fn between(low: f64, high: f64) -> Self {
        Axis { low, high, decades: false, from: 0.0, to: 1.0 }
    }

    /// The axis as a logarithmic one (ends are logarithms to base 10), or a linear one.
    pub fn in_decades(self, decades: bool) -> Self {
        Axis { decades, ..self }
    }

    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    pub fn on(self, [from, to]: [f64; 2]) -> Self {
        Axis { from, to, ..self }
    }

    pub fn at(&self, value: f64) -> f64 {
        let value = if self.decades { decade(value) } else { value };
        let at = self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from);
        // Values far outside the frame are clamped.
        at.clamp(-1e5, 1e5)
    }

    pub fn shows(&self, value: f64) -> bool {
        let value = if self.decades { decade(value) } else { value };
        let rounding = 1e-9 * (self.high - self.low);
        (self.low - rounding..=self.high + rounding).contains(&value)
    }

    /// Positions of ticks, at most `most` with a text.
    pub fn ticks(&self, most: f64) -> Vec<(f64, Option<String>)> {
        if !self.decades {
            return self.plain_ticks(most);
        }
        let span = self.high - self.low;
        let every = (span / most).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for exponent in self.low.floor() as i32..=self.high.ceil() as i32 {
            let decade = 10f64.powi(exponent);
            for digit in 1..=9 {
                let value = f64::from(digit) * decade;
                let text = match digit {
                    1 if exponent.rem_euclid(every) == 0 => Some(power(exponent)),
                    2 | 5 if span < 1.7 => Some(format!("{digit}·{}", power(exponent))),
                    _ => None,
                };
                if self.shows(value) && (digit == 1 || span < 4.5) {
                    ticks.push((value, text));
                }
            }
        }
        ticks
    }

    fn plain_ticks(&self, most: f64) -> Vec<(f64, Option<String>)> {
        let rough = (self.high - self.low) / most;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * decade).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let [first, last] = [(self.low / step - 1e-9).ceil(), (self.high / step + 1e-9).floor()];
        let count = ((last - first) as usize).min(100);
        let size = self.low.abs().max(self.high.abs());
        (0..=count)
            .map(|i| (first + i as f64) * step)
            .filter(|value| self.shows(*value))
            .map(|value| (value, Some(number(value, step, size))))
            .collect()
    }
}

/// Text of a number with the digits that its step needs; with a power of ten if large or small.
fn number(value: f64, step: f64, size: f64) -> String {
    let minus = |text: String| text.replace('-', "−");
    let decimals = |exponent: f64| (exponent - step.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    if (1e-3..1e6).contains(&size) {
        return minus(format!("{:.*}", decimals(0.0), value + 0.0));
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = size.log10().floor() as i32;
    let mantissa = value / 10f64.powi(exponent);
    minus(format!("{mantissa:.*}·{}", decimals(f64::from(exponent)), power(exponent)))
}

/// Text of a power of 10.
fn power(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |letter: char| letter.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}
