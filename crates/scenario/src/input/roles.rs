//! What columns hold, by their names and units: times, numbers of frames, places along x and y, names of tracks.
//!
//! A name is taken if it says x or y and nothing else that could be another quantity; what is not sure is asked for.

use super::{Heading, Unit};

const TIMES: [&str; 19] = [
    "t",
    "time",
    "times",
    "timestamp",
    "zeit",
    "temps",
    "tiempo",
    "tempo",
    "czas",
    "tid",
    "tijd",
    "idő",
    "zaman",
    "время",
    "час",
    "时间",
    "時間",
    "시간",
    "seconds",
];
const FRAMES: [&str; 10] = ["frame", "frames", "slice", "image", "bild", "img", "framenumber", "frameno", "帧", "кадр"];
/// Heights, where no column is y.
const HEIGHTS: [&str; 11] =
    ["height", "h", "hauteur", "höhe", "hoehe", "altura", "altezza", "altitude", "elevation", "высота", "高度"];
const TRACKS: [&str; 32] = [
    "track",
    "trackid",
    "tracks",
    "particle",
    "object",
    "objectid",
    "ballid",
    "id",
    "ball",
    "kugel",
    "bille",
    "balle",
    "bola",
    "palla",
    "marble",
    "label",
    "run",
    "trial",
    "shot",
    "throw",
    "attempt",
    "experiment",
    "series",
    "versuch",
    "wurf",
    "messung",
    "reihe",
    "essai",
    "serie",
    "ensayo",
    "prova",
    "мяч",
];
/// What says that a place is the middle of what was seen.
const MIDDLES: [&str; 6] = ["center", "centre", "centroid", "middle", "mitte", "mid"];
/// Other names of x and y.
const AXES: [(&str, usize); 14] = [
    ("abscisse", 0),
    ("abszisse", 0),
    ("ascissa", 0),
    ("abscisa", 0),
    ("horizontal", 0),
    ("horizontale", 0),
    ("waagerecht", 0),
    ("ordonnée", 1),
    ("ordonnee", 1),
    ("ordinate", 1),
    ("ordinata", 1),
    ("ordenada", 1),
    ("vertical", 1),
    ("senkrecht", 1),
];
/// Corners of boxes: least and greatest x, least and greatest y.
const CORNERS: [[&str; 4]; 5] = [
    ["xmin", "xmax", "ymin", "ymax"],
    ["left", "right", "top", "bottom"],
    ["x1", "x2", "y1", "y2"],
    ["x0", "x1", "y0", "y1"],
    ["xtl", "xbr", "ytl", "ybr"],
];
/// Whether the ball was found in a frame, or how likely it is there.
const FOUND: [&str; 8] = ["found", "detected", "visible", "seen", "valid", "tracked", "likelihood", "confidence"];
/// What may stand beside x, y, t or a number of a frame and says nothing else.
const BESIDE: [&str; 38] = [
    "position",
    "pos",
    "coordinate",
    "coordinates",
    "coord",
    "center",
    "centre",
    "centroid",
    "c",
    "ball",
    "point",
    "location",
    "loc",
    "place",
    "posición",
    "posicion",
    "posição",
    "posizione",
    "koordinate",
    "ort",
    "координата",
    "坐标",
    "位置",
    "number",
    "nr",
    "no",
    "n",
    "index",
    "idx",
    "id",
    "video",
    "elapsed",
    "stamp",
    "raw",
    "of",
    "the",
    "de",
    "from",
];
/// Things seen, of which there may be several.
const THINGS: [&str; 15] = [
    "mass", "masse", "masa", "massa", "object", "obj", "marker", "particle", "track", "p", "m", "balle", "bola",
    "kugel", "body",
];
/// What is no place, even in a unit of length.
const OTHERS: [&str; 22] = [
    "vel",
    "velocity",
    "speed",
    "acc",
    "accel",
    "acceleration",
    "error",
    "err",
    "sigma",
    "std",
    "sd",
    "uncertainty",
    "unc",
    "delta",
    "fit",
    "model",
    "theory",
    "residual",
    "min",
    "max",
    "predicted",
    "sim",
];

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A time.
    Time,
    /// The number of a frame.
    Frame,
    /// Along this axis (0, 1; 2: z), of a set of columns that belong together.
    Place(usize, String),
    /// A place upwards, where no column is y.
    Height,
    /// A side of a box around the ball, along this axis.
    Side(usize),
    /// It may be a place or another quantity along an axis.
    Doubt,
    /// Which ball.
    Track,
    /// 0 to 1: whether there is a place.
    Found,
    /// None of these.
    Other,
}

/// The words of a name, small: `PosX` and `pos_x` have the same.
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

/// The axis of a word, and the number behind it: x, Y2, cx.
fn axis(word: &str) -> Option<(usize, &str)> {
    if let Some((_, axis)) = AXES.iter().find(|(name, _)| *name == word) {
        return Some((*axis, ""));
    }
    let word = word.strip_prefix('c').filter(|rest| rest.starts_with(['x', 'y'])).unwrap_or(word);
    let axis = ["x", "y", "z"].iter().position(|axis| word.starts_with(axis))?;
    let number = &word[1..];
    let few = number.len() <= 3
        && (number.bytes().all(|b| b.is_ascii_digit()) || matches!(number, "c" | "pos" | "px" | "m" | "cm" | "mm"));
    few.then_some((axis, if number.bytes().all(|b| b.is_ascii_digit()) { number } else { "" }))
        .or_else(|| matches!(word, "posx" | "posy" | "posz").then_some((axis, "")))
}

/// Whether the name of a place says that it is the middle of what was seen: `x_center`, `cx`, `xc`.
pub fn is_middle(name: &str) -> bool {
    let words = words(name);
    let short = |word: &str| matches!(word, "cx" | "cy" | "xc" | "yc");
    words.iter().any(|word| MIDDLES.contains(&word.as_str()) || short(word))
        || words.windows(2).any(|pair| pair[0] == "c" && axis(&pair[1]).is_some())
}

/// The columns of x and y at one corner of boxes, and at the other: least x, greatest x, least y, greatest y.
pub fn corners(names: &[&str]) -> Option<[usize; 4]> {
    let bare: Vec<String> = names.iter().map(|name| words(name).concat()).collect();
    CORNERS.iter().find_map(|corner| {
        let found = corner.map(|name| bare.iter().position(|own| own == name));
        let [Some(a), Some(b), Some(c), Some(d)] = found else { return None };
        Some([a, b, c, d])
    })
}

/// Whether a column may be a place along one axis or the other, by its unit or its name.
pub fn may_be_a_place(heading: &Heading, unit: Option<Unit>) -> bool {
    let words = words(heading.name);
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    match unit {
        None => any(&BESIDE[..20]),
        Some(unit) => matches!(unit, Unit::Length(_) | Unit::Pixel) && !any(&OTHERS),
    }
}

/// Of a heading; `unit`: that of the header, or of the line below it.
pub fn role(heading: &Heading, unit: Option<Unit>) -> Role {
    // A power in a name is of a unit that is not understood.
    if heading.name.contains(['^', '⁻']) {
        return Role::Other;
    }
    let words = words(heading.name);
    let is = |word: &str, list: &[&str]| list.contains(&word);
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let all = |own: &[&str]| {
        let beside = |word: &String| is(word, own) || is(word, &BESIDE) || is_number(word);
        words.iter().any(|word| is(word, own)) && words.iter().all(beside)
    };
    let measures_time = matches!(unit, None | Some(Unit::Time(_) | Unit::Frame));
    let measures_length = matches!(unit, None | Some(Unit::Length(_) | Unit::Pixel));
    if all(&FRAMES) && measures_time || unit == Some(Unit::Frame) {
        return Role::Frame;
    }
    if all(&TIMES) && measures_time
        || matches!(unit, Some(Unit::Time(_))) && words.len() == 1 && axis(&words[0]).is_none()
    {
        return Role::Time;
    }
    let axes: Vec<(usize, (usize, &str))> =
        words.iter().enumerate().filter_map(|(i, word)| Some((i, axis(word)?))).collect();
    if let ([(at, (axis, number))], true) = (axes.as_slice(), measures_length) {
        let others: Vec<&str> = words
            .iter()
            .enumerate()
            .filter(|(i, word)| i != at && !is(word, &BESIDE))
            .map(|(_, word)| word.as_str())
            .collect();
        let short = |word: &str| word.chars().count() == 1 || is_number(word);
        // A letter before it is another quantity along the axis: v_x; one behind it is a thing: x_A.
        let before = at.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|word| word.chars().count() == 1);
        if others.iter().any(|word| is(word, &OTHERS)) {
            return Role::Other;
        }
        if before || !others.iter().all(|word| is(word, &THINGS) || short(word) || unit.is_some()) {
            return Role::Doubt;
        }
        let mut group: Vec<&str> = [heading.set].into_iter().filter(|set| !set.is_empty()).collect();
        group.extend(others);
        group.extend([*number].into_iter().filter(|number| !number.is_empty()));
        return Role::Place(*axis, group.join(" "));
    }
    if let ([word], true) = (words.as_slice(), measures_length) {
        match word.as_str() {
            "w" | "width" | "bw" => return Role::Side(0),
            "bh" => return Role::Side(1),
            word if is(word, &HEIGHTS) => return Role::Height,
            word if is(word, &FOUND) && unit.is_none() => return Role::Found,
            _ => {}
        }
    }
    if all(&TRACKS) && unit.is_none() { Role::Track } else { Role::Other }
}

/// The places that columns hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// Of one ball, along x and y; either may not be there.
    Of([Option<usize>; 2]),
    /// Of several.
    Several(Vec<[usize; 2]>),
}

/// The columns of places by what each column is: the one set that there is, or all of them. A height is y where no column is.
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
        // What may be another ball is not passed over.
        (_, [[x, y]], ..) if column(&Role::Doubt).is_none() => [Some(*x), Some(*y)],
        (_, [_, _, ..], ..) => return Places::Several(pairs),
        (_, _, [(x, _)], []) => [Some(*x), column(&Role::Height)],
        (_, _, [], [(y, _)]) => [None, Some(*y)],
        (_, _, [], []) => [None, column(&Role::Height)],
        _ => [None; 2],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cell: &str) -> Role {
        let heading = Heading::of(cell);
        role(&heading, heading.unit.map(|unit| Unit::of(unit).unwrap_or(Unit::Other)))
    }

    #[test]
    fn places_and_times_by_many_names() {
        let place = |axis, group: &str| Role::Place(axis, group.to_owned());
        for (cell, expected) in [
            ("t", Role::Time),
            ("Latest: Time (s)", Role::Time),
            ("timestamp_ms", Role::Time),
            ("t_{1}", Role::Time),
            ("x_{1}", place(0, "1")),
            ("Zeit / s", Role::Time),
            ("Slice n°", Role::Frame),
            ("frame_number", Role::Frame),
            ("x", place(0, "")),
            ("POSITION_X", place(0, "")),
            ("Latest: Y (m)", place(1, "Latest")),
            ("PosX", place(0, "")),
            ("center_y", place(1, "")),
            ("cx", place(0, "")),
            ("x_px", place(0, "")),
            ("XM", place(0, "")),
            ("ball_y", place(1, "")),
            ("x_mass_A", place(0, "mass a")),
            ("X2", place(0, "2")),
            ("Ort x (m)", place(0, "")),
            ("Weg x (m)", place(0, "weg")),
            ("y position (cm)", place(1, "")),
            ("Height (m)", Role::Height),
            ("w", Role::Side(0)),
            ("xc", place(0, "")),
            ("Abscisse (m)", place(0, "")),
            ("Ordonnée (m)", place(1, "")),
            ("Ball", Role::Track),
            ("trial", Role::Track),
            ("Track n°", Role::Track),
            ("TRACK_ID", Role::Track),
            ("z", place(2, "")),
            ("found", Role::Found),
        ] {
            assert_eq!(of(cell), expected, "{cell}");
        }
    }

    /// What is no place is none, whatever letters its name has.
    #[test]
    fn other_quantities_are_none() {
        for cell in [
            "vx",
            "v_x",
            "Acceleration x (m/s^2)",
            "x velocity",
            "X Velocity (m/s)",
            "x error (m)",
            "dx",
            "x_fit",
            "angle",
            "distance",
            "Geschwindigkeit x",
            "theta (rad)",
            "x_min",
            "xmin",
            "x_std",
            "ax",
            "Ug",
            "max",
            "index",
            "y (deg)",
            "a_x",
            "sigma_x",
        ] {
            assert!(
                !matches!(of(cell), Role::Place(..) | Role::Time | Role::Frame | Role::Height),
                "{cell}: {:?}",
                of(cell)
            );
        }
    }
}
