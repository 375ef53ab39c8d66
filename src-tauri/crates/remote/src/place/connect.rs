//! Connects standard input and output to a session's host.

use crate::forward::forward;
use bc_core::ids::SessionId;
use bc_process::socket;
use std::{io, net::Shutdown, thread};

/// Forwards bytes in both directions until either side closes.
pub(super) fn connect(id: &str) -> Result<(), String> {
    let id: SessionId = id.parse().map_err(|_| "the session's id is not valid".to_owned())?;
    let path = bc_host::socket_path(id).map_err(|error| error.to_string())?;
    let mut host =
        socket::connect(&path).map_err(|error| format!("the session's host is not running: {error}"))?;
    let mut to_host = host.try_clone().map_err(|error| error.to_string())?;
    thread::spawn(move || {
        // A failure is ignored, because the loop for the other direction also ends.
        let _ = forward(&mut io::stdin().lock(), &mut to_host);
        let _ = to_host.shutdown(Shutdown::Both);
    });
    let _ = forward(&mut host, &mut io::stdout().lock());
    Ok(())
}
