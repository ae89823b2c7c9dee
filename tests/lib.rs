//! Nothing to build: this package only has tests.
