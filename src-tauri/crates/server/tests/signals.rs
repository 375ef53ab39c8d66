//! Tests the whole of `serve`: it prints its line, answers requests, and shuts down on a signal. It is a
//! separate test program, because a signal reaches every server in a process.
#![cfg(unix)]

use bc_bridge::{Backend, EventFeed, EventRing, TerminalPipe};
use bc_core::ids::SessionId;
use bc_server::{Printed, ServeOptions, Server, serve};
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;
use std::{net::TcpStream, sync::Arc, thread};

struct EmptyBackend;

impl Backend for EmptyBackend {
    fn call(&self, _method: &str, _project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        Ok(params)
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        EventRing::default().follow(since)
    }

    fn terminal(&self, _: &str, _: SessionId, _: (u16, u16)) -> Result<Box<dyn TerminalPipe>, ApiError> {
        Err(ApiError::new(ErrorCode::SessionNotFound, "there is no session"))
    }
}

#[test]
fn serve_shuts_down_cleanly_on_a_termination_signal() {
    let server = Server::bind(ServeOptions::default(), Arc::new(EmptyBackend)).unwrap();
    let port = server.port();
    let serving = thread::spawn(move || serve(server, Printed::Json));
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(!serving.is_finished(), "{:?}", serving.join());
        thread::yield_now();
    }
    // The port answers shortly before the signal handler is installed. A signal before that would end the
    // test.
    while !signal_is_caught() {
        thread::yield_now();
    }
    let me = rustix::process::getpid();
    rustix::process::kill_process(me, rustix::process::Signal::TERM).unwrap();
    serving.join().unwrap().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

/// Whether SIGTERM has a handler yet. Always `true` on systems without `/proc`, which do not report it.
fn signal_is_caught() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return true };
    let caught =
        status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux reports this field");
    u64::from_str_radix(caught.trim(), 16).expect("the field is hexadecimal") & (1 << (15 - 1)) != 0
}
