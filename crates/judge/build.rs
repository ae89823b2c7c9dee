//! Builds the cases of `suite/cases` in: the texts of every `answers.csv` and scenario, by their paths.

use std::fs::read_dir;
use std::io::Error;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn main() -> Result<(), Error> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/cases");
    println!("cargo::rerun-if-changed={}", cases.display());
    let mut code = String::from("&[\n");
    for folder in files(&cases)? {
        for path in files(&folder)? {
            if path.extension().is_some_and(|end| end == "csv" || end == "toml") {
                println!("cargo::rerun-if-changed={}", path.display());
                let name = path.file_name().unwrap_or_default();
                code += &format!(
                    "    ({:?}, include_str!({:?})),\n",
                    Path::new(folder.file_name().unwrap_or_default()).join(name),
                    path
                );
            }
        }
    }
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| Error::other("cargo sets OUT_DIR"))?;
    std::fs::write(Path::new(&out).join("cases.rs"), code + "]\n")
}
