//! Baselines: the servers of `bin/bare.rs`, and a PTY that this process reads directly.

use crate::{environment::Bench, error::BenchError, serving::open_socket};
use bc_bench::output::Flood;
use bc_process::{
    pty::{self, PtyCommand, Started},
    size::Size,
};
use bc_testkit::Sandbox;
use std::{
    ffi::OsString,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Stdio},
    time::{Duration, Instant},
};
use tungstenite::WebSocket;

/// One of the bare WebSocket servers of `bin/bare.rs`, run as a child process.
pub(crate) struct BareSocket {
    child: Child,
    pub(crate) port: u16,
}

impl BareSocket {
    pub(crate) fn start(bench: &Bench, sandbox: &Sandbox) -> Result<BareSocket, BenchError> {
        BareSocket::run(bench, sandbox, &["socket".into()])
    }

    /// Starts the server that relays a terminal with the benchmark agent.
    pub(crate) fn relay(bench: &Bench, sandbox: &Sandbox) -> Result<BareSocket, BenchError> {
        BareSocket::run(bench, sandbox, &["relay".into(), bench.program("bc-bench-agent")?.into()])
    }

    fn run(bench: &Bench, sandbox: &Sandbox, args: &[OsString]) -> Result<BareSocket, BenchError> {
        let program = bench.program("bc-bench-bare")?;
        let mut command = sandbox.command(&program);
        command.args(args).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|source| BenchError::Start { program, source })?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).map_err(BenchError::io("the bare server's port"))?;
        match line.trim().parse() {
            Ok(port) => Ok(BareSocket { child, port }),
            Err(_) => Err(BenchError::unexpected_output("the bare server", format!("printed {line:?}"))),
        }
    }

    pub(crate) fn open(&self) -> Result<WebSocket<TcpStream>, BenchError> {
        open_socket(self.port, "/", "")
    }
}

impl Drop for BareSocket {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The benchmark agent in a PTY whose master this process reads directly.
pub(crate) struct BarePty {
    started: Started,
    chunk: Vec<u8>,
}

impl BarePty {
    pub(crate) fn start(bench: &Bench, sandbox: &Sandbox) -> Result<BarePty, BenchError> {
        let mut bare = BarePty::spawn(sandbox, bench.program("bc-bench-agent")?, &[])?;
        bare.until(|seen| seen.ends_with(b"ready\r\n"))?;
        Ok(bare)
    }

    /// Starts another program, which shows the benchmark agent's terminal.
    pub(crate) fn showing(sandbox: &Sandbox, program: PathBuf, args: &[&str]) -> Result<BarePty, BenchError> {
        let mut bare = BarePty::spawn(sandbox, program, args)?;
        bare.until(|seen| seen.windows(5).any(|part| part == b"ready"))?;
        Ok(bare)
    }

    fn spawn(sandbox: &Sandbox, program: PathBuf, args: &[&str]) -> Result<BarePty, BenchError> {
        let command = PtyCommand {
            program,
            args: args.iter().map(OsString::from).collect(),
            cwd: sandbox.project().to_owned(),
            env: sandbox.env().iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect(),
            size: Size::new(24, 80),
        };
        let started = pty::start(&command).map_err(|error| {
            BenchError::unexpected_output("the agent", format!("was not started: {error}"))
        })?;
        Ok(BarePty { started, chunk: vec![0; 64 << 10] })
    }

    fn read(&mut self) -> Result<usize, BenchError> {
        let n = self.started.reader.read(&mut self.chunk).map_err(BenchError::io("the bare PTY"))?;
        if n == 0 { Err(BenchError::unexpected_output("the agent", "ended")) } else { Ok(n) }
    }

    fn until(&mut self, seen: impl Fn(&[u8]) -> bool) -> Result<(), BenchError> {
        let mut all = Vec::new();
        while !seen(&all) {
            let n = self.read()?;
            all.extend_from_slice(&self.chunk[..n]);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.started.writer.write_all(bytes).map_err(BenchError::io("the bare PTY"))
    }

    /// Types a key and returns the time until its echo.
    pub(crate) fn echo(&mut self, key: u8) -> Result<Duration, BenchError> {
        let typed = Instant::now();
        self.write(&[key])?;
        loop {
            let n = self.read()?;
            if self.chunk[..n].contains(&key) {
                return Ok(typed.elapsed());
            }
        }
    }

    /// Requests a flood, reads all of it and returns the time this took. A wrong byte is an error.
    pub(crate) fn flood(&mut self, flood: &Flood) -> Result<Duration, BenchError> {
        let asked = Instant::now();
        self.write(&flood.request())?;
        let mut taken = 0;
        while taken < flood.length() {
            let n = self.read()?;
            if !flood.is_at(taken, &self.chunk[..n]) {
                return Err(BenchError::WrongBytes { what: "the bare PTY".to_owned(), offset: taken });
            }
            taken += n as u64;
        }
        Ok(asked.elapsed())
    }
}
