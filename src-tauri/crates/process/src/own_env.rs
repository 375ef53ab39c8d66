//! Variables of the environment that are for this process alone, as an answer to a library that asks for them:
//! whatever it starts does not get them.

use std::{process::Command, sync::OnceLock};

static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Keeps these from everything that is started from now on. Once, before anything is.
pub fn keep(names: Vec<&'static str>) {
    // Whoever comes second is not heard: the first to say so decides for the whole process.
    let _ = NAMES.set(names);
}

/// Takes them out of what a program would inherit; what it is given on purpose comes after this.
pub(crate) fn withhold(command: &mut Command) {
    for name in NAMES.get().into_iter().flatten() {
        command.env_remove(name);
    }
}
