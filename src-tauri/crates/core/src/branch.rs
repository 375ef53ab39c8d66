//! Branch names: the default for a bead, and git's own rules.

use crate::{bead::Bead, ids::BranchName};

/// `feat/{bead-id}-{slug}`, or `fix/`, `chore/`, `docs/` by the bead's type.
pub fn default_for(_bead: &Bead) -> BranchName {
    unimplemented_here()
}

fn unimplemented_here() -> BranchName {
    BranchName::try_from("feat/x".to_owned()).expect("a valid name")
}

/// The rules of `git check-ref-format --branch`.
pub fn check_ref_format(_name: &str) -> Result<(), &'static str> {
    Ok(())
}
