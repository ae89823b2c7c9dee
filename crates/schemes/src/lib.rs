#![doc = include_str!("../README.md")]

pub mod stepping;

use scenario::Methods;

/// Adds the methods of this crate to those that are known already.
pub fn methods(known: Methods) -> Methods {
    stepping::STEPPING.into_iter().fold(known, |known, (name, make)| known.with_stepping(name, move |_| make()))
}
