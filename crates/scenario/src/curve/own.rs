//! Kinds of ground that a caller of the library adds.

use super::parts::{Outer, Parts};
use crate::input::{InputError, Reader};
use crate::methods::Keys;

impl Parts {
    /// The numbers beside `kind`, and the `parameters`, are given to what makes it.
    pub(super) fn own(&mut self, name: &str, reader: &mut Reader, outer: Outer) -> Result<(), InputError> {
        let span = reader.span().clone();
        let numbers = reader.rest().into_iter().map(|(key, value)| (key, value, false));
        let keys = Keys::new(numbers.chain(outer.names.iter().map(|(key, value)| ((*key).to_owned(), *value, true))));
        let Some(make) = outer.methods.ground(name) else { return Ok(()) };
        let pieces = keys.make(&format!("the ground \"{name}\""), &span, make)?;
        if pieces.is_empty() {
            return Err(InputError::new(&span, format!("the ground \"{name}\" has no pieces"), "at least one piece"));
        }
        pieces.into_iter().for_each(|piece| self.add(piece, &span));
        Ok(())
    }
}
