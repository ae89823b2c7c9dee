//! Reads TOML to a tree with positions, and tables key by key, so that unknown keys are errors; reads text tables.

mod builtin;
mod cells;
mod column_names;
mod column_roles;
mod columns;
mod did_you_mean;
mod encoding;
mod error;
mod files_and_toml_tree;
mod lost_rows;
mod overrides;
mod printable;
mod rows;
mod table_lines;
mod toml_key_reader;
pub(crate) mod xml;

pub(crate) use builtin::is_builtin;
pub use builtin::{builtin_names, builtin_path};
pub use cells::{CSV_FILE, Cells, Line, MAX_COLUMNS, Separator, UNITS, comments, is_numeric, lines};
pub use column_names::{Heading, Unit};
pub use column_roles::{Places, Role, is_middle, may_be_a_place, places, role};
pub use columns::{AskedColumn, ColumnKey, Columns, Cures, Lengths, distinct, unknown_unit};
pub(crate) use did_you_mean::cure_of_unknown;
pub use did_you_mean::did_you_mean;
pub use encoding::{Text, read_table};
pub use error::{InputError, Position, SETTING, Source, Span};
pub use files_and_toml_tree::{
    Entry, Files, Node, TOML_FILE, Value, WRITE_SVG, is_cad, keep_inputs, not_read, open_now, open_plain, parse,
    paths_in, patient, read_file, read_plain, source_of,
};
pub use lost_rows::{Lost, is_not_found};
pub use overrides::apply_overrides;
pub use printable::{one_line, printable};
pub use rows::{Row, Rows};
use table_lines::holds_numbers;
pub use table_lines::{Block, first_few, is_missing, listed, named_rows};
pub(crate) use toml_key_reader::finite;
pub use toml_key_reader::{
    Reader, brief, changed_vector, counted, few_tables, name_of, number, plain, rounded, short, vector, wrong_type,
};
