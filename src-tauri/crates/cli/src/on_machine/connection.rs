//! One ssh connection, with `beads-console serve` at its remote end.

use super::{ended::Ended, ports::Ports, remote_command};
use crate::failure::Failure;
use bc_engine::ssh::{self, MachineAddress};
use bc_process::piped::Piped;
use bc_wire::{ApiError, ErrorCode};
use serde::Deserialize;
use std::{io::BufReader, sync::mpsc, thread};

#[derive(Deserialize)]
struct Announced {
    url: String,
}

/// Connects, calls `opened` with the link, and returns when the connection has ended.
pub(super) fn serve(
    machine: &MachineAddress,
    ports: Ports,
    project: Option<&str>,
    opened: impl FnOnce(&str) -> Result<(), Failure>,
) -> Result<Ended, Failure> {
    let options = ["-L".to_owned(), ports.forward()];
    // The connection lasts until standard input is closed.
    let Piped { mut child, stdin: _open, stdout, stderr } =
        ssh::start(machine, &options, remote_command::line(ports, project))?;
    let (sender, tail) = mpsc::sync_channel(1);
    thread::spawn(move || {
        // Sending fails if this function has returned with an error.
        let _ = sender.send(ssh::tail(stderr));
    });
    let mut out = BufReader::new(stdout);
    let (mut version, mut opened) = (None, Some(opened));
    while let Some(line) = ssh::next_line(&mut out) {
        if let Some(found) = line.strip_prefix("beads-console ") {
            version.get_or_insert_with(|| bc_core::text::plain(found.trim()));
        }
        let Ok(Announced { url }) = serde_json::from_str(&line) else { continue };
        if !is_link(&url, ports) {
            let text = format!("{} announced a link to another address", machine.as_str());
            return Err(ApiError::new(ErrorCode::MachineUnreachable, text).into());
        }
        if let Some(opened) = opened.take() {
            opened(&url)?;
        }
    }
    let code = child.wait().and_then(|status| status.code());
    Ok(Ended { code, stderr: tail.recv().unwrap_or_default(), version })
}

/// Whether the URL is a link of the forwarded port with a hexadecimal token, and nothing else.
fn is_link(url: &str, ports: Ports) -> bool {
    let token = url.strip_prefix(&format!("{}/open#token=", ports.origin()));
    token.is_some_and(|token| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_link_to_the_forwarded_port_is_accepted() {
        let ports = Ports { local: 41000, remote: 42000 };
        assert!(is_link("http://127.0.0.1:41000/open#token=0f", ports));
        for bad in [
            "http://127.0.0.1:42000/open#token=0f",
            "http://127.0.0.1:41000/open#token=",
            "http://127.0.0.1:41000/open#token=0f\u{1b}[2J",
            "http://127.0.0.1:41000.evil.example/open#token=0f",
            "https://evil.example/open#token=0f",
            "javascript:alert(1)",
        ] {
            assert!(!is_link(bad, ports), "{bad}");
        }
    }
}
