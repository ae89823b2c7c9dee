//! Finds the roles of columns by their names and units: times, frame numbers, places along x and y, names of tracks.
//!
//! A column is a place if its name says x or y and nothing that could be another quantity; doubtful ones are reported
//! to the user.

use super::{Heading, Unit};

/// Whether a word is in a list of words with blanks between them.
fn is(word: &str, list: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

const TIMES: &str =
    "t time times timestamp zeit temps tiempo tempo czas tid tijd idő zaman время час 时间 時間 시간 seconds";
const FRAMES: &str = "frame frames slice image bild img framenumber frameno 帧 кадр";
/// Words for heights, which are y if no other column is.
const HEIGHTS: &str = "height h hauteur höhe hoehe altura altezza altitude elevation высота 高度";
const TRACKS: &str = "track trackid tracks particle object objectid ballid id ball kugel bille balle bola palla marble label run trial shot throw attempt experiment \
     series versuch wurf messung reihe essai serie ensayo prova мяч";
/// Words for the centre of the object seen.
const MIDDLES: &str = "center centre centroid middle mitte mid";
/// Other names of x and y.
const AXES: [&str; 2] = [
    "abscisse abszisse ascissa abscisa horizontal horizontale waagerecht",
    "ordonnée ordonnee ordinate ordinata ordenada vertical senkrecht",
];
/// Words for whether, or how likely, the ball was found in a frame.
const FOUND: &str = "found detected visible seen valid tracked likelihood confidence";
/// Words beside x or y that mean a place.
const PLACES: &str = "position pos coordinate coordinates coord center centre centroid c ball point location loc place posición posicion posição \
     posizione koordinate ort";
/// Neutral words beside x, y, t or a frame number.
const BESIDE: &str = "координата 坐标 位置 number nr no n index idx id video elapsed stamp raw of the de from";
/// Words for tracked objects, of which there may be several.
const THINGS: &str = "mass masse masa massa object obj marker particle track p m balle bola kugel body";
/// Words for quantities other than places, even in a unit of length.
const OTHERS: &str = "vel velocity speed acc accel acceleration error err sigma std sd uncertainty unc delta fit model theory residual min max predicted sim";

/// Quantity that a column holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A time.
    Time,
    /// A frame number.
    Frame,
    /// A place along an axis (0: x, 1: y, 2: z), with the name of its set of columns.
    Place(usize, String),
    /// A height, which is y if no other column is.
    Height,
    /// A side of a bounding box.
    Side,
    /// A doubtful one: a place or another quantity along an axis.
    Doubt,
    /// The name of a ball.
    Track,
    /// Probability (0 to 1) that the ball was found.
    Found,
    /// Another quantity.
    Other,
}

/// Words of a name in lower case: the same for `PosX` and `pos_x`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let cut = !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase();
        if cut && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Reads a word such as x, Y2, cx or posx: axis, and number behind it.
fn axis(word: &str) -> Option<(usize, &str)> {
    if let Some(axis) = AXES.iter().position(|names| is(word, names)) {
        return Some((axis, ""));
    }
    let centre = || word.strip_prefix('c').filter(|rest| rest.starts_with(['x', 'y']));
    let word = word.strip_prefix("pos").or_else(centre).unwrap_or(word);
    let axis = ["x", "y", "z"].iter().position(|axis| word.starts_with(axis))?;
    let number = &word[1..];
    let digits = number.bytes().all(|b| b.is_ascii_digit());
    let few = number.len() <= 3 && (digits || matches!(number, "c" | "pos" | "px" | "m" | "cm" | "mm"));
    few.then_some((axis, if digits { number } else { "" }))
}

/// Whether a name means the centre of the object: `x_center`, `cx`, `xc`.
pub fn is_middle(name: &str) -> bool {
    let words = words(name);
    let short = |word: &str| matches!(word, "cx" | "cy" | "xc" | "yc");
    words.iter().any(|word| is(word, MIDDLES) || short(word))
        || words.windows(2).any(|pair| pair[0] == "c" && axis(&pair[1]).is_some())
}

/// Whether a column may be a place, by its unit or its name.
pub fn may_be_a_place(heading: &Heading, unit: Option<Unit>) -> bool {
    let words = words(heading.name);
    let any = |list: &str| words.iter().any(|word| is(word, list));
    match unit {
        None => any(PLACES),
        Some(unit) => matches!(unit, Unit::Length(_) | Unit::Pixel) && !any(OTHERS),
    }
}

/// Role of a column by its heading and its `unit`: that of the header, or of the line below it.
pub fn role(heading: &Heading, unit: Option<Unit>) -> Role {
    // A power in the name belongs to an unknown unit.
    if heading.name.contains(['^', '⁻']) {
        return Role::Other;
    }
    let words = words(heading.name);
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let is_beside = |word: &str| is(word, PLACES) || is(word, BESIDE);
    let all = |own: &str| {
        let beside = |word: &String| is(word, own) || is_beside(word) || is_number(word);
        words.iter().any(|word| is(word, own)) && words.iter().all(beside)
    };
    let measures_time = matches!(unit, None | Some(Unit::Time(_) | Unit::Frame));
    let measures_length = matches!(unit, None | Some(Unit::Length(_) | Unit::Pixel));
    if all(FRAMES) && measures_time || unit == Some(Unit::Frame) {
        return Role::Frame;
    }
    if all(TIMES) && measures_time
        || matches!(unit, Some(Unit::Time(_))) && words.len() == 1 && axis(&words[0]).is_none()
    {
        return Role::Time;
    }
    let axes: Vec<(usize, (usize, &str))> =
        words.iter().enumerate().filter_map(|(i, word)| Some((i, axis(word)?))).collect();
    if let ([(at, (axis, number))], true) = (axes.as_slice(), measures_length) {
        let others = words.iter().enumerate().filter(|(i, word)| i != at && !is_beside(word));
        let others: Vec<&str> = others.map(|(_, word)| word.as_str()).collect();
        let short = |word: &str| word.chars().count() == 1 || is_number(word);
        // A letter before the axis is another quantity (v_x), one behind it an object (x_A).
        let before = at.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|word| word.chars().count() == 1);
        if others.iter().any(|word| is(word, OTHERS)) {
            return Role::Other;
        }
        if before || !others.iter().all(|word| is(word, THINGS) || short(word) || unit.is_some()) {
            return Role::Doubt;
        }
        let group = [heading.set].into_iter().chain(others).chain([*number]).filter(|part| !part.is_empty());
        return Role::Place(*axis, group.collect::<Vec<&str>>().join(" "));
    }
    if let ([word], true) = (words.as_slice(), measures_length) {
        match word.as_str() {
            "w" | "width" | "bw" | "bh" => return Role::Side,
            word if is(word, HEIGHTS) => return Role::Height,
            word if is(word, FOUND) && unit.is_none() => return Role::Found,
            _ => {}
        }
    }
    if all(TRACKS) && unit.is_none() { Role::Track } else { Role::Other }
}

/// Columns of places.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// Columns of one ball along x and y; either may be missing.
    Of([Option<usize>; 2]),
    /// Columns of several balls, each along x and y.
    Several(Vec<[usize; 2]>),
}

/// Finds the columns of places: the only set, or all of several. A height is y if no other column is.
pub fn places(roles: &[Role]) -> Places {
    let column = |wanted: &Role| roles.iter().position(|role| role == wanted);
    let of = |wanted: usize| {
        let places = roles.iter().enumerate();
        places.filter_map(move |(i, role)| match role {
            Role::Place(axis, group) if *axis == wanted => Some((i, group)),
            _ => None,
        })
    };
    let [first, second] = [0, 1].map(|axis| of(axis).collect::<Vec<(usize, &String)>>());
    let is_plain = |(_, group): &&(usize, &String)| group.is_empty();
    let plain = [first.iter().find(is_plain), second.iter().find(is_plain)].map(|found| found.map(|(i, _)| *i));
    let pairs: Vec<[usize; 2]> =
        first.iter().filter_map(|(i, group)| Some([*i, second.iter().find(|(_, other)| other == group)?.0])).collect();
    Places::Of(match (plain, pairs.as_slice(), first.as_slice(), second.as_slice()) {
        ([Some(x), Some(y)], ..) => [Some(x), Some(y)],
        // A doubtful column might be another ball, so it is not ignored.
        (_, [[x, y]], ..) if column(&Role::Doubt).is_none() => [Some(*x), Some(*y)],
        (_, [_, _, ..], ..) => return Places::Several(pairs),
        (_, _, [(x, _)], []) => [Some(*x), column(&Role::Height)],
        (_, _, [], [(y, _)]) => [None, Some(*y)],
        (_, _, [], []) => [None, column(&Role::Height)],
        _ => [None; 2],
    })
}
