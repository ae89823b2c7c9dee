//! Reads the `gates` of a curve that crosses itself: places where the ground changes from one strand to the other.

use curves::Ground;

use super::kinds_and_limits::{CurveTable, Gate};
use crate::input::{InputError, Node, Reader, Value, plain, short, wrong_type};

pub(super) fn read(table: &mut CurveTable) -> Result<Vec<Gate>, InputError> {
    let Some(node) = table.reader.get("gates") else { return Ok(Vec::new()) };
    let Value::Array(items) = &node.value else {
        return Err(wrong_type(node, "gates", "a list of tables { crossing = 1, s = …, reach = … }"));
    };
    let mut gates: Vec<Gate> = Vec::new();
    for item in items {
        let gate = gate(item, table)?;
        if gates.iter().any(|other| other.crossing == gate.crossing) {
            let message = format!("two gates of crossing {}", plain(gate.crossing));
            return Err(InputError::new(&gate.span, message, "the second one").with_help("leave one of them out"));
        }
        gates.push(gate);
    }
    Ok(gates)
}

fn gate<'n>(item: &'n Node, curve: &CurveTable<'_, 'n>) -> Result<Gate, InputError> {
    let mut reader = Reader::new(item, "this gate")?;
    let mut table = CurveTable { reader: &mut reader, ..*curve };
    let crossing = table.need_constant("crossing", "the number of a crossing, from 1")?;
    let s = table.placed_constant("s")?;
    let reach = table.positive("reach", "must be positive (m)")?;
    reader.finish()?;
    Ok(Gate { span: item.span.clone(), crossing, s, reach })
}

pub(super) fn put(mut ground: Ground, gates: &[Gate]) -> Result<Ground, InputError> {
    for gate in gates {
        let count = ground.crossings().len();
        let index = gate.crossing - 1.0;
        let known = (0.0..count as f64).contains(&index) && index.fract() == 0.0;
        let Some(crossing) = ground.crossings().get(index as usize).filter(|_| known) else {
            let message = format!("there is no crossing {}", plain(gate.crossing));
            let label = match count {
                0 => "the curve does not cross itself".to_owned(),
                1 => "the curve crosses itself once".to_owned(),
                count => format!("a number from 1 to {count}"),
            };
            return Err(InputError::new(&gate.span, message, label));
        };
        let ([first, second], _) = ground.shown_crossing(crossing);
        let moved = ground.clone().with_gate(index as usize, gate.s.as_ref().map(|(s, _)| *s), gate.reach);
        ground = moved.ok_or_else(|| {
            let (s, span) = gate.s.as_ref().map_or((f64::NAN, &gate.span), |(s, span)| (*s, span));
            let [s, crossing] = [s, gate.crossing].map(plain);
            let message = format!("the gate at s = {s} is not between both passages of crossing {crossing}");
            InputError::new(span, message, format!("a number between {} and {}", short(first), short(second)))
        })?;
    }
    Ok(ground)
}
