//! Reads curves made of other curves, which are written out or in files.

use std::path::Path;

use curves::{Ground, Similarity};

use super::file_of;
use super::kinds_and_limits::{CurveTable, MAX_NESTING, Names, Parts};
use crate::input::{Entry, InputError, Node, Reader, Span, TOML_FILE, Value, parse, plain, read_file, wrong_type};

impl Parts {
    pub(super) fn composite(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let node = table.reader.need("pieces", "a list of curves, each beginning where the last one ends")?;
        let Value::Array(items) = &node.value else {
            return Err(wrong_type(node, "pieces", "a list of curves"));
        };
        if items.is_empty() {
            return Err(InputError::new(&node.span, "a composite without pieces", "a list of one or more curves"));
        }
        let least = Ground::JOINT_TOLERANCE;
        let rule = format!("must be at least {least:?} (m)");
        let tolerance = table.constant_where("tolerance", &rule, |value| value >= least)?.unwrap_or(least);
        let first = self.pieces.len();
        let (mut moved, mut furthest) = (0, 0.0_f64);
        for (i, item) in items.iter().enumerate() {
            let before = self.pieces.len();
            self.nested(&format!("piece {i}"), item, table)?;
            if before == first {
                continue;
            }
            let by = self.close_gap(before, tolerance);
            if by > tolerance {
                let message = format!("this piece begins {} m from where the one before ends", plain(by));
                let rule = format!("at most `tolerance` = {} m", plain(tolerance));
                return Err(InputError::new(&item.span, message, rule));
            }
            if by > 0.0 {
                moved += 1;
                furthest = furthest.max(by);
            }
        }
        if moved > 0 {
            let (all, furthest) = (items.len(), plain(furthest));
            self.info.notes.push(format!(
                "{moved} of {all} pieces moved, by up to {furthest} m, to begin where the one before ends"
            ));
        }
        Ok(())
    }

    /// Closes a gap before piece `first` if it is within the tolerance, but beyond rounding. Returns its size (m), or 0
    /// for one that is left to the check of joints.
    fn close_gap(&mut self, first: usize, tolerance: f64) -> f64 {
        let (before, Some(after)) = (&self.pieces[first - 1], self.pieces.get(first)) else { return 0.0 };
        let gap = before.curve().point_at(before.domain().hi) - after.curve().point_at(after.domain().lo);
        let distance = gap.norm();
        if tolerance <= Ground::JOINT_TOLERANCE || !(distance > 0.5 * Ground::JOINT_TOLERANCE) {
            return 0.0;
        }
        if distance <= tolerance {
            for piece in &mut self.pieces[first..] {
                *piece = piece.mapped(Similarity::shift(gap));
            }
            self.graphs[first..].fill(false);
        }
        distance
    }

    /// Reads a curve within a curve, written out or in a file.
    pub(super) fn nested(&mut self, name: &str, item: &Node, outer: &CurveTable) -> Result<(), InputError> {
        let CurveTable { base, names, depth, methods, .. } = *outer;
        if depth >= MAX_NESTING {
            let message = "curves are nested too deeply";
            return Err(InputError::new(&item.span, message, format!("at most {MAX_NESTING} levels")));
        }
        let mut reader = Reader::new(item, name)?;
        // Offsets and transforms have a key `curve`, too, beside their `kind`.
        let file = if item.get("kind").is_none() { reader.string("curve")? } else { None };
        if let Some(path) = file {
            self.count_file(&item.span)?;
            let path = file_of(path, base);
            let source = read_file(&path, "curve file", Some(&item.span), TOML_FILE)?;
            let root = parse(&source)?;
            let overrides = reader.get("parameters");
            reader.finish()?;
            let mut inner = Reader::new(&root, "the curve")?;
            inner.get("title");
            self.read(&mut inner, path.parent().unwrap_or(Path::new("")), overrides, depth + 1, methods)?;
            inner.finish()?;
            return self.be_one(&item.span);
        }
        // Parameters of the outer curve are valid in the inner one.
        let inherited = (!names.is_empty()).then(|| inherited(names, item));
        let mut reader = Reader::new(inherited.as_ref().unwrap_or(item), name)?;
        reader.get("title");
        self.read(&mut reader, base, None, depth + 1, methods)?;
        reader.finish()?;
        self.be_one(&item.span)
    }

    /// Refuses several curves within a curve.
    fn be_one(&self, span: &Span) -> Result<(), InputError> {
        if self.curves.is_empty() {
            return Ok(());
        }
        let help = "take one of them, `path` or `curve` instead of `paths`, `layer` or `curve-column`";
        Err(InputError::new(span, "several curves are no part of one", "this curve").with_help(help))
    }
}

/// The table `item`, with the outer curve's parameters added to its own, which take precedence.
fn inherited(outer: Names, item: &Node) -> Node {
    let own: Vec<Entry> = match item.get("parameters") {
        Some(Node { value: Value::Table(own), .. }) => own.clone(),
        Some(_) => return item.clone(),
        None => Vec::new(),
    };
    let node = |value: f64| Node { value: Value::Number(value), span: item.span.clone() };
    let mut parameters: Vec<_> = outer
        .iter()
        .filter(|(name, _)| !own.iter().any(|(own, ..)| &**own == *name))
        .map(|(name, value)| ((*name).into(), item.span.clone(), node(*value)))
        .collect();
    parameters.extend(own);
    item.with(&[("parameters", Value::Table(parameters))], &[])
}
