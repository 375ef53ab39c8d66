//! Environment variables that are private to this process, such as a library's settings. Programs that this
//! crate starts do not inherit them.

use std::{ffi::OsString, process::Command, sync::OnceLock};

static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Hides these variables from the programs that this crate starts later. Call it once, before any program is
/// started.
pub fn hide_from_children(names: Vec<&'static str>) {
    // Only the first call has an effect.
    let _ = NAMES.set(names);
}

/// The hidden variables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.get().into_iter().flatten().copied()
}

/// Removes the hidden variables from the inherited environment. Call it before variables are set explicitly.
pub(crate) fn remove_from(command: &mut Command) {
    for name in names() {
        command.env_remove(name);
    }
}

/// Removes the hidden variables from the inherited environment, and then makes these changes: each variable
/// with its new value, or with `None` to remove it.
pub(crate) fn change(command: &mut Command, changes: &[(OsString, Option<OsString>)]) {
    remove_from(command);
    for (name, value) in changes {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}
