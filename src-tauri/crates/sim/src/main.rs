//! Placeholder entry, replaced in the first feature commit.
fn main() {}
