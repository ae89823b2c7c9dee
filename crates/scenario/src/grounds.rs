//! Reads the ground: `[ground]`, or several named `[[ground]]` tables.

use std::path::Path;
use std::sync::Arc;

use curves::{Along, Crowded, Ground};
use mechanics::ContactLaw;
use nalgebra::Vector2;
use supervisor::Part;

use crate::Methods;
use crate::curve::{Curve, MAX_PIECES, check_kept, load_ground, size};
use crate::ground_motion::{Motion, read_motion};
use crate::input::{InputError, Node, Reader, Span, Value, few_tables, plain, rounded, wrong_type};
use crate::physics::read_own_law;
use crate::scenario::{CurveInfo, CurveName};
use crate::shared_ground::SharedGround;

pub(crate) struct Grounds<'n> {
    pub ground: SharedGround,
    /// Motion of the whole ground.
    pub motion: Option<Motion>,
    /// Groups of curves that move together, with their motions; empty if all curves move together.
    pub parts: Vec<Part>,
    pub motions: Vec<Motion>,
    /// Value of `contact` in each `[[ground]]` table.
    contacts: Vec<Option<&'n Node>>,
}

/// Maximum number of combinations of last touches of curves that cross themselves ([`Ground::strand_counts`]). Integers
/// in files are exact up to it.
const MOST_STRANDS: u64 = 1 << f64::MANTISSA_DIGITS;

/// Refuses a ground with more than [`MOST_STRANDS`] combinations of strands.
fn check_strands(ground: &Ground, node: &Node) -> Result<(), InputError> {
    let counted = |product: u64, own: u64| product.checked_mul(own).filter(|product| *product <= MOST_STRANDS);
    if ground.strand_counts().try_fold(1, counted).is_some() {
        return Ok(());
    }
    let message = format!("{} curves cross themselves", ground.strand_counts().count());
    Err(InputError::new(&node.span, message, "too many: at each crossing one strand is solid for the ball, in at most 2^53 combinations")
        .with_help("cut those that the ball does not come to where they cross, or leave them out: 33 curves of one crossing each are told apart"))
}

/// Reads the ground; its curves only if they are not known already.
pub(crate) fn read_grounds<'n>(
    root: &mut Reader<'n>,
    base: &Path,
    methods: &Methods,
    known: Option<&SharedGround>,
) -> Result<Grounds<'n>, InputError> {
    let node = root.need("ground", "a table with the ground's `curve`")?;
    let Value::Array(tables) = &node.value else {
        let mut table = Reader::new(node, "[ground]")?;
        let ground = if let Some(known) = known {
            skip_curve(&mut table);
            known.clone()
        } else {
            SharedGround::from(load_ground(&mut table, base, methods)?)
        };
        let motion = read_motion(&mut table)?;
        table.finish()?;
        if known.is_none() {
            check_apart(&ground, &[], &[], node)?;
        }
        check_strands(&ground.ground, node)?;
        return Ok(Grounds { ground, motion, parts: Vec::new(), motions: Vec::new(), contacts: Vec::new() });
    };
    let mut several = Several::default();
    let (mut contacts, mut motions) = (Vec::new(), Vec::new());
    for (index, table) in few_tables(tables, "ground")?.iter().enumerate() {
        let mut table = Reader::new(table, &format!("[[ground]] {}", index + 1))?;
        let name = several.name(&mut table)?;
        if known.is_some() {
            skip_curve(&mut table);
        } else {
            several.add(name, index, load_ground(&mut table, base, methods)?);
            several.room(table.span())?;
        }
        contacts.push(table.get("contact"));
        motions.push(read_motion(&mut table)?);
        table.finish()?;
    }
    let is_new = known.is_none();
    let mut known = match known {
        Some(known) => known.clone(),
        None => several.ground(node)?,
    };
    check_strands(&known.ground, node)?;
    let (mut parts, groups) = parts_of(&known, &motions, tables.len());
    if is_new || known.info.groups != groups {
        check_apart(&known, &groups, tables, node)?;
    }
    if known.info.groups != groups {
        (known.ground, known.offset) = (Arc::new(known.ground.in_groups(&groups)), None);
        Arc::make_mut(&mut known.info).groups = groups;
    }
    let mut motions: Vec<Motion> = motions.into_iter().flatten().collect();
    // A single group moves as a whole.
    let motion = if parts.len() == 1 { motions.pop() } else { None };
    if parts.len() == 1 {
        (parts, motions) = (Vec::new(), Vec::new());
    }
    Ok(Grounds { ground: known, motion, parts, motions, contacts })
}

/// Groups of curves that move together, and the index of each curve's group; no indices if all move together.
fn parts_of(known: &SharedGround, motions: &[Option<Motion>], tables: usize) -> (Vec<Part>, Vec<usize>) {
    let carriage_of = |motion: &Option<Motion>| motion.as_ref().map(|motion| motion.carriage.clone());
    let (mut parts, mut groups): (Vec<Part>, Vec<usize>) = (Vec::new(), Vec::new());
    for index in 0..known.info.curves.len() {
        let carriage = motions.get(table_of(known, index, tables)).and_then(carriage_of);
        let group = parts.iter().position(|part| part.carriage == carriage).unwrap_or(parts.len());
        if group == parts.len() {
            parts.push(Part { curves: Vec::new(), carriage });
        }
        parts[group].curves.push(index);
        groups.push(group);
    }
    // Curves of different groups are not joined where their ends meet.
    if parts.len() < 2 {
        groups.clear();
    }
    (parts, groups)
}

/// Refuses curves that coincide over a stretch, and curves with too many ends near others to find out.
fn check_apart(known: &SharedGround, groups: &[usize], tables: &[Node], node: &Node) -> Result<(), InputError> {
    let error = |curve: usize, [cause, cure]: [String; 2]| {
        let span = tables.get(table_of(known, curve, tables.len())).map_or(&node.span, |table| &table.span);
        Err(InputError::new(span, cause, "this curve").with_help(cure))
    };
    let name = |curve: usize| known.info.name(curve).unwrap_or("a curve");
    match known.ground.lies_along(groups) {
        Ok(None) => Ok(()),
        Ok(Some(along)) => error(along.curves[0], told_along(&along, &along.curves.map(name))),
        Err(crowd) => error(crowd.curve, told_crowded(&crowd, name(crowd.curve))),
    }
}

/// Cause and cure for curves with too many ends near other curves.
pub fn told_crowded(crowd: &Crowded, name: &str) -> [String; 2] {
    let [x, y] = [crowd.point.x, crowd.point.y].map(|c| plain(rounded(c, 6)));
    [
        format!(
            "up to the end of `{name}` at ({x}, {y}), {} pairs of an end and another curve were looked at: which curves go on \
             into each other, or lie on each other, can't be told",
            crowd.looked
        ),
        "keep the curves that the ball comes to: by `layer` or `paths` of a drawing, or in a table of their own"
            .to_owned(),
    ]
}

/// Cause and cure for two curves of these names that coincide over a stretch.
pub fn told_along(along: &Along, [name, other]: &[&str; 2]) -> [String; 2] {
    let at = |point: Vector2<f64>| format!("({}, {})", plain(rounded(point.x, 6)), plain(rounded(point.y, 6)));
    let apart = format!(
        "draw what they have in common once, and end `{name}` where `{other}` begins; or keep them 1e-6 m apart, or let them \
         cross at an angle above 1e-6 rad"
    );
    let here = at(along.point);
    match (along.common, along.ends) {
        (Some([from, to]), _) => {
            let where_to = if from == to { "all along".to_owned() } else { format!("from {} to {}", at(from), at(to)) };
            [
                format!(
                    "`{name}` and `{other}` lie on each other, {where_to}: which of both the ball follows is not known"
                ),
                apart,
            ]
        }
        (None, true) => [
            format!(
                "`{name}` ends at {here} on `{other}` and along it: which of both the ball follows from there is not known"
            ),
            format!(
                "let `{other}` begin or end there, too, and they go on into each other; or end `{name}` at an angle to it, or \
                 1e-6 m away"
            ),
        ],
        (None, false) => [
            format!("`{name}` lies along `{other}` at {here}: which of both the ball follows there is not known"),
            apart,
        ],
    }
}

/// Takes the keys of a curve that is known.
fn skip_curve(table: &mut Reader) {
    for key in ["curve", "parameters", "gates"] {
        table.get(key);
    }
}

impl Grounds<'_> {
    /// The law of each curve, if any curve has its own; values not given are those of `default`.
    pub fn own_laws(
        &self,
        default: &ContactLaw,
        methods: &Methods,
        compliant: Option<&Node>,
    ) -> Result<Vec<ContactLaw>, InputError> {
        let Some(first) = self.contacts.iter().flatten().next() else { return Ok(Vec::new()) };
        if let Some(law) = compliant {
            let message = "a ball that gives way has one law for all curves";
            return Err(InputError::new(&first.span, message, "not beside `contact.law`").with_help(format!(
                "leave `contact` out of the `[[ground]]` tables, or `law` = {} out of `[contact]`",
                serde_json::json!(law)
            )));
        }
        let read = |node: &Option<&Node>| {
            node.map_or_else(|| Ok(default.clone()), |node| read_own_law(node, default, methods))
        };
        let laws: Vec<ContactLaw> = self.contacts.iter().map(read).collect::<Result<_, _>>()?;
        let of = |curve: usize| laws.get(table_of(&self.ground, curve, laws.len())).unwrap_or(default).clone();
        Ok((0..self.ground.info.curves.len()).map(of).collect())
    }
}

/// Index of a curve's table; a scenario written out has one table per curve.
fn table_of(ground: &SharedGround, curve: usize, tables: usize) -> usize {
    let curves = &ground.info.curves;
    if tables == curves.len() { curve } else { curves[curve].table }
}

/// Motion of each of several curves, as written.
pub(crate) fn motions(Grounds { ground, motion, parts, motions, .. }: &Grounds) -> Vec<Option<serde_json::Value>> {
    let curves = ground.info.curves.len();
    let of = |index: usize| match parts.iter().find(|part| part.curves.contains(&index)) {
        Some(part) => motions.iter().find(|motion| Some(&motion.carriage) == part.carriage.as_ref()),
        None => motion.as_ref(),
    };
    (0..curves).map(|index| of(index).map(|motion| motion.used.clone())).collect()
}

/// Contact of each curve, as its table gives it.
pub(crate) fn contacts(Grounds { ground, contacts, .. }: &Grounds) -> Vec<Option<serde_json::Value>> {
    let said = |curve: usize| {
        let node = contacts.get(table_of(ground, curve, contacts.len())).copied().flatten();
        node.and_then(|node| serde_json::to_value(node).ok())
    };
    (0..ground.info.curves.len()).map(said).collect()
}

/// Curves to be joined to one ground, with their metadata.
#[derive(Default)]
struct Several {
    names: Vec<Arc<str>>,
    grounds: Vec<Ground>,
    /// Size of names and tables, bytes.
    kept: usize,
    info: CurveInfo,
}

impl Several {
    /// Reads the name of a table, which must be unique.
    fn name(&mut self, table: &mut Reader) -> Result<Arc<str>, InputError> {
        let node = table.need("name", "what messages, events and rows call the curve")?;
        let Value::String(name) = &node.value else { return Err(wrong_type(node, "name", "a string")) };
        if name.trim().is_empty() {
            return Err(InputError::new(&node.span, "`name` is empty", "one character at least"));
        }
        if self.names.contains(name) {
            let message = format!("two curves are called \"{name}\"");
            return Err(InputError::new(&node.span, message, "the second one").with_help("give each its own name"));
        }
        self.names.push(name.clone());
        Ok(name.clone())
    }

    fn add(&mut self, name: Arc<str>, table: usize, curve: Curve) {
        let Curve { info: CurveInfo { parameters, counts, notes, noise, .. }, ground, source, curves } = curve;
        let info = &mut self.info;
        info.counts.extend(counts);
        info.notes.extend(notes.into_iter().map(|note| format!("{name}: {note}")));
        info.noise = info.noise.or(noise);
        let several = curves.into_iter().map(|(own, curve)| (format!("{name}.{own}"), curve));
        let mut all: Vec<(String, Node)> = several.collect();
        if all.is_empty() {
            all.push((name.to_string(), source));
        }
        self.kept += all.iter().map(|(name, node)| name.len() + node.size()).sum::<usize>();
        for (name, curve) in all {
            info.nodes.push(curve);
            info.curves.push(CurveName { name, table });
        }
        info.of_tables.push(parameters);
        self.grounds.push(ground);
    }

    /// Refuses curves that together are larger than a ground may be, with `place` the last one.
    fn room(&self, place: &Span) -> Result<(), InputError> {
        check_kept(self.kept, place)?;
        if self.grounds.iter().map(size).sum::<usize>() <= MAX_PIECES {
            return Ok(());
        }
        let message = format!("the curves have more than {MAX_PIECES} pieces together, or twice as many parts");
        let error = InputError::new(place, message, "too many with this one");
        Err(error.with_help("leave out what is finer than the ball can feel"))
    }

    fn ground(self, node: &Node) -> Result<SharedGround, InputError> {
        let count = self.names.len();
        let Some(ground) = Ground::of_curves(self.grounds) else {
            return Err(InputError::new(&node.span, "`ground` is an empty list", "one curve at least"));
        };
        let info = CurveInfo {
            title: if count > 4 { format!("{count} curves") } else { self.names.join(", ") },
            kind: "several".to_owned(),
            ..self.info
        };
        Ok(SharedGround { ground: Arc::new(ground), info: Arc::new(info), offset: None })
    }
}
