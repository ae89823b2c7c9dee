//! Tracks of several balls in one table: which ball a row is of, by a column that names it.

use super::{InputError, Span, listed};

/// Tracks that are told apart.
const TRACKS: usize = 12;

/// Names of tracks in a column.
#[derive(Debug)]
pub struct Tracks<'a> {
    column: Option<usize>,
    wanted: Option<&'a str>,
    /// Option or key that asks for a track: `--track` or `track =`.
    ask: fn(&str) -> String,
    /// Names of tracks, each with the number of its rows.
    names: Vec<(String, usize)>,
    /// Rows of the one that is wanted.
    count: usize,
}

/// `--track NAME`, as a shell takes it.
pub fn track_option(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("--track \"{name}\"") } else { format!("--track {name}") }
}

/// `track = "NAME"`, as a curve takes it.
pub fn track_key(name: &str) -> String {
    format!("track = \"{name}\"")
}

impl<'a> Tracks<'a> {
    /// `column`: the one that names them; `wanted`: the one to read, asked for at `place`, which another column could be named for
    /// by `cure`.
    pub fn of(
        column: Option<usize>,
        wanted: Option<&'a str>,
        ask: fn(&str) -> String,
        (place, cure): (&Span, &str),
    ) -> Result<Self, InputError> {
        if let (Some(wanted), None) = (wanted, column) {
            let message = "the table has no column of tracks";
            return Err(InputError::new(place, message, format!("`{}` needs one", ask(wanted))).with_help(cure));
        }
        Ok(Tracks { column, wanted, ask, names: Vec::new(), count: 0 })
    }

    /// Whether a row with these cells is of the track that is wanted.
    pub fn wants<'c>(&mut self, mut cells: impl Iterator<Item = (usize, &'c str)>) -> bool {
        let Some(column) = self.column else { return true };
        let name = cells.nth(column).map_or("", |(_, cell)| cell);
        let few = self.names.len() <= TRACKS;
        match self.names.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None if few => self.names.push((name.to_owned(), 1)),
            None => {}
        }
        let wants = self.wanted.is_none_or(|wanted| wanted == name);
        self.count += usize::from(wants);
        wants
    }

    fn listed(&self) -> String {
        listed(self.names.iter().map(|(name, _)| name.as_str()))
    }

    fn first(&self) -> String {
        (self.ask)(self.names.first().map_or("", |(name, _)| name))
    }

    /// Rows out of order may be those of another track.
    pub fn unless_several(&self, error: InputError) -> InputError {
        if self.names.len() < 2 || self.wanted.is_some() {
            return error;
        }
        let help = format!("choose one of the tracks {}: {}", self.listed(), self.first());
        error.after("the table has several tracks; ").with_help(help)
    }

    /// Whether there is the track that is wanted, or only one: two names with several rows each are of two. `asked`: columns
    /// were chosen, and this is none of them; `all`: how to read them all.
    pub fn found(&self, asked: bool, all: &str, whole: &Span) -> Result<(), InputError> {
        let several = self.names.iter().filter(|(_, rows)| *rows > 1).count() > 1;
        match self.wanted {
            Some(wanted) if self.count == 0 => {
                let message = format!("no row is of the track `{wanted}`");
                Err(InputError::new(whole, message, format!("there is {}", self.listed())))
            }
            None if several && !asked => {
                let error = InputError::new(whole, "which ball?", format!("there is {}", self.listed()));
                let help = format!("choose one: {}; or {all}", self.first());
                Err(error.after("the table has several tracks: ").with_help(help))
            }
            _ => Ok(()),
        }
    }
}
