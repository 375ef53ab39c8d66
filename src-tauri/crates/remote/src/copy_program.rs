//! Copies this program, built for the place's system, to a place, with the simulated agent next to it.

use crate::{
    access::PlaceAccess,
    child_output::read_beginning,
    programs::{OWN_NAME, console_for},
};
use bc_process::piped::Piped;
use std::{fs::File, io, path::Path, thread};

const SIMULATED: &str = "beads-console-sim";

/// The script that receives a program with a given name and size. It replaces an older program only after the
/// copy is complete and has run. A session that is using the older program keeps that file.
const SCRIPT: &str = include_str!("copy_program.sh");

/// Copies the programs into `~/.local/share/beads-console/bin/VERSION` at the place.
///
/// # Errors
/// Returns text for users if the place cannot be reached, if no program exists for its system, or if it lacks
/// disk space or cannot run the program.
pub fn copy_program(place: &PlaceAccess) -> Result<(), String> {
    let console = console_for(&system_of(place)?)?;
    copy(place, &console, OWN_NAME)?;
    let simulated = console.with_file_name(SIMULATED);
    if simulated.is_file() {
        copy(place, &simulated, SIMULATED)?;
    }
    Ok(())
}

/// The operating system and the processor of the place.
fn system_of(place: &PlaceAccess) -> Result<String, String> {
    let unknown = |why: &str| format!("its system could not be determined: {}", bc_core::text::one_line(why));
    let done = place.prepare_script("uname -sm").run().map_err(|error| unknown(&error.to_string()))?;
    // A login script may have printed other lines first.
    match done.out().trim().lines().last() {
        Some(system) if done.ok() => Ok(system.trim().to_owned()),
        _ => Err(unknown(&done.err())),
    }
}

/// Whether a missing program is copied to the place: only if the user has not chosen another program.
pub fn is_copied(place: &PlaceAccess) -> bool {
    place.program == OWN_NAME
}

fn copy(place: &PlaceAccess, file: &Path, name: &str) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    let mut file = File::open(file).map_err(text)?;
    let size = file.metadata().map_err(text)?.len().to_string();
    let started = place.start_script(SCRIPT, &[env!("CARGO_PKG_VERSION"), name, &size]);
    let Piped { mut child, mut stdin, mut stdout, stderr } = started.map_err(|error| error.to_string())?;
    let said = thread::spawn(move || read_beginning(stderr));
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
    Err(format!("{name} could not be copied to the place: {}", bc_core::text::one_line(&why)))
}
