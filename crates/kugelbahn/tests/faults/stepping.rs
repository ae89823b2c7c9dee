//! Time stepping.
