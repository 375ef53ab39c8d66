//! gotty, a program that shows a terminal in a browser, running the benchmark agent. `cargo xtask bench`
//! builds it.

use crate::{
    environment::{Bench, free_port},
    error::BenchError,
};
use bc_testkit::Sandbox;
use std::{
    net::TcpStream,
    path::PathBuf,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The time limit for gotty to start listening.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A gotty process, killed when this value is dropped.
pub(crate) struct Gotty {
    child: Child,
    pub(super) port: u16,
}

impl Gotty {
    /// Starts gotty. Each page that opens it gets a new agent.
    pub(crate) fn start(bench: &Bench, sandbox: &Sandbox) -> Result<Gotty, BenchError> {
        let program = std::env::var_os("BC_BENCH_GOTTY").map(PathBuf::from).filter(|path| path.is_file());
        let program = program.ok_or_else(|| BenchError::Missing {
            what: "gotty".to_owned(),
            hint: "`cargo xtask bench` builds it; or set BC_BENCH_GOTTY to its path",
        })?;
        // gotty does not report a port that the system chose.
        let port = free_port()?;
        let mut command = sandbox.command(&program);
        command.args(["--address", "127.0.0.1", "--permit-write", "--quiet", "--port", &port.to_string()]);
        command.arg(bench.program("bc-bench-agent")?).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null());
        let child = command.spawn().map_err(|source| BenchError::Start { program, source })?;
        let gotty = Gotty { child, port };
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if started.elapsed() > TIMEOUT {
                return Err(BenchError::TimedOut { what: "gotty's port".to_owned(), after: TIMEOUT });
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(gotty)
    }
}

impl Drop for Gotty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
