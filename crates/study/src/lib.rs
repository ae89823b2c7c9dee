#![doc = include_str!("../README.md")]

pub mod aim;
pub mod check;
pub mod compare;
pub mod fit;
mod halton;
pub mod quantity;
