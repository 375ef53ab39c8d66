//! Finds `beads-console` on this machine, for this system or for another one.

use bc_process::run::Program;
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

/// The file name of this program, without an extension.
pub(crate) const OWN_NAME: &str = "beads-console";

/// The possible folders with programs for other systems, relative to this program's own folder: in Linux and npm
/// packages, in an app for macOS, and in an installation on Windows. The folder contains one folder per system,
/// named after the output of `uname -sm`, such as `Linux-x86_64`.
const OTHER_SYSTEMS: [&str; 3] = ["../lib/beads-console/places", "../Resources/places", "places"];

/// The path of `beads-console`. It is in the folder of the running program, which can be the window's.
pub(crate) fn console() -> io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    Ok(running.with_file_name(OWN_NAME).with_extension(std::env::consts::EXE_EXTENSION))
}

/// The path of `beads-console` for a system, given as the output of `uname -sm` at a place.
///
/// # Errors
/// Returns text for users if no program exists for this system.
pub(crate) fn console_for(system: &str) -> Result<PathBuf, String> {
    let own = console().map_err(|error| error.to_string())?;
    if let Some(program) = own.parent().and_then(|folder| packaged(folder, system)) {
        return Ok(program);
    }
    let uname = Program::new("uname").arg("-sm").timeout(Duration::from_secs(5)).run();
    match uname.map(|done| done.out().trim().to_owned()) {
        Ok(local) if local == system => Ok(own),
        Ok(local) => Err(format!(
            "this machine is {local}, and the place is {system}; install Beads Console at the place"
        )),
        Err(_) => Err(format!(
            "there is no program for {system} on this machine; install Beads Console at the place"
        )),
    }
}

/// The statically linked program for a system, if it is installed. The system's name comes from the place and
/// is not trusted.
fn packaged(own_folder: &Path, system: &str) -> Option<PathBuf> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ' ';
    let folder = system.chars().all(is_name).then(|| system.replace(' ', "-"))?;
    let mut programs = OTHER_SYSTEMS.map(|all| own_folder.join(all).join(&folder).join(OWN_NAME)).into_iter();
    programs.find(|program| program.is_file())
}

/// The exit code of a hidden command that runs git: git's success or failure. Prints an error.
pub(crate) fn git_exit_code(result: Result<Option<i32>, String>) -> ExitCode {
    match result {
        Ok(Some(0)) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test installs a program")]
    fn a_program_for_another_system_is_found_by_its_name_only() {
        for places in ["lib/beads-console/places", "Resources/places", "bin/places"] {
            let root = tempfile::tempdir().unwrap();
            let places = root.path().join(places);
            let own = root.path().join("bin");
            for folder in [&places.join("Linux-x86_64"), &places.with_file_name("secret"), &own] {
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join(OWN_NAME), "").unwrap();
            }
            assert!(packaged(&own, "Linux x86_64").is_some(), "{}", places.display());
            assert_eq!(packaged(&own, "Linux aarch64"), None);
            assert_eq!(packaged(&own, "../secret"), None);
        }
    }
}
