//! Kinds of ground that a caller of the library adds.

use super::parts::{Outer, Parts};
use crate::input::{InputError, Reader};

impl Parts {
    /// The numbers beside `kind`, and the `parameters`, are given to what makes it.
    pub(super) fn own(&mut self, name: &str, reader: &mut Reader, outer: Outer) -> Result<(), InputError> {
        let span = reader.span().clone();
        let mut numbers = reader.rest();
        numbers.extend(outer.names.iter().map(|(name, value)| ((*name).to_owned(), *value)));
        let Some(make) = outer.methods.ground(name) else { return Ok(()) };
        let pieces = make(&numbers)
            .map_err(|why| InputError::new(&span, format!("the ground \"{name}\" can't be made: {why}"), "its keys"))?;
        if pieces.is_empty() {
            return Err(InputError::new(&span, format!("the ground \"{name}\" has no pieces"), "at least one piece"));
        }
        pieces.into_iter().for_each(|piece| self.add(piece, &span));
        Ok(())
    }
}
