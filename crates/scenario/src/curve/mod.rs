//! Reads ground curves from tables and files.

mod composite;
mod csv;
mod csv_header;
mod derived;
mod formulas;
mod gates;
mod gpx;
mod ground_errors;
mod kinds_and_limits;
mod loops;
mod marble;
mod noise;
mod points;
mod several_curves;
mod shapes;
mod survey;
mod svg;
mod svg_choice;
mod svg_drawing;
mod svg_path;
mod svg_style;
mod svg_use;

use std::path::{Path, PathBuf};

use curves::{Ground, Parametrisation};

pub(crate) use formulas::{constants, formula};
pub(crate) use marble::{DrawingSource, is_track, marble_on};
pub use marble::{is_drawing, whole_drawing};
pub use noise::Noise;
pub use svg::{Drawn, Looks, shapes};

use crate::Methods;
use crate::input::{
    InputError, Node, Reader, Source, Span, TOML_FILE, Value, WRITE_SVG, builtin_names, builtin_path, did_you_mean,
    is_cad, parse, read_file, wrong_type,
};
use crate::scenario::CurveInfo;
use kinds_and_limits::{Begun, CurveTable, KINDS, Parts};
pub(crate) use kinds_and_limits::{MAX_PIECES, size};
use several_curves::SEVERAL;

/// A ground with the metadata of its file.
#[derive(Debug)]
pub struct Curve {
    /// Metadata; those on several curves are empty.
    pub info: CurveInfo,
    /// The ground itself.
    pub ground: Ground,
    /// The curve as read, for records.
    pub source: Node,
    /// The curves of a file with several: name, and a table that gives only this one.
    pub curves: Vec<(String, Node)>,
}

/// Maximum size of names and tables of several curves, bytes: of each all keys are kept, and written with results.
const MAX_KEPT: usize = 32 << 20;

/// Refuses names and tables of several curves that are larger than [`MAX_KEPT`].
pub(crate) fn check_kept(kept: usize, span: &Span) -> Result<(), InputError> {
    if kept <= MAX_KEPT {
        return Ok(());
    }
    let message = format!("names and keys of the curves, of each all anew, take more than {} MiB", MAX_KEPT >> 20);
    let error = InputError::new(span, message, "too many, or too long");
    Err(error.with_help("choose fewer curves by `layer` or `paths`, give a `file` in place of `text`, and shorter ids"))
}

/// Reads a curve file.
pub fn load_curve(path: &Path, methods: &Methods) -> Result<Curve, InputError> {
    let source = read_file(path, "curve file", None, TOML_FILE)?;
    build_curve(parse(&source)?, path.parent().unwrap_or(Path::new("")), Given::default(), methods)
}

/// Reads a curve from text; paths in it are relative to `base`.
pub fn curve_from_text(text: &str, base: &Path) -> Result<Curve, InputError> {
    build_curve(parse(&Source::new("curve", text.to_owned()))?, base, Given::default(), &Methods::builtin())
}

/// Reads the `[ground]` table of a scenario in the folder `base`.
pub fn load_ground(ground: &mut Reader, base: &Path, methods: &Methods) -> Result<Curve, InputError> {
    let node = ground.need("curve", "the path of a curve file, or a table that describes a curve")?;
    let given = Given { parameters: ground.get("parameters"), gates: ground.get("gates") };
    match &node.value {
        Value::String(text) => {
            let path = file_of(text, base);
            let source = read_file(&path, "curve file", Some(&node.span), TOML_FILE).map_err(|error| {
                // A path without an extension was meant as the name of a built-in curve.
                let near = did_you_mean(text, builtin_names()).filter(|_| Path::new(&**text).extension().is_none());
                near.map_or(error.clone(), |near| error.with_help(format!("did you mean the profile `{near}`?")))
            })?;
            build_curve(parse(&source)?, path.parent().unwrap_or(Path::new("")), given, methods)
        }
        Value::Table(_) => build_curve(node.clone(), base, given, methods),
        _ => Err(wrong_type(node, "curve", "the path of a curve file, or a table")),
    }
}

pub(crate) fn kinds() -> [&'static str; KINDS.len()] {
    KINDS.map(|(name, _)| name)
}

/// Path of the file named by a curve: in the folder `base`, else built in.
pub(crate) fn file_of(text: &str, base: &Path) -> PathBuf {
    let path = base.join(text);
    if path.exists() { path } else { builtin_path(text).unwrap_or(path) }
}

/// Parameters and gates from a scenario, which replace the curve's own.
#[derive(Clone, Copy, Default)]
struct Given<'n> {
    parameters: Option<&'n Node>,
    gates: Option<&'n Node>,
}

fn build_curve(mut root: Node, base: &Path, given: Given, methods: &Methods) -> Result<Curve, InputError> {
    if let (Some(gates), Value::Table(entries)) = (given.gates, &mut root.value) {
        entries.retain(|(key, ..)| &**key != "gates");
        entries.push(("gates".into(), gates.span.clone(), gates.clone()));
    }
    let mut reader = Reader::new(&root, "the curve")?;
    let mut parts = Parts::default();
    parts.info.title = reader.string("title")?.unwrap_or("untitled").to_owned();
    let read = parts.read(&mut reader, base, given.parameters, 0, methods);
    read.map_err(|error| parts.of(error))?;
    reader.finish()?;
    let mut kept = 0;
    let alone = parts.curves.iter().map(|Begun { name, alone, .. }| {
        let node = root.with(alone, &SEVERAL);
        kept += name.len() + node.size();
        check_kept(kept, &root.span).map(|()| (name.clone(), node))
    });
    let curves = alone.collect::<Result<_, _>>()?;
    let ground = parts.ground(&root).and_then(|ground| gates::put(ground, &parts.gates));
    let ground = ground.map_err(|error| parts.of(error))?;
    Ok(Curve { info: parts.info, ground, source: root, curves })
}

impl Parts {
    fn read(
        &mut self,
        reader: &mut Reader,
        base: &Path,
        overrides: Option<&Node>,
        depth: usize,
        methods: &Methods,
    ) -> Result<(), InputError> {
        reader.need("kind", "such as \"graph\", \"polyline\" or \"csv\"; book/src/reference/curves.md lists all")?;
        let kinds = kinds().into_iter().chain(methods.grounds());
        let kinds: Vec<_> = kinds.map(|name| (name, name)).collect();
        let kind = reader.choice("kind", &kinds).map_err(|error| match reader.string("kind") {
            Ok(Some(kind)) if is_cad(kind) => error.with_help(WRITE_SVG),
            _ => error,
        });
        let kind = kind?.unwrap_or_default();
        let ours = KINDS.iter().find(|(name, _)| *name == kind);
        let constants = constants(reader, overrides)?;
        let names: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let mut table = CurveTable { reader, base, names: &names, depth, methods };
        if depth == 0 {
            self.by_arc_length = ours.is_some() && !matches!(kind, "graph" | "parametric");
            kind.clone_into(&mut self.info.kind);
            self.info.parameters.clone_from(&constants);
            self.gates = gates::read(&mut table)?;
        } else if let Some(node) = table.reader.get("gates") {
            let message = "`gates` of a curve in a curve";
            return Err(InputError::new(&node.span, message, "of the whole curve alone")
                .with_help("crossings are those of the whole: give it `gates`, and leave them out here"));
        }
        let first = self.pieces.len();
        let reverse = table.reader.flag("reverse")?.unwrap_or(false);
        match ours {
            Some((_, read)) => read(self, &mut table),
            None => self.own(kind, &mut table),
        }?;
        if reverse {
            self.reverse(first);
            // The reversed curve's parameter is not the one written, so outputs show arc length.
            self.by_arc_length |= depth == 0;
        }
        self.check_size(table.reader.span())
    }

    /// Refuses more than [`MAX_PIECES`] pieces.
    fn check_size(&self, span: &Span) -> Result<(), InputError> {
        if self.pieces.len() <= MAX_PIECES {
            return Ok(());
        }
        let message = format!("the ground has {} pieces", self.pieces.len());
        let error = InputError::new(span, message, format!("at most {MAX_PIECES}"));
        Err(error.with_help("leave out what is finer than the ball can feel"))
    }
}

/// Values of `s` at both ends of a curve, as in outputs.
pub fn ends(ground: &Ground, curve: usize) -> (f64, f64) {
    let pieces = &ground.pieces()[ground.pieces_of(curve)];
    match ground.parametrisation(curve) {
        Parametrisation::ArcLength => (0.0, ground.length_of(curve)),
        Parametrisation::Own => (pieces[0].domain().lo, pieces[pieces.len() - 1].domain().hi),
    }
}
