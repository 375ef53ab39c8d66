//! The program that shows the desktop window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod application;

use beads_console_desktop::{Embedded, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let application = match application::open(std::env::args_os().skip(1)) {
        Ok(application) => application,
        Err(error) => {
            eprintln!("beads-console-desktop: {error}");
            for hint in &error.hint {
                eprintln!("  {hint}");
            }
            return ExitCode::from(error.code.exit_code());
        }
    };
    match run(application, Box::new(Embedded)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("beads-console-desktop: the window could not be opened: {error}");
            eprintln!("Without a display, `beads-console serve` shows the same in a browser.");
            ExitCode::FAILURE
        }
    }
}
