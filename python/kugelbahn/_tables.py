"""Arrays of records, frames and tables as text."""

import csv
import io

import numpy as np

from ._errors import InputError


def records(words, fields):
    """Words of 8 bytes, seen as records: nothing is copied. Each field has a name and a format."""
    return words.view(np.dtype((np.record, fields))).view(np.recarray)


def _library(name):
    """The module of a frame; without a name polars, else pandas, else none."""
    if name not in (None, "polars", "pandas", "pyarrow"):
        raise InputError(f"kind = {name!r} is not allowed: it must be polars, pandas or pyarrow", "kind")
    for known in (name,) if name else ("polars", "pandas"):
        try:
            return known, __import__(known)
        except ImportError:
            if name:
                raise InputError(f"{name} is not there", "kind", f"pip install {name}") from None
    return None, None


def frame(columns, kind=None):
    """Columns as a frame; as a dict of arrays where there is neither polars nor pandas."""
    if isinstance(columns, np.ndarray):
        columns = {name: np.ascontiguousarray(columns[name]) for name in columns.dtype.names}
    name, library = _library(kind)
    if name == "pandas":
        return library.DataFrame(dict(columns), copy=False)
    # Words are words in a frame without rows, too.
    words = {key for key, cells in columns.items() if isinstance(cells, list) or cells.dtype.kind == "U"}
    plain = {key: np.asarray(cells).tolist() if key in words else cells for key, cells in columns.items()}
    if name == "polars":
        return library.DataFrame(plain, schema_overrides=dict.fromkeys(words, library.String))
    if name == "pyarrow":
        return library.table({key: library.array(cells, library.string()) if key in words else cells for key, cells in plain.items()})
    return {key: np.asarray(cells) for key, cells in columns.items()}


def from_csv(text):
    """A frame of a table as text; a column of which all cells are numbers or empty is one of numbers."""
    header, *rows = csv.reader(io.StringIO(text))
    columns = {}
    for name, cells in zip(header, zip(*rows) if rows else [()] * len(header)):
        try:
            columns[name] = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            columns[name] = list(cells)
    return frame(columns)


def _numbers(cells):
    """Cells as numbers, NaN where they are masked or missing; None where they are no numbers."""
    try:
        return np.ma.asarray(cells, dtype="f8").filled(np.nan) if np.ma.isMA(cells) else np.asarray(cells, dtype="f8")
    except (TypeError, ValueError):
        return None


def to_csv(table):
    """A table as text: of columns, or of rows of t, x, y. Columns that are no numbers are left out."""
    rule = "a frame or dict with columns t, x, y, an array of shape (n, 3), or the path of a table"
    try:
        if isinstance(table, (list, tuple)) or isinstance(table, np.ndarray) and table.dtype.names is None:
            rows = _numbers(table)
            if rows is None or rows.ndim != 2 or rows.shape[1] != 3:
                shape = "rows that are not of numbers" if rows is None else f"shape {rows.shape}"
                raise InputError(f"table has {shape}: it must be {rule}", "table")
            table = dict(zip(("t", "x", "y"), rows.T))
        names = table.dtype.names if isinstance(table, np.ndarray) else getattr(table, "column_names", getattr(table, "columns", None))
        columns = {str(name): _numbers(table[name]) for name in (table.keys() if names is None else names)}
        columns = {name: cells for name, cells in columns.items() if cells is not None}
        rows = zip(*(cells.tolist() for cells in columns.values()), strict=True)
        # NaN stands for what was not seen.
        lines = [",".join("" if cell != cell else repr(cell) for cell in row) for row in rows]
        return "\n".join([",".join(columns), *lines, ""])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"table is not allowed ({error}): it must be {rule}", "table") from None
