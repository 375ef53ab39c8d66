//! Copies this program, and the simulated agent beside it, to a place that lacks this version.

use crate::{
    access::PlaceAccess,
    child_output::first_texts,
    programs::{self, OWN_NAME},
};
use bc_process::{piped::Piped, run::Program};
use std::{fs::File, io, path::Path, thread, time::Duration};

const SIMULATED: &str = "beads-console-sim";

/// Receives one program: its name, its size, and the system for which it is built. The copy replaces an older
/// program only when the copy is complete and runs. A session that uses the older program keeps that file.
const SCRIPT: &str = include_str!("copy_program.sh");

/// Copies the programs into `~/.local/share/beads-console/bin/VERSION` at the place.
///
/// # Errors
/// The place has another system, no space, or cannot run the program; the text is for users.
pub fn copy_program(place: &PlaceAccess) -> Result<(), String> {
    let own = programs::console().map_err(|error| error.to_string())?;
    let system = Program::new("uname").arg("-sm").timeout(Duration::from_secs(5)).run();
    let system = system.map(|done| done.out().trim().to_owned());
    let system = system.map_err(|_| "programs are only copied from Linux and macOS".to_owned())?;
    copy(place, &own, OWN_NAME, &system)?;
    let simulated = own.with_file_name(SIMULATED);
    if simulated.is_file() {
        copy(place, &simulated, SIMULATED, &system)?;
    }
    Ok(())
}

/// Whether a missing program is copied to the place. False if the user has chosen another program.
pub fn is_copied(place: &PlaceAccess) -> bool {
    place.program == OWN_NAME
}

fn copy(place: &PlaceAccess, file: &Path, name: &str, system: &str) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    let mut file = File::open(file).map_err(text)?;
    let size = file.metadata().map_err(text)?.len().to_string();
    let started = place.start_script(SCRIPT, &[env!("CARGO_PKG_VERSION"), name, &size, system]);
    let Piped { mut child, mut stdin, mut stdout, stderr } = started.map_err(|error| error.to_string())?;
    let said = thread::spawn(move || first_texts(stderr));
    let sent = io::copy(&mut file, &mut stdin);
    drop(stdin);
    let _ = io::copy(&mut stdout, &mut io::sink());
    let status = child.wait();
    let said = said.join().unwrap_or_default();
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned);
    let sent = sent.err().map(|error| error.to_string());
    let why = last.or(sent).unwrap_or_else(|| "it gave no reason".to_owned());
    Err(format!("{name} could not be copied there: {}", bc_core::text::one_line(&why)))
}
