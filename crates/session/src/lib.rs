#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod controls;
mod session;

pub use session::{Chosen, GalleryEntry, Session};
