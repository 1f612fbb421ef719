//! The sources are the examples.
