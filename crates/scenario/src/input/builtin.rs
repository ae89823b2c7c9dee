//! Built-in profiles: the files of `curves/`, so that `curve = "sine"` works anywhere.

use std::path::{Path, PathBuf};

/// Name of the folder in their paths.
const FOLDER: &str = "built-in";

macro_rules! profiles {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../../curves/", $name)))),*] };
}

/// All files of the folder.
const FILES: [(&str, &str); 31] = profiles![
    "bezier-ramp.toml",
    "circle-bowl.toml",
    "cosine-hills.toml",
    "cycloid-bowl.toml",
    "dome.toml",
    "double-loop.toml",
    "drawn-track.svg",
    "drawn-track.toml",
    "ellipse-bowl.toml",
    "flat.toml",
    "funnel.csv",
    "funnel.toml",
    "half-pipe.toml",
    "incline.toml",
    "loop.toml",
    "measured-hill.csv",
    "measured-hill.toml",
    "mirrored-ramp.toml",
    "parabola-bowl.toml",
    "patched-track.toml",
    "quarter-pipe.toml",
    "raised-waves.toml",
    "sine.toml",
    "ski-jump.toml",
    "spike.toml",
    "spline-hills.toml",
    "stairs.toml",
    "surveyed-slope.toml",
    "wedge.toml",
    "zigzag.csv",
    "zigzag.toml",
];

/// Path of the built-in profile of this name (or of a file named by a built-in one), if there is one.
pub fn builtin_path(name: &str) -> Option<PathBuf> {
    let paths = [Path::new(FOLDER).join(format!("{name}.toml")), PathBuf::from(name)];
    paths.into_iter().find(|path| is_builtin(path))
}

/// Whether this is the path of a built-in file.
pub(crate) fn is_builtin(path: &Path) -> bool {
    builtin_text(path).is_some()
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
