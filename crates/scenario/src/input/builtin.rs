//! The profiles of `curves/`, which are built in: `curve = "sine"` works anywhere.

use std::path::{Path, PathBuf};

/// The folder that they seem to be in.
const FOLDER: &str = "built-in";

macro_rules! profiles {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../../../../curves/", $name)))),*] };
}

/// All files of the folder.
const FILES: [(&str, &str); 24] = profiles![
    "bezier-ramp.toml",
    "circle-bowl.toml",
    "cosine-hills.toml",
    "cycloid-bowl.toml",
    "dome.toml",
    "drawn-track.svg",
    "drawn-track.toml",
    "ellipse-bowl.toml",
    "flat.toml",
    "half-pipe.toml",
    "incline.toml",
    "measured-hill.csv",
    "measured-hill.toml",
    "mirrored-ramp.toml",
    "parabola-bowl.toml",
    "patched-track.toml",
    "raised-waves.toml",
    "sine.toml",
    "ski-jump.toml",
    "spike.toml",
    "spline-hills.toml",
    "stairs.toml",
    "surveyed-slope.toml",
    "wedge.toml",
];

/// The path under which a built-in profile of this name is read, if there is one.
pub fn builtin_path(name: &str) -> Option<PathBuf> {
    let path = Path::new(FOLDER).join(format!("{name}.toml"));
    builtin_text(&path).map(|_| path)
}

/// Names of all built-in profiles, in alphabetical order.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(name, _)| name.strip_suffix(".toml"))
}

/// The text of a built-in file.
pub(super) fn builtin_text(path: &Path) -> Option<&'static str> {
    let name = path.strip_prefix(FOLDER).ok()?.to_str()?;
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
