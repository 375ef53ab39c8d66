//! `--on HOST`: a project of another machine, with the browser on this one.
//!
//! ssh runs `serve` on the other machine and forwards a loopback port of this machine to it. The server gets
//! the address of that port as `--origin`, so that its request checks still apply. The server ends with
//! ssh, because its standard input is the ssh connection. The other machine is not trusted: its output is
//! shown as plain text, and its link must be for the forwarded port.
//!
//! A lost connection is restored on the same ports, so that open tabs continue.

mod connection;
mod ended;
mod ports;
mod remote_command;

use crate::{args::OnArgs, failure::Failure, io::Io, serve};
use bc_engine::ssh::MachineAddress;
use bc_server::Printed;
use bc_wire::{ApiError, ErrorCode};
use ended::Next;
use ports::Ports;
use serde_json::json;
use std::{thread, time::Duration};

/// The maximum number of attempts with other ports before the machine counts as unreachable.
const PORTS_MAX: u32 = 5;
/// The initial and the maximum delay before an attempt to restore a lost connection.
const RETRY_DELAYS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Connects, prints the link, and restores lost connections until the user stops this program or another attempt would
/// not help.
pub(crate) fn open(args: &OnArgs, io: &mut dyn Io) -> Result<(), Failure> {
    let machine = &args.on;
    let no_port = |error: std::io::Error| ApiError::new(ErrorCode::Io, format!("no port is free: {error}"));
    let mut ports = Ports::free().map_err(no_port)?;
    let (mut opened, mut taken, mut wait) = (false, 0, RETRY_DELAYS.0);
    loop {
        let ended = connection::serve(machine, ports, args.folder(), |url| {
            match opened {
                false => print_link(machine, ports, url, serve::printed(args.json), io)?,
                true => notify(io, &format!("Connected to {} again.\n", machine.as_str())),
            }
            (opened, wait) = (true, RETRY_DELAYS.0);
            Ok(())
        })?;
        match ended::next(machine, &ended) {
            Next::OtherLocalPort if !opened && taken < PORTS_MAX => ports = Ports::free().map_err(no_port)?,
            Next::OtherRemotePort if !opened && taken < PORTS_MAX => {
                ports = ports.with_other_remote().map_err(no_port)?
            }
            Next::Failed(error) => return Err(error.into()),
            Next::Again(error) if !opened => return Err(error.into()),
            Next::OtherLocalPort | Next::OtherRemotePort if !opened => {
                let text = format!("no port is free on both this machine and {}", machine.as_str());
                return Err(ApiError::new(ErrorCode::MachineUnreachable, text).into());
            }
            // Keep the ports, because open tabs need them. If another program uses one, it may soon be free
            // again.
            Next::Again(_) | Next::OtherLocalPort | Next::OtherRemotePort => {
                if wait == RETRY_DELAYS.0 {
                    let name = machine.as_str();
                    notify(
                        io,
                        &format!(
                            "The connection to {name} was lost. Its sessions keep running. Reconnecting…\n"
                        ),
                    );
                }
                thread::sleep(wait);
                wait = (wait * 2).min(RETRY_DELAYS.1);
            }
        }
        taken += 1;
    }
}

fn print_link(
    machine: &MachineAddress,
    ports: Ports,
    url: &str,
    printed: Printed,
    io: &mut dyn Io,
) -> Result<(), Failure> {
    let text = match printed {
        Printed::Json => format!("{}\n", json!({ "url": url, "port": ports.local, "on": machine.as_str() })),
        Printed::Words => format!(
            "Beads Console of {} is at {}\n\nOpen this link in a browser on this machine. It works once:\n\n  {url}\n\n\
             Press Ctrl+C to disconnect; its sessions keep running.\n",
            machine.as_str(),
            ports.origin()
        ),
    };
    io.out().write_all(text.as_bytes())?;
    Ok(io.out().flush()?)
}

fn notify(io: &mut dyn Io, text: &str) {
    // If standard error cannot be written, keep the connection anyway.
    let _ = io.err().write_all(text.as_bytes());
}
