//! `serve`: the UI for browsers, and further links to a running server.

use crate::{args::ServeArgs, failure::Failure, io::Io};
use bc_app::App;
use bc_engine::{Programs, preferences};
use bc_server::{ControlSocketError, Printed, ServeError, ServeOptions, Server, Stopper};
use bc_wire::{ApiError, ErrorCode};
use std::{
    io::{self, IsTerminal, Read},
    path::Path,
    sync::Arc,
    thread,
};

/// The output format: JSON with `--json` or if standard output is not a terminal, otherwise text for a user.
pub(crate) fn printed(json: bool) -> Printed {
    match json || !io::stdout().is_terminal() {
        true => Printed::Json,
        false => Printed::Words,
    }
}

/// Serves until a signal ends the process, or standard input ends with `--while-stdin`.
pub(crate) fn serve(
    args: ServeArgs,
    project: Option<&Path>,
    programs: Programs,
    printed: Printed,
) -> Result<(), Failure> {
    let ServeArgs { port, sample, origin, while_stdin, .. } = args;
    let app = Arc::new(App::new(programs));
    let opened = match sample {
        true => app.open_sample()?,
        false => app.open_ahead(project.unwrap_or(Path::new(".")))?,
    };
    // Prefer the previous address, so that open tabs can reconnect.
    let (port, preferred) = (Some(port).filter(|&port| port != 0), app.last_port(&opened));
    let options = ServeOptions {
        port,
        preferred,
        state: preferences::state_folder(),
        origin,
        ..ServeOptions::default()
    };
    let backend = Arc::clone(&app);
    let served = Server::bind(options, backend).and_then(|server| {
        app.save_port(&opened, server.port());
        app.set_browser_access(Arc::new(server.links()));
        if while_stdin {
            stop_with_stdin(server.stopper());
        }
        bc_server::serve(server, printed)
    });
    served.map_err(|error| {
        let code = match error {
            ServeError::PortTaken { .. } => ErrorCode::Usage,
            _ => ErrorCode::Io,
        };
        Failure::Api(ApiError::new(code, error.to_string()))
    })
}

/// Stops the server when standard input ends. The parent program holds the other end, which also closes if
/// that program is killed.
fn stop_with_stdin(stopper: Stopper) {
    thread::spawn(move || {
        // Discard the input; an error counts as end of input.
        while io::stdin().read(&mut [0; 256]).is_ok_and(|length| length > 0) {}
        stopper.stop();
    });
}

/// Asks a running server for a new link and prints it.
pub(crate) fn another_link(port: u16, printed: Printed, io: &mut dyn Io) -> Result<(), Failure> {
    let answer = bc_server::another_link((port != 0).then_some(port)).map_err(|error| no_answer(&error))?;
    Ok(answer.print_link(printed, io.out())?)
}

/// The failure of a request to a running server.
pub(crate) fn no_answer(error: &ControlSocketError) -> Failure {
    let code = match error {
        ControlSocketError::NoServer { .. } => ErrorCode::ServerNotFound,
        ControlSocketError::Several { .. } => ErrorCode::Usage,
        _ => ErrorCode::Io,
    };
    Failure::Api(ApiError::new(code, error.to_string()))
}
