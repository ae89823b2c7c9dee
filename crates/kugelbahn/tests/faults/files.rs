//! What is read and written: tables, drawings, output folders.
