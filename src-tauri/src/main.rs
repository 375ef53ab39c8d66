//! The desktop program.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod application;

use beads_console_desktop::{Embedded, choose_drawing, open_display, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = bc_process::login_path::extend();
    bc_engine::start_logging(bc_engine::Role::Window);
    if let Err(error) = path {
        tracing::warn!(%error, "the PATH of the login shell is unknown");
    }
    choose_drawing();
    if let Err(error) = open_display() {
        eprintln!("beads-console-desktop: {error}");
        return ExitCode::FAILURE;
    }
    let application = match application::open(std::env::args_os().skip(1)) {
        Ok(application) => application,
        Err(error) => {
            tracing::error!(code = error.code.as_str(), "the application could not be opened");
            eprintln!("beads-console-desktop: {error}");
            if let Some(hint) = &error.hint {
                eprintln!("  {hint}");
            }
            return ExitCode::from(error.code.exit_code());
        }
    };
    tracing::info!("window opens");
    match run(application, Box::new(Embedded)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            eprintln!("beads-console-desktop: the window could not be opened: {error}");
            ExitCode::FAILURE
        }
    }
}
