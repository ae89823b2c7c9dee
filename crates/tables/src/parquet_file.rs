//! Tables as Parquet files: cells that are empty are null, units stand in the metadata of the file as `unit.COLUMN`.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::types::Type;

use crate::MOST_NUMBERS;
use crate::cell::Cell;
use crate::file_format::TableError;
use crate::table::{Cells, Column, Kind, Table};

/// Least number of rows of each row group but the last.
const GROUP: usize = 65_536;

/// A file to which tables are added.
pub struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// Rows of the next row group.
    rows: Table,
}

fn failed(error: ParquetError) -> TableError {
    TableError::Parquet(error.to_string())
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with these columns.
    pub fn new(columns: &Arc<[Column]>, out: W) -> Result<Self, TableError> {
        let fields = columns.iter().map(|column| {
            let (physical, logical) = match column.kind {
                Kind::Count => (Physical::INT64, None),
                Kind::Number => (Physical::DOUBLE, None),
                Kind::Word => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let repetition = if column.kind == Kind::Count { Repetition::REQUIRED } else { Repetition::OPTIONAL };
            let field = Type::primitive_type_builder(&column.name, physical);
            Ok(Arc::new(field.with_logical_type(logical).with_repetition(repetition).build()?))
        });
        let fields = fields.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("rows").with_fields(fields).build().map_err(failed)?;
        let unit = |column: &Column| KeyValue::new(format!("unit.{}", column.name), column.unit.clone());
        let units = columns.iter().filter(|column| !column.unit.is_empty()).map(unit).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("kugelbahn ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(units))
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        Ok(ParquetFile { writer, rows: Table::new(columns.clone()) })
    }

    /// Adds the rows of a table.
    pub fn write(&mut self, table: &Table) -> Result<(), TableError> {
        self.rows.append(table);
        self.grown()
    }

    /// Adds a row.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> Result<(), TableError> {
        self.rows.row(cells);
        self.grown()
    }

    fn grown(&mut self) -> Result<(), TableError> {
        if self.rows.rows() < GROUP { Ok(()) } else { self.group().map_err(failed) }
    }

    fn group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for cells in self.rows.cells() {
            let Some(mut column) = group.next_column()? else { break };
            match cells {
                Cells::Count(cells) => {
                    let values: Vec<i64> = cells.iter().map(|count| *count as i64).collect();
                    column.typed::<Int64Type>().write_batch(&values, None, None)?;
                }
                Cells::Number(cells) => {
                    let there: Vec<i16> = cells.iter().map(|number| i16::from(!number.is_nan())).collect();
                    let values: Vec<f64> = cells.iter().copied().filter(|number| !number.is_nan()).collect();
                    column.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
                }
                Cells::Word(cells) => {
                    let there: Vec<i16> = cells.iter().map(|word| i16::from(!word.is_empty())).collect();
                    let words = cells.iter().filter(|word| !word.is_empty());
                    let values: Vec<ByteArray> = words.map(|word| ByteArray::from(word.as_bytes().to_vec())).collect();
                    column.typed::<ByteArrayType>().write_batch(&values, Some(&there), None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }

    /// Ends the file.
    pub fn finish(mut self) -> Result<W, TableError> {
        if self.rows.rows() > 0 {
            self.group().map_err(failed)?;
        }
        self.writer.into_inner().map_err(failed)
    }
}

/// Reads from a file; the crate panics on some damaged ones.
fn unless_damaged<T>(read: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(TableError::Parquet("the file is damaged".to_owned())))
}

/// A table with these columns from a whole file.
pub(crate) fn decode(columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, TableError> {
    unless_damaged(|| rows(columns, name, bytes))
}

fn rows(columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, TableError> {
    let damaged = |what: String| TableError::Damaged { file: name.to_owned(), what };
    let wrong = |error: ParquetError| damaged(error.to_string());
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).map_err(wrong)?;
    let fields = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    if !fields.iter().map(|field| field.name()).eq(columns.iter().map(|column| column.name.as_str())) {
        return Err(damaged("it has other columns".to_owned()));
    }
    let mut table = Table::new(columns.clone());
    for row in reader.get_row_iter(None).map_err(wrong)? {
        let row = row.map_err(wrong)?;
        for (i, column) in columns.iter().enumerate() {
            // Null, or a value of another type, becomes an empty cell; in a column of counts it is an error.
            table.put(match column.kind {
                Kind::Count => Cell::Count(row.get_long(i).map_err(wrong)? as u64),
                Kind::Number => row.get_double(i).map_or(Cell::Empty, Cell::Number),
                Kind::Word => row.get_string(i).map_or(Cell::Empty, |word| Cell::Word(word)),
            });
        }
    }
    Ok(table)
}

/// Names of columns and numbers, row by row, of a file whose columns are all numbers.
pub fn parquet_numbers(bytes: Vec<u8>) -> Result<(Vec<String>, Vec<f64>), TableError> {
    unless_damaged(|| numbers(bytes))
}

fn numbers(bytes: Vec<u8>) -> Result<(Vec<String>, Vec<f64>), TableError> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(failed)?;
    let packed =
        reader.metadata().row_groups().iter().flat_map(|group| group.columns()).map(|column| column.compression());
    let known = |packing: &Compression| matches!(packing, Compression::UNCOMPRESSED | Compression::SNAPPY);
    if let Some(packing) = packed.into_iter().find(|packing| !known(packing)) {
        let message =
            format!("the file is packed with {packing}: write it with compression \"snappy\", or without, or as CSV");
        return Err(TableError::Parquet(message));
    }
    let fields = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
    let mut values = Vec::new();
    for (number, row) in reader.get_row_iter(None).map_err(failed)?.enumerate() {
        let row = row.map_err(failed)?;
        if values.len() + names.len() > MOST_NUMBERS {
            return Err(TableError::Parquet(format!("it has more than {MOST_NUMBERS} numbers")));
        }
        for (i, name) in names.iter().enumerate() {
            let double = row.get_double(i).or_else(|_| row.get_float(i).map(f64::from));
            let whole = || row.get_long(i).map(|n| n as f64).or_else(|_| row.get_int(i).map(f64::from));
            let counts = || row.get_ulong(i).map(|n| n as f64).or_else(|_| row.get_uint(i).map(f64::from));
            let whole = || whole().or_else(|_| counts());
            let value = double.or_else(|_| whole()).ok().filter(|value| !value.is_nan());
            let wrong = || TableError::Parquet(format!("row {} of column `{name}` is no number", number + 1));
            values.push(value.ok_or_else(wrong)?);
        }
    }
    Ok((names, values))
}
