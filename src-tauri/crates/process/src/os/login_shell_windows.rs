//! There is no login shell: Windows gives every program the user's PATH.

use std::path::PathBuf;

pub(crate) fn login_shell() -> Option<PathBuf> {
    None
}
