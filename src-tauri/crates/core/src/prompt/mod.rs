//! The texts that claude is given.
