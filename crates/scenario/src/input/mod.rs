//! TOML with places: a tree whose every node knows where it stands, and a reader that leaves no key unread.

mod block;
mod builtin;
mod cells;
mod columns;
mod encoding;
mod error;
mod heading;
mod lost;
mod overrides;
mod roles;
mod rows;
mod table;
mod tree;
pub(crate) mod xml;

use block::holds_numbers;
pub use block::{Block, NAMED, is_missing, listed, named_rows};
pub(crate) use builtin::is_builtin;
pub use builtin::{builtin_names, builtin_path};
pub use cells::{CSV_FILE, Cells, Line, MAX_COLUMNS, Separator, UNITS, comments, is_numeric, lines};
pub use columns::{AskedColumn, ColumnKey, Columns, Cures, Lengths, distinct, unknown_unit};
pub use error::{InputError, Position, SETTING, Source, Span, did_you_mean, printable};
pub use heading::{Heading, Unit};
pub use lost::{Lost, is_not_found};
pub use overrides::apply_overrides;
pub use roles::{Places, Role, is_middle, may_be_a_place, places, role};
pub use rows::{Row, Rows};
pub(crate) use table::finite;
pub use table::{
    Reader, brief, changed_vector, few_tables, name_of, number, plain, rounded, short, vector, wrong_type,
};
pub use tree::{
    Entry, Files, Node, TOML_FILE, Text, Value, WRITE_SVG, is_cad, keep_inputs, not_read, open_now, open_plain, parse,
    paths_in, patient, read_file, read_plain, read_table,
};
