//! Reads formulas in curve files: parameters, constants, and curves given by formulas.

use curves::{Graph, Parametric, Piece};
use nalgebra::Vector2;
use numbers::{CornersError, Expression, ExpressionErrorKind, Interval, smooth_parts};

use super::kinds_and_limits::{CurveTable, Names, Parts};
use crate::input::{InputError, Node, Reader, Span, Value, did_you_mean, finite, plain, vector, wrong_type};

const MAX_PARAMETERS: usize = 200;

impl Parts {
    pub(super) fn graph(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let node = table.reader.need("y", "the height as a formula of x")?;
        let y = formula(node, "y", &["x"], table.names)?;
        let domain = domain(table)?.unwrap_or(Interval::REAL);
        let before = self.pieces.len();
        self.smooth(&[y], domain, &node.span, |mut y| Piece::of(Graph { y: y.remove(0) }, domain))?;
        self.graphs[before..].fill(true);
        Ok(())
    }

    pub(super) fn parametric(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let x_node = table.reader.need("x", "the abscissa as a formula of s")?;
        let y_node = table.reader.need("y", "the height as a formula of s")?;
        let x = formula(x_node, "x", &["s"], table.names)?;
        let y = formula(y_node, "y", &["s"], table.names)?;
        table.reader.need("domain", "the range of s as [from, to]")?;
        let domain = domain(table)?.unwrap_or(Interval::REAL);
        self.smooth(&[x, y], domain, &x_node.span, |mut xy| {
            let y = xy.remove(1);
            Piece::of(Parametric { x: xy.remove(0), y }, domain)
        })
    }

    /// Splits formulas at their corners into smooth pieces.
    fn smooth(
        &mut self,
        formulas: &[Expression],
        domain: Interval,
        span: &Span,
        piece: impl Fn(Vec<Expression>) -> Piece,
    ) -> Result<(), InputError> {
        let parts = smooth_parts(formulas, domain)
            .map_err(|error @ CornersError::TooMany { .. }| InputError::new(span, error.to_string(), "this formula"))?;
        for (part, formulas) in parts {
            self.add(piece(formulas).within(part), span);
        }
        Ok(())
    }
}

/// Reads the `parameters` of a curve, with overrides from outside; each may be a formula of those before it.
pub(crate) fn constants(reader: &mut Reader, overrides: Option<&Node>) -> Result<Vec<(String, f64)>, InputError> {
    let mut constants: Vec<(String, f64)> = Vec::new();
    let from_outside = match overrides {
        None => [].as_slice(),
        Some(Node { value: Value::Table(entries), .. }) => entries.as_slice(),
        Some(node) => return Err(wrong_type(node, "parameters", "a table")),
    };
    if let Some(node) = reader.get("parameters") {
        let Value::Table(entries) = &node.value else { return Err(wrong_type(node, "parameters", "a table")) };
        if entries.len() > MAX_PARAMETERS {
            let message = format!("the curve has {} parameters", entries.len());
            return Err(InputError::new(&node.span, message, format!("at most {MAX_PARAMETERS}")));
        }
        for (name, span, node) in entries {
            check_name(name, span)?;
            let known: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let value = match from_outside.iter().find(|(set, ..)| set == name) {
                Some((.., node)) => constant(node, name, &[])?,
                None => constant(node, name, &known)?,
            };
            constants.push((name.to_string(), value));
        }
    }
    for (name, span, _) in from_outside {
        let known = || constants.iter().map(|(name, _)| name.as_str());
        if known().any(|known| known == &**name) {
            continue;
        }
        let error = InputError::new(span, format!("the curve has no parameter `{name}`"), "unknown parameter");
        return Err(error.with_help(match did_you_mean(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if constants.is_empty() => "this curve has no parameters".to_owned(),
            None => format!("its parameters are {}", known().collect::<Vec<_>>().join(", ")),
        }));
    }
    Ok(constants)
}

fn check_name(name: &str, span: &Span) -> Result<(), InputError> {
    let plain =
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    let reserved = ["x", "s", "pi"].contains(&name) || Expression::parse(&format!("{name}(1)"), &[], &[]).is_ok();
    if plain && !reserved && !name.is_empty() {
        return Ok(());
    }
    let rule = "a name of letters, digits and _, other than x, s, pi and the functions";
    Err(InputError::new(span, format!("`{name}` can't be the name of a parameter"), rule))
}

fn domain(table: &mut CurveTable) -> Result<Option<Interval>, InputError> {
    let Some(node) = table.reader.get("domain") else { return Ok(None) };
    let Value::Array(items) = &node.value else { return Err(wrong_type(node, "domain", "[from, to]")) };
    let [from, to] = items.as_slice() else {
        return Err(InputError::new(&node.span, format!("`domain` has {} items", items.len()), "expected [from, to]"));
    };
    let (lo, hi) = (constant(from, "domain", table.names)?, constant(to, "domain", table.names)?);
    if lo < hi {
        return Ok(Some(Interval::new(lo, hi)));
    }
    let message = format!("the domain from {} to {} has no length", plain(lo), plain(hi));
    Err(InputError::new(&node.span, message, "expected [from, to] with from < to"))
}

/// Reads a point `[x, y]` of numbers or formulas of constants, m.
pub(super) fn point(node: &Node, key: &str, names: Names) -> Result<Vector2<f64>, InputError> {
    let Value::Array(items) = &node.value else { return Err(wrong_type(node, key, "a point [x, y]")) };
    match items.as_slice() {
        [x, y] => finite(node, key, [constant(x, key, names)?, constant(y, key, names)?]),
        _ => vector(node, key),
    }
}

/// Reads a number, or a formula of constants.
pub(super) fn constant(node: &Node, key: &str, names: Names) -> Result<f64, InputError> {
    let Value::String(_) = &node.value else { return crate::input::number(node, key) };
    let value = formula(node, key, &[], names)?.eval::<f64>(&[]);
    if value.is_nan() {
        return Err(InputError::new(&node.span, format!("`{key}` is undefined"), "a formula with a value"));
    }
    Ok(value)
}

impl CurveTable<'_, '_> {
    /// Reads the point of a required key; `what` says how to write it.
    pub fn need_point(&mut self, key: &'static str, what: &str) -> Result<Vector2<f64>, InputError> {
        point(self.reader.need(key, what)?, key, self.names)
    }

    /// Reads the point of a key; the origin by default.
    pub fn point_or_origin(&mut self, key: &'static str) -> Result<Vector2<f64>, InputError> {
        self.reader.get(key).map_or(Ok(Vector2::zeros()), |node| point(node, key, self.names))
    }

    /// Reads the constant of a required key; `what` says how to write it.
    pub fn need_constant(&mut self, key: &'static str, what: &str) -> Result<f64, InputError> {
        constant(self.reader.need(key, what)?, key, self.names)
    }

    /// Reads the constant of a key, if present.
    pub fn constant(&mut self, key: &'static str) -> Result<Option<f64>, InputError> {
        Ok(self.placed_constant(key)?.map(|(value, _)| value))
    }

    /// Reads the constant of a key with its position, if present.
    pub fn placed_constant(&mut self, key: &'static str) -> Result<Option<(f64, Span)>, InputError> {
        self.reader.get(key).map(|node| Ok((constant(node, key, self.names)?, node.span.clone()))).transpose()
    }

    /// Reads the constant of a key, if present: finite, and allowed by the rule.
    pub fn constant_where(
        &mut self,
        key: &'static str,
        rule: &str,
        allowed: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, InputError> {
        match self.placed_constant(key)? {
            Some((value, span)) if !(value.is_finite() && allowed(value)) => {
                Err(InputError::new(&span, format!("`{key}` = {} is not allowed", plain(value)), rule))
            }
            placed => Ok(placed.map(|(value, _)| value)),
        }
    }

    /// Reads the positive constant of a key, if present.
    pub fn positive(&mut self, key: &'static str, rule: &str) -> Result<Option<f64>, InputError> {
        self.constant_where(key, rule, |value| value > 0.0)
    }
}

/// Signs that formulas do not have, and what to write instead.
const FOREIGN: [(&str, &str); 9] = [
    ("**", "a power is written with `^`: x^2, not x**2"),
    ("²", "a power is written with `^`: x^2"),
    ("³", "a power is written with `^`: x^3"),
    ("·", "a product is written with `*`"),
    ("×", "a product is written with `*`"),
    ("√", "a root is sqrt(x)"),
    ("|", "an absolute value is abs(x)"),
    (";", "the arguments of atan2, min and max have commas between them"),
    ("=", "write the right-hand side alone"),
];

/// Reads a formula, or a number as a constant formula.
pub(crate) fn formula(node: &Node, key: &str, variables: &[&str], names: Names) -> Result<Expression, InputError> {
    let text = match &node.value {
        Value::String(text) => text,
        Value::Number(value) if value.is_finite() => return Ok(Expression::constant(*value)),
        Value::Number(value) => {
            let message = format!("`{key}` = {} is not finite", plain(*value));
            return Err(InputError::new(&node.span, message, "a formula or a finite number"));
        }
        _ => return Err(wrong_type(node, key, "a formula in quotes, or a number")),
    };
    Expression::parse(text, variables, names).map_err(|error| {
        let span = inside_string(&node.span, text, error.offset, error.length);
        let message = format!("in the formula for `{key}`: {error}");
        let foreign = FOREIGN.iter().find(|(sign, _)| text.contains(sign));
        let help = match &error.kind {
            _ if foreign.is_some() => foreign.map(|(_, cure)| (*cure).to_owned()),
            ExpressionErrorKind::UnknownName { name, known } => {
                let called =
                    text.get(error.offset + error.length..).is_some_and(|rest| rest.trim_start().starts_with('('));
                Some(unknown_name(name, known, called))
            }
            ExpressionErrorKind::ExpectedOperator { found }
                if found.starts_with(|c: char| c == '(' || c.is_alphanumeric()) =>
            {
                Some("a product needs its `*`: write 2*x, not 2x".to_owned())
            }
            _ => None,
        };
        InputError::new(&span, message, "here").with_cure(help)
    })
}

/// Cure for an unknown name.
fn unknown_name(name: &str, known: &[String], called: bool) -> String {
    let instead = match name {
        "log" | "LN" | "log10" | "ln10" => "the natural logarithm is `ln`; log10(x) is ln(x)/ln(10)",
        "log2" => "log2(x) is ln(x)/ln(2)",
        "pow" => "a power is written x^2",
        "e" => "e^x is exp(x); a constant of your own is named in `parameters`, such as parameters = { e = 0.7 }",
        "π" => "π is written `pi`",
        _ => "",
    };
    if !instead.is_empty() {
        return instead.to_owned();
    }
    match did_you_mean(name, known.iter().map(String::as_str)) {
        // A single letter is rather a missing constant than a misspelling.
        Some(near) if name.chars().count() > 1 => format!("did you mean `{near}`?"),
        _ if called => "no function has this name; those that are known stand above".to_owned(),
        _ => {
            let has = |variable: &str| known.iter().any(|known| known == variable);
            let parametric = has("s") && !has("x");
            let variable = if parametric { "the parameter of a parametric curve is called `s`; " } else { "" };
            format!("{variable}a constant is named in `parameters`, such as parameters = {{ {name} = 1.0 }}")
        }
    }
}

/// Position of a part of a string; of the whole string if it is written with escapes.
fn inside_string(span: &Span, text: &str, offset: usize, length: usize) -> Span {
    let written = &span.source.text()[span.range.clone()];
    match written.find(text) {
        Some(quote) => span.part(quote + offset, length),
        None => span.clone(),
    }
}
