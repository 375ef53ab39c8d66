//! Environment variables for this process alone, such as settings that a library reads. Programs that this
//! process starts do not inherit them.

use std::{process::Command, sync::OnceLock};

static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Hides these variables from every program that is started from now on. To be called once, before any
/// program is started.
pub fn hide_from_children(names: Vec<&'static str>) {
    // The first call decides for the whole process.
    let _ = NAMES.set(names);
}

/// The hidden variables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.get().into_iter().flatten().copied()
}

/// Removes the hidden variables from the inherited environment. To be called before variables are set
/// explicitly.
pub(crate) fn remove_from(command: &mut Command) {
    for name in names() {
        command.env_remove(name);
    }
}
