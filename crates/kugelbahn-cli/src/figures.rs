//! `--figures` and `--figure-width`: the forms and the width of figures in `--out`.

use clap::{Args, ValueEnum};
use kugelbahn::figures::{Figure, Form, Undrawn, Width};
use kugelbahn::input::InputError;
use kugelbahn::output::Folder;

use crate::console::CommandFailure;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FigureFile {
    /// Drawings that scale
    Svg,
    /// Pictures of 300 dots an inch
    #[cfg_attr(not(feature = "png"), value(hide = true))]
    Png,
    /// plot.py, which draws them from CSV files by matplotlib
    Py,
}

#[derive(Clone, Copy, ValueEnum)]
enum Wide {
    /// A column of a journal
    #[value(name = "85")]
    Column,
    /// A page of a journal
    #[value(name = "175")]
    Page,
}

/// How figures are written to a folder.
#[derive(Args)]
pub struct FigureArgs {
    /// Forms of the figures in --out
    #[arg(long, value_name = "FORM,…", value_enum, value_delimiter = ',', default_value = "svg", requires = "out")]
    figures: Vec<FigureFile>,
    /// Width of the figures in --out, mm
    #[arg(long, value_name = "MM", value_enum, default_value = "175", requires = "out")]
    figure_width: Wide,
}

impl FigureArgs {
    fn forms(&self) -> impl Iterator<Item = Form> {
        let forms = Form::ALL.into_iter().zip([FigureFile::Svg, FigureFile::Png, FigureFile::Py]);
        forms.filter(|(_, named)| self.figures.contains(named)).map(|(form, _)| form)
    }

    /// Refuses what can't be drawn here, before anything is done.
    pub fn ready(&self) -> Result<(), CommandFailure> {
        Ok(self.forms().try_for_each(Form::ready).map_err(refused)?)
    }

    /// Writes figures in the forms asked for, and removes those in other forms, which an earlier command left.
    pub fn write(&self, folder: &Folder, figures: &[(&str, Figure)]) -> Result<(), CommandFailure> {
        let names: Vec<&str> = figures.iter().map(|(name, _)| *name).collect();
        let width = match self.figure_width {
            Wide::Column => Width::Column,
            Wide::Page => Width::Page,
        };
        for form in Form::ALL {
            if self.forms().all(|wanted| wanted != form) {
                form.names(&names).iter().for_each(|name| folder.remove(name));
                continue;
            }
            for (name, content) in form.files(figures, width).map_err(refused)? {
                folder.replace(&name, content)?;
            }
        }
        Ok(())
    }

    /// Removes figures of another command.
    pub fn remove(folder: &Folder, names: &[&str]) {
        Form::ALL.into_iter().flat_map(|form| form.names(names)).for_each(|name| folder.remove(&name));
    }
}

fn refused(why: Undrawn) -> InputError {
    let cure = match why {
        Undrawn::Feature => "cargo build --release -p kugelbahn-cli --features png, or --figures py and matplotlib",
        Undrawn::Font => "install one, e.g. DejaVu Sans",
        Undrawn::Drawing => "--figures svg",
    };
    InputError::without_place(format!("--figures png: {why}")).with_help(cure)
}
