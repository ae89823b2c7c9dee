#![doc = include_str!("../README.md")]

use scenario::Methods;

/// Adds the methods of this crate to those that are known already.
pub fn methods(known: Methods) -> Methods {
    known
}
