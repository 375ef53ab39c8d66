//! `serve`: the UI for a browser on this machine.

use crate::failure::Failure;
use bc_app::App;
use bc_engine::Programs;
use bc_server::{ServeError, ServeOptions};
use bc_wire::{ApiError, ErrorCode};
use std::{path::Path, sync::Arc};

/// Serves until it is ended by a signal.
pub(crate) fn serve(
    port: u16,
    sample: bool,
    project: Option<&Path>,
    programs: Programs,
) -> Result<(), Failure> {
    let app = App::new(programs);
    match sample {
        true => app.open_sample()?,
        false => app.open(project.unwrap_or(Path::new(".")))?,
    };
    let options = ServeOptions { port, ..ServeOptions::default() };
    bc_server::serve(options, Arc::new(app)).map_err(|error| Failure::Api(told(&error)))
}

fn told(error: &ServeError) -> ApiError {
    let code = match error {
        ServeError::PortTaken { .. } => ErrorCode::Usage,
        _ => ErrorCode::Io,
    };
    ApiError::new(code, error.to_string())
}
