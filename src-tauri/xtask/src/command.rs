//! Starts programs. This is the only module of xtask that does. (The product uses bc-process, but xtask must
//! not depend on it.)

use crate::error::XtaskError;
use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
};

/// A program with its arguments, ready to run in one of several ways.
#[derive(Debug)]
pub(crate) struct Step {
    command: Command,
    line: String,
}

impl Step {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Step {
        let program = program.as_ref();
        // Clippy forbids this call in all other modules, so that only this module starts programs.
        #[allow(clippy::disallowed_methods)]
        let command = Command::new(program);
        Step { command, line: program.to_string_lossy().into_owned() }
    }

    pub(crate) fn cargo() -> Step {
        let mut step = Step::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        step.line = "cargo".to_owned();
        step
    }

    /// Creates a step for cargo with clippy as the compiler of our packages. Warnings are errors. `cargo
    /// clippy` would first check all packages, including third-party ones, which takes as long as building
    /// them.
    pub(crate) fn linting_cargo() -> Step {
        // `cargo clippy` sets the same variables, with this separator between arguments.
        Step::cargo()
            .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
            .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__")
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Step {
        for arg in args {
            self.line = format!("{} {}", self.line, arg.as_ref().to_string_lossy());
            self.command.arg(arg);
        }
        self
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Step {
        self.command.env(key, value);
        self
    }

    pub(crate) fn env_remove(mut self, key: &str) -> Step {
        self.command.env_remove(key);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Step {
        self.command.current_dir(dir);
        self
    }

    /// Returns the command as a user would type it.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// Runs the program on this terminal.
    pub(crate) fn run(mut self) -> Result<ExitStatus, XtaskError> {
        let status = self.command.status();
        status.map_err(|source| XtaskError::Start { program: self.line, source })
    }

    /// Runs the program and returns its standard output. Returns an error if the program fails.
    pub(crate) fn read(mut self) -> Result<String, XtaskError> {
        let done = self.command.stdin(Stdio::null()).stderr(Stdio::null()).output();
        let done = done.map_err(|source| XtaskError::Start { program: self.line.clone(), source })?;
        match done.status.success() {
            true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
            false => Err(XtaskError::Ended { line: self.line, status: done.status }),
        }
    }

    /// Runs the program and returns both outputs, interleaved in order. If the program fails, returns an
    /// error with its last lines.
    #[cfg(target_os = "linux")]
    pub(crate) fn read_all(self) -> Result<String, XtaskError> {
        let line = self.line.clone();
        let mut lines = Vec::new();
        let status = self.stream(|line| lines.push(line.to_owned()))?;
        let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        match status.success() {
            true => Ok(text(&lines)),
            false => {
                let last = text(&lines[lines.len().saturating_sub(15)..]);
                Err(XtaskError::EndedWithOutput { line, status, last })
            }
        }
    }

    /// Runs the program with its output in a file. Returns an error if the program fails.
    pub(crate) fn run_into(mut self, log: &File) -> Result<(), XtaskError> {
        let start = |source| XtaskError::Start { program: self.line.clone(), source };
        let (out, err) = (log.try_clone().map_err(start)?, log.try_clone().map_err(start)?);
        let status = self.command.stdin(Stdio::null()).stdout(out).stderr(err).status().map_err(start)?;
        if status.success() { Ok(()) } else { Err(XtaskError::Ended { line: self.line, status }) }
    }

    /// Starts the program in the background. Returns the first line of its standard output, and a handle that
    /// kills the program when dropped.
    pub(crate) fn start(mut self) -> Result<(String, Running), XtaskError> {
        let child = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|source| XtaskError::Start { program: self.line.clone(), source })?;
        let mut running = Running(child);
        let output = running.0.stdout.take().expect("standard output is piped");
        let mut first = String::new();
        let read = BufReader::new(output).read_line(&mut first);
        read.map_err(|source| XtaskError::Output { program: self.line, source })?;
        Ok((first.trim_end().to_owned(), running))
    }

    /// Runs the program, and passes every line of both outputs to `each` in order.
    pub(crate) fn stream(mut self, mut each: impl FnMut(&str)) -> Result<ExitStatus, XtaskError> {
        let output = |source| XtaskError::Output { program: self.line.clone(), source };
        let (reader, writer) = std::io::pipe().map_err(output)?;
        let second = writer.try_clone().map_err(output)?;
        let child = self.command.stdin(Stdio::null()).stdout(writer).stderr(second).spawn();
        let mut child = child.map_err(|source| XtaskError::Start { program: self.line.clone(), source })?;
        // The command holds write ends of the pipe. Drop it, because the reader sees the end of the pipe only
        // after all write ends are closed.
        drop(self.command);
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(output)? > 0 {
            each(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
            line.clear();
        }
        child.wait().map_err(output)
    }
}

/// A program that is killed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Ignore errors: the program may already have exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn which(name: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = if cfg!(windows) { format!("{name}.exe") } else { name.to_owned() };
    std::env::split_paths(&path).map(|dir| dir.join(&name)).find(|file| file.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn stream_returns_both_outputs_in_order_and_the_exit_status() {
        let mut lines = Vec::new();
        let script = "echo one; echo two >&2; printf 'no end'; exit 3";
        let status = Step::new("sh").args(["-c", script]).stream(|line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two", "no end"]);
        assert_eq!(status.code(), Some(3));
    }

    #[test]
    fn a_started_program_runs_until_it_is_dropped() {
        let (line, running) = Step::new("sh").args(["-c", "echo $$; exec sleep 600"]).start().unwrap();
        let process = std::path::Path::new("/proc").join(&line);
        assert!(!cfg!(target_os = "linux") || process.is_dir(), "{line}");
        drop(running);
        assert!(!process.is_dir());
    }

    #[test]
    fn a_failing_program_is_named_with_its_command_line() {
        let error = Step::new("sh").args(["-c", "exit 4"]).read().unwrap_err();
        assert!(error.to_string().starts_with("`sh -c exit 4` ended with"), "{error}");
    }
}
