//! TOML with places: a tree whose every node knows where it stands, and a reader that leaves no key unread.

mod block;
mod builtin;
mod cells;
mod encoding;
mod error;
mod heading;
mod lost;
mod overrides;
mod roles;
mod table;
mod tracks;
mod tree;
pub(crate) mod xml;

pub use block::{Block, MAX_COLUMNS, NAMED, holds_numbers, is_missing, listed, named_rows};
pub(crate) use builtin::is_builtin;
pub use builtin::{builtin_names, builtin_path};
pub use cells::{CSV_FILE, Cells, Line, Separator, UNITS, comma_in_quotes, comments, is_numeric, lines};
pub use error::{InputError, Position, SETTING, Source, Span, did_you_mean, printable};
pub use heading::{Heading, Unit};
pub use lost::{Lost, is_not_found};
pub use overrides::apply_overrides;
pub use roles::{Places, Role, is_middle, may_be_a_place, places, role};
pub(crate) use table::finite;
pub use table::{
    Reader, brief, changed_vector, few_tables, name_of, number, plain, rounded, short, vector, wrong_type,
};
pub use tracks::{Tracks, track_key, track_option};
pub use tree::{
    Entry, Files, Node, TOML_FILE, Text, Value, WRITE_SVG, is_cad, open_plain, parse, read_file, read_plain, read_table,
};
