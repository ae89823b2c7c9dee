//! Frames per second that a table states above its numbers: `% Frame rate = 30 fps`, `fps: 240`.

use scenario::input::{Block, Line, Source, comments, lines};

/// What speaks of them.
const RATES: [&str; 6] = ["frame rate", "framerate", "frame_rate", "fps", "frames per second", "images per second"];

/// The one rate that is stated, and the row that does.
pub(super) fn stated(source: &Source, block: &Block) -> Option<(usize, f64)> {
    let end = block.first?.start;
    let above = |line: &Line| line.start < end;
    let mut said = comments(source).take_while(above).chain(lines(source).take_while(above)).filter_map(rate);
    let first = said.next()?;
    said.all(|(_, rate)| rate == first.1).then_some(first)
}

/// Of a line with one number.
fn rate(line: Line) -> Option<(usize, f64)> {
    let text = line.text.to_lowercase();
    if !RATES.iter().any(|name| text.contains(name)) {
        return None;
    }
    let mut numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|part| part.parse::<f64>().ok());
    let rate = numbers.next().filter(|rate| *rate > 0.0 && rate.is_finite())?;
    numbers.next().is_none().then_some((line.number, rate))
}
