//! Windows has no login shell: every program gets the user's PATH.

use std::path::PathBuf;

pub(crate) fn login_shell() -> Option<PathBuf> {
    None
}
