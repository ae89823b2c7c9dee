//! Loading: a document with its settings, and the scenario read from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use moreau::InTurn;
use supervisor::{Scene, Watch};

use crate::Methods;
use crate::balls::{BallSetups, Surroundings, read_balls};
use crate::compliance::left_aside;
use crate::curve::{DrawingSource, is_drawing, is_track, marble_on};
use crate::grounds::{Grounds, contacts, motions, read_grounds};
use crate::input::{InputError, Node, Reader, Source, TOML_FILE, apply_overrides, parse, read_file};
use crate::keys::{KEYS, Key};
use crate::physics::read_laws;
use crate::scenario::{BallSetup, Scenario, Stepping};
use crate::shared_ground::SharedGround;
use crate::solver::{check_between, read_output, read_solver};
use crate::watch::{event_driven_only, read_until, read_watches};

/// A scenario file with its settings applied.
#[derive(Clone, Debug)]
pub struct Document {
    /// Tree of keys and values.
    pub tree: Node,
    /// Folder that paths in it are relative to.
    pub base: PathBuf,
    /// Methods that it may name.
    pub methods: Arc<Methods>,
    /// Flag that ends runs of its scenarios: [`Scene::ended`].
    pub ended: Option<Arc<AtomicBool>>,
}

impl Document {
    /// Reads a scenario file, or makes one that drops a marble on a drawing (`.svg`) or a GPS track (`.gpx`), with
    /// `KEY=VALUE` settings.
    pub fn load(path: &Path, settings: &[String], methods: &Arc<Methods>) -> Result<Self, InputError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if is_drawing(path) || is_track(path) {
            return Document::from_text(&marble_on(&DrawingSource::of_file(path))?, folder, settings, methods);
        }
        Document::read(&read_file(path, "scenario", None, TOML_FILE)?, folder, settings, methods)
    }

    /// Reads a scenario from text, or drops a marble on the drawing or GPS track that the text is; paths in it are
    /// relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String], methods: &Arc<Methods>) -> Result<Self, InputError> {
        // No TOML begins so.
        let drawing = Some(text.trim_start_matches('\u{feff}').trim_start()).filter(|text| text.starts_with('<'));
        let text = drawing.map_or(Ok(text.to_owned()), |drawing| marble_on(&DrawingSource::of_text(drawing)))?;
        Document::read(&Source::new("scenario", text), base, settings, methods)
    }

    /// Reads the watches alone.
    pub fn watches(&self) -> Result<Arc<[Watch]>, InputError> {
        read_watches(&mut Reader::new(&self.tree, "the scenario")?, None)
    }

    /// Title of the scenario, if it has one.
    pub fn title(&self) -> Option<String> {
        Reader::new(&self.tree, "the scenario").ok()?.string("title").ok()?.map(str::to_owned)
    }

    /// Returns the document with further settings.
    pub(crate) fn with(&self, settings: &[String]) -> Result<Self, InputError> {
        let mut document = self.clone();
        apply_overrides(&mut document.tree, settings)?;
        Ok(document)
    }

    fn read(source: &Source, base: &Path, settings: &[String], methods: &Arc<Methods>) -> Result<Self, InputError> {
        let mut tree = parse(source)?;
        apply_overrides(&mut tree, settings)?;
        Ok(Document { tree, base: base.to_owned(), methods: methods.clone(), ended: None })
    }
}

impl Scenario {
    /// Reads a scenario file with `KEY=VALUE` settings.
    pub fn load(path: &Path, settings: &[String]) -> Result<Self, InputError> {
        Scenario::of(&Document::load(path, settings, &Arc::default())?)
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        Scenario::of(&Document::from_text(text, base, settings, &Arc::default())?)
    }

    /// Applies `KEY=VALUE` settings. A ground made in Rust stays; so does a force made in Rust, unless
    /// `forces.external` is given.
    pub fn with_settings(&self, settings: &[String]) -> Result<Self, InputError> {
        let sets = |what: &str| settings.iter().any(|setting| setting.trim_start().starts_with(what));
        let text = toml::to_string(&self.written()).map_err(|error| InputError::without_place(error.to_string()))?;
        // Parameters and gates of the curve are written as those of the ground, which take precedence.
        let of_ground = |setting: &String| match setting.strip_prefix("ground.curve.") {
            Some(rest) if rest.starts_with("parameters.") || rest.starts_with("gates") => format!("ground.{rest}"),
            _ => setting.clone(),
        };
        let settings: Vec<String> = settings.iter().map(of_ground).collect();
        let document = Document::from_text(&text, Path::new(""), &settings, &self.methods)?;
        let known = SharedGround::of(self);
        let mut changed = Scenario::over(&document, (!sets("ground")).then_some(&known))?;
        // The text also has defaults, which no file gave.
        changed.left_aside = None;
        if let Some(own) = self.scene.forces.own().filter(|_| !sets("forces.external")) {
            let forces = changed.scene.forces.clone().with_own(own.clone());
            changed.scene = Scene { forces, ..changed.scene.clone() };
            changed.external = self.external.clone();
        }
        Ok(changed)
    }

    /// Reads the scenario of a document.
    pub fn of(document: &Document) -> Result<Self, InputError> {
        Scenario::over(document, None)
    }

    /// Reads the scenario of a document; `known` is its ground if that was made before.
    pub(crate) fn over(
        Document { tree, base, methods, ended }: &Document,
        known: Option<&SharedGround>,
    ) -> Result<Self, InputError> {
        methods.check().map_err(|error| InputError::without_place(error.to_string()))?;
        let mut root = Reader::new(tree, "the scenario")?;
        // `[sweep]` is about many runs, and is read elsewhere.
        root.get("sweep");
        let title = root.string("title")?.unwrap_or("untitled").to_owned();
        let grounds = read_grounds(&mut root, base, methods, known)?;
        let (law, between) = read_laws(&mut root, methods)?;
        let compliant = value_in(tree, "contact", "law");
        let own_laws = grounds.own_laws(&law, methods, compliant)?;
        let (contacts, moves) = (contacts(&grounds), motions(&grounds));
        let Grounds { ground: SharedGround { ground: curve, mut info, offset }, motion, parts, motions, .. } = grounds;
        let whole = motion.as_ref().filter(|_| info.curves.is_empty()).map(|motion| motion.used.clone());
        if info.contacts != contacts || info.motions != moves || info.motion != whole {
            let info = Arc::make_mut(&mut info);
            (info.contacts, info.motions, info.motion) = (contacts, moves, whole);
        }
        if let (Some(_), Some(law)) = (parts.first(), compliant) {
            let message = "a ball that gives way, and curves that move against each other";
            return Err(InputError::new(&law.span, message, "rigid contact alone").with_help("leave out `contact.law`"));
        }
        let (solver, method) = read_solver(&mut root, methods)?;
        let kind = method.as_ref().map(|(method, _)| method.kind);
        let output = read_output(&mut root, solver.duration)?;
        let watches = read_watches(&mut root, Some(&info))?;
        let carriage = motion.as_ref().map(|motion| &motion.carriage);
        let BallSetups { balls, spans, external, compliance } = read_balls(
            &mut root,
            &Surroundings {
                ground: &curve,
                offset: offset.as_ref(),
                info: &info,
                law: &law,
                own_laws: &own_laws,
                carriage,
                parts: &parts,
                slack: solver.capture_tolerance,
                methods,
                base,
            },
            kind,
        )?;
        let interval = output.interval(solver.duration, balls.len());
        let (times, shown) = (output.times.clone(), output.shown(balls.len())?);
        let at = value_in(tree, "solver", "method").map(|node| &node.span);
        let contacts = output.contacts(kind, at)?;
        if let (None, Some((_, place))) = (&method, &between) {
            check_between(at, place)?;
        }
        root.finish_with(|key| whole_key(key).map(|whole| format!("did you mean `{whole}`?")))?;
        let BallSetup { ball, ground, forces, initial, start, .. } = &balls[0];
        let begin = start.time();
        for motion in motions.iter().chain(&motion) {
            motion.check(kind.map(|kind| (kind, balls.len())), begin + solver.duration)?;
        }
        let (watches, until, times) = match &method {
            Some((_, place)) => {
                event_driven_only(tree, place)?;
                Default::default()
            }
            None => {
                let until = read_until(value_in(tree, "solver", "until"), &watches, begin)?;
                (watches, until, times)
            }
        };
        let between = between.map_or_else(|| law.clone(), |(law, _)| law);
        let scene = Scene::new(ground.clone(), *ball, forces.clone(), law);
        let (scene, start) = (Scene { own_laws, compliance, parts, ended: ended.clone(), ..scene }, *start);
        let initial = Some(*initial);
        let (method, place) = method.unzip();
        let stepping = method.map(|method| Stepping { method, balls, between, executor: Arc::new(InTurn) });
        let (external, methods) = (Arc::new(external), methods.clone());
        let scenario = Scenario {
            title,
            scene,
            initial,
            start,
            near: None,
            solver,
            stepping,
            interval,
            shown,
            contacts,
            format: output.format,
            times,
            watches,
            until,
            curve: info,
            external,
            methods,
            left_aside: left_aside(tree),
        };
        scenario.check_law(tree)?;
        scenario.check_stepping(&spans, place.as_ref())?;
        if let (Err(error), Some(at)) = (scenario.check_method(), at) {
            let error = InputError::new(at, error.to_string(), "does not hold here");
            return Err(error.with_help("\"newmark\" and \"dop853\" take all forces"));
        }
        Ok(scenario)
    }
}

/// The value of a key in a table of a scenario.
pub(crate) fn value_in<'n>(tree: &'n Node, table: &str, key: &str) -> Option<&'n Node> {
    tree.get(table)?.get(key)
}

/// An error at this value, or without a place if there is none.
pub(crate) fn error_at(node: Option<&Node>, message: impl Into<String>, label: &str) -> InputError {
    match node {
        Some(node) => InputError::new(&node.span, message, label),
        None => InputError::without_place(message),
    }
}

/// The full dotted key of a table that ends with `key`.
fn whole_key(key: &str) -> Option<&'static str> {
    let in_table = |known: &&Key| {
        Key::of("").any(|row| row.path == known.table() && ["table", "table, or tables"].contains(&row.kind))
    };
    KEYS.iter().filter(|known| known.name() == key).find(in_table).map(|known| known.path)
}
