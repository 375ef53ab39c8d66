//! One ssh connection, with `beads-console serve` at its other end.

use super::{address::MachineAddress, ended::Ended, ports::Ports, remote_command};
use crate::failure::Failure;
use bc_process::{
    foreground::ForegroundError,
    piped::{self, Piped},
};
use bc_wire::{ApiError, ErrorCode};
use serde::Deserialize;
use std::{
    ffi::OsString,
    io::{BufRead, BufReader, Read},
    sync::mpsc,
    thread,
};

/// Maximum number of bytes of a line of standard output, and of the part of standard error that is kept.
const TEXT_MAX: u64 = 64 * 1024;

/// The options of ssh, before the machine's name: ssh asks no question, the user's own settings cannot make this a
/// shared connection that outlives this program, and a dead connection is noticed within a minute.
const OPTIONS: &[&str] = &[
    "-T",
    "-oBatchMode=yes",
    "-oConnectTimeout=15",
    "-oServerAliveInterval=15",
    "-oServerAliveCountMax=3",
    "-oExitOnForwardFailure=yes",
    "-oControlMaster=no",
    "-oControlPath=none",
    "-oForkAfterAuthentication=no",
    "-oPermitLocalCommand=no",
    "-oRemoteCommand=none",
];

#[derive(Deserialize)]
struct Announced {
    url: String,
}

pub(crate) struct Serving;

impl Serving {
    /// Connects, calls `opened` with the link, and returns when the connection has ended.
    pub(crate) fn start(
        machine: &MachineAddress,
        ports: Ports,
        project: Option<&str>,
        opened: impl FnOnce(&str) -> Result<(), Failure>,
    ) -> Result<Ended, Failure> {
        let mut args: Vec<String> = OPTIONS.iter().map(|&option| option.to_owned()).collect();
        args.extend(["-L".to_owned(), ports.forward(), "--".to_owned(), machine.as_str().to_owned()]);
        args.push(remote_command::line(ports, project));
        let started = piped::start("ssh".as_ref(), args.into_iter().map(OsString::from), &[("LC_ALL", "C")]);
        // Keep standard input open: the remote server ends when it closes.
        let Piped { mut child, stdin: _open, stdout, stderr } = started.map_err(|error| match error {
            ForegroundError::NotFound { .. } => ApiError::new(ErrorCode::ProgramMissing, "ssh was not found")
                .hint("install an OpenSSH client"),
            other => ApiError::new(ErrorCode::Io, other.to_string()),
        })?;
        let (told, said) = mpsc::sync_channel(1);
        thread::spawn(move || {
            // The receiver was dropped if this function failed.
            let _ = told.send(last_of(stderr));
        });
        let mut out = BufReader::new(stdout);
        let (mut version, mut opened) = (None, Some(opened));
        while let Some(line) = next_line(&mut out) {
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
        Ok(Ended { code, said: said.recv().unwrap_or_default(), version })
    }
}

/// Whether the URL is a link of the forwarded port with a hexadecimal token, and nothing else.
fn is_link(url: &str, ports: Ports) -> bool {
    let token = url.strip_prefix(&format!("{}/open#token=", ports.origin()));
    token.is_some_and(|token| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The next line; `None` at the end of the output, after a read error, and if the line is too long.
fn next_line(out: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let length = out.by_ref().take(TEXT_MAX).read_until(b'\n', &mut line).ok()?;
    (length > 0 && line.last() == Some(&b'\n')).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// Reads standard error to its end and returns the last [`TEXT_MAX`] bytes.
fn last_of(mut stderr: impl Read) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        let over = kept.len().saturating_sub(TEXT_MAX as usize);
        kept.drain(..over);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_link_to_the_forwarded_port_is_accepted() {
        let ports = Ports { here: 41000, there: 42000 };
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

    #[test]
    fn endless_output_is_not_kept() {
        assert_eq!(next_line(&mut &b"one\ntwo"[..]).as_deref(), Some("one"));
        let endless = vec![b'x'; 2 * TEXT_MAX as usize];
        assert_eq!(next_line(&mut &endless[..]), None);
        let said = [&endless[..], b"the end"].concat();
        let kept = last_of(&said[..]);
        assert!(kept.len() as u64 == TEXT_MAX && kept.ends_with("the end"));
    }
}
