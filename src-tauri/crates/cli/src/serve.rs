//! `serve`: the UI for a browser on this machine.

use crate::{failure::Failure, io::Io};
use bc_app::App;
use bc_engine::Programs;
use bc_server::{DeskError, ServeError, ServeOptions, Server};
use bc_wire::{ApiError, ErrorCode};
use std::{path::Path, sync::Arc};

/// Serves until it is ended by a signal.
pub(crate) fn serve(
    port: u16,
    sample: bool,
    project: Option<&Path>,
    programs: Programs,
) -> Result<(), Failure> {
    bc_process::memory::grow_in_large_steps();
    let app = Arc::new(App::new(programs));
    match sample {
        true => app.open_sample()?,
        false => app.open_ahead(project.unwrap_or(Path::new(".")))?,
    };
    let options = ServeOptions { port, ..ServeOptions::default() };
    let backend = Arc::clone(&app);
    let served = Server::bind(options, backend).and_then(|server| {
        let links = server.links();
        app.lend_links(move || links.fresh().map_err(|error| told(&error)));
        bc_server::serve(server)
    });
    served.map_err(|error| Failure::Api(told(&error)))
}

/// Asks a running server for another link and prints its line.
pub(crate) fn another_link(port: u16, io: &mut dyn Io) -> Result<(), Failure> {
    let answer = bc_server::another_link((port != 0).then_some(port)).map_err(|error| {
        let code = match error {
            DeskError::NoServer { .. } => ErrorCode::ServerNotFound,
            DeskError::Several { .. } => ErrorCode::Usage,
            _ => ErrorCode::Io,
        };
        Failure::Api(ApiError::new(code, error.to_string()))
    })?;
    let line = serde_json::to_string(&answer).expect("it has only text keys");
    writeln!(io.out(), "{line}")?;
    Ok(())
}

fn told(error: &ServeError) -> ApiError {
    let code = match error {
        ServeError::PortTaken { .. } => ErrorCode::Usage,
        _ => ErrorCode::Io,
    };
    ApiError::new(code, error.to_string())
}
