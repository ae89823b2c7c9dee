//! What stands in the sections of a DXF drawing: entities of the model space, and those of blocks.

use std::collections::{BTreeMap, HashMap};

use super::dxf_block::{Block, Insert, Item, block_name};
use super::dxf_entity::{Entity, Group, Part, Unreadable, Values, old_polyline, parts, polyline_flags};

/// Entities that are no lines, and are not missed.
const NO_LINES: [&str; 9] =
    ["TEXT", "MTEXT", "POINT", "DIMENSION", "LEADER", "ATTDEF", "ATTRIB", "VIEWPORT", "ACAD_PROXY_ENTITY"];

/// An entity whose groups are being read.
#[derive(Default)]
pub(super) struct Pending<'a> {
    pub name: &'a str,
    pub at: usize,
    pub groups: Vec<Group<'a>>,
    /// A POLYLINE whose vertices are being read.
    polyline: Option<(usize, Vec<Group<'a>>)>,
    pub vertices: Vec<Vec<Group<'a>>>,
}

/// What was read so far.
#[derive(Default)]
pub(super) struct Sheet {
    pub model: Vec<Item>,
    pub blocks: HashMap<String, Block>,
    /// The block that is being read.
    block: Option<(String, Block)>,
    /// What was not read, and how often.
    pub left_out: BTreeMap<String, usize>,
}

impl Sheet {
    /// Takes in the entity whose groups are read, of the model space or of the block that is being read; how many parts it has.
    /// Blocks inserted at most `most` times.
    pub fn end(&mut self, entity: &mut Pending, most: usize) -> usize {
        match entity.name {
            // Its vertices follow.
            "POLYLINE" => {
                entity.polyline = Some((entity.at, std::mem::take(&mut entity.groups)));
                return 0;
            }
            "VERTEX" if entity.polyline.is_some() => {
                entity.vertices.push(std::mem::take(&mut entity.groups));
                return 0;
            }
            _ => {}
        }
        let mut found = 0;
        if let Some((at, own)) = entity.polyline.take() {
            let vertices = std::mem::take(&mut entity.vertices);
            let vertices: Vec<&[Group]> = vertices.iter().map(Vec::as_slice).collect();
            let (flags, behind) = polyline_flags(&own);
            found += self.take(("POLYLINE", at), &own, old_polyline(flags, &vertices, behind));
        }
        let groups = std::mem::take(&mut entity.groups);
        match entity.name {
            "" | "SECTION" | "SEQEND" | "ENDSEC" => {}
            "BLOCK" => {
                let base = Values { groups: &groups }.point(10);
                let base = base.map(|c| if c.is_finite() { c } else { 0.0 });
                self.block = Some((block_name(&groups), Block { base, items: Vec::new() }));
            }
            "ENDBLK" => self.blocks.extend(self.block.take()),
            "INSERT" if is_shown(&groups) => {
                let layer = text(&groups, 8).unwrap_or("0").to_owned();
                match Insert::of(&groups, layer, entity.at, most) {
                    Ok(insert) => self.items().push(Item::Insert(insert)),
                    Err(Unreadable(why)) => self.leave_out(format!("INSERT ({why})")),
                }
            }
            name => found += self.take((name, entity.at), &groups, parts(name, &groups)),
        }
        found
    }

    fn items(&mut self) -> &mut Vec<Item> {
        self.block.as_mut().map_or(&mut self.model, |(_, block)| &mut block.items)
    }

    fn leave_out(&mut self, what: String) {
        *self.left_out.entry(what).or_default() += 1;
    }

    fn take(&mut self, (name, at): (&str, usize), groups: &[Group], parts: Result<Vec<Part>, Unreadable>) -> usize {
        if !is_shown(groups) {
            return 0;
        }
        match parts {
            Ok(parts) if parts.is_empty() => {
                if !NO_LINES.contains(&name) && name != "INSERT" {
                    self.leave_out(name.to_owned());
                }
                0
            }
            Ok(parts) => {
                let (count, layer) = (parts.len(), text(groups, 8).unwrap_or("0").to_owned());
                self.items().push(Item::Entity(Entity { name: name.to_owned(), layer, at, parts }));
                count
            }
            Err(Unreadable(why)) => {
                self.leave_out(format!("{name} ({why})"));
                0
            }
        }
    }
}

fn text<'a>(groups: &[Group<'a>], code: i32) -> Option<&'a str> {
    groups.iter().find(|group| group.code == code).map(|group| group.value)
}

/// Whether it is shown, and on no sheet of paper.
fn is_shown(groups: &[Group]) -> bool {
    text(groups, 60) != Some("1") && text(groups, 67) != Some("1")
}
