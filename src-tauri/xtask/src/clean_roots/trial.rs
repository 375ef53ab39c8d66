//! Tests an installed program: its version, `doctor`, a new project, its licences, and the server with the
//! UI.

use super::root::Root;
use crate::{command::Step, error::XtaskError};
use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    time::Duration,
};

/// The home folder of the test's user in a root.
pub(super) const HOME: &str = "/home/trial";

#[derive(Debug)]
pub(super) struct Trial<'a> {
    program: String,
    version: &'a str,
    /// The root in which the program is installed; `None` if the program runs on this machine.
    root: Option<&'a Root>,
    /// The user's home folder, as seen by the program.
    home: PathBuf,
}

impl<'a> Trial<'a> {
    pub(super) fn in_root(root: &'a Root, program: &str, version: &'a str) -> Trial<'a> {
        Trial { program: program.to_owned(), version, root: Some(root), home: HOME.into() }
    }

    pub(super) fn on_this_machine(program: &Path, home: &Path, version: &'a str) -> Trial<'a> {
        let program = program.to_string_lossy().into_owned();
        Trial { program, version, root: None, home: home.to_owned() }
    }

    pub(super) fn run(&self) -> Result<(), XtaskError> {
        let project = self.home.join("project").to_string_lossy().into_owned();
        self.step(&["mkdir", "-p", &project]).read_all()?;
        let version = self.program_step(&["--version"]).read_all()?;
        self.expect("--version", &version, self.version)?;
        // Without claude, doctor reports a problem and exits with code 1.
        let doctor =
            self.step(&["sh", "-c", "\"$0\" --json doctor; test $? -le 1", &self.program]).read_all()?;
        self.expect("doctor", &doctor, "\"checks\"")?;
        self.expect("doctor", &doctor, self.version)?;
        let init =
            self.program_step(&["--project", &project, "--json", "init", "--prefix", "TRY"]).read_all()?;
        self.expect("init", &init, "\"kind\": \"embedded\"")?;
        let created = self.program_step(&["--project", &project, "bead", "create", "first"]).read_all()?;
        self.expect("bead create", &created, "first")?;
        let licences = self.program_step(&["licences"]).read_all()?;
        self.expect("licences", &licences, "\nserde 1.")?;
        self.serve(&project)
    }

    /// Checks that this folder has the static programs for places. `beads-console` for this machine's processor
    /// must run.
    pub(super) fn places(&self, folder: &str) -> Result<(), XtaskError> {
        for system in ["Linux-x86_64", "Linux-aarch64"] {
            for name in ["beads-console", "beads-console-sim"] {
                self.step(&["test", "-x", &format!("{folder}/{system}/{name}")]).read_all()?;
            }
        }
        let native = format!("{folder}/Linux-{}/beads-console", std::env::consts::ARCH);
        let version = self.step(&[native.as_str(), "--version"]).read_all()?;
        self.expect("a static program", &version, self.version)
    }

    /// Checks that the server responds with the UI's page.
    fn serve(&self, project: &str) -> Result<(), XtaskError> {
        let (line, running) = self.program_step(&["--project", project, "--json", "serve"]).start()?;
        let json: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        let port = json["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        let port = port.ok_or_else(|| XtaskError::trial("serve", &format!("it printed {line:?}")))?;
        let page = page(port)
            .map_err(|error| XtaskError::trial("serve", &format!("it did not respond: {error}")))?;
        drop(running);
        self.expect("serve", &page, "<title>Beads Console</title>")
    }

    fn program_step(&self, args: &[&str]) -> Step {
        self.step(&[&[self.program.as_str()][..], args].concat())
    }

    /// Creates a step that runs a program in the same environment as the installed program, with the test's
    /// home folder.
    fn step(&self, args: &[&str]) -> Step {
        let home = format!("HOME={}", self.home.display());
        let words =
            [&["env", "-u", "XDG_RUNTIME_DIR", "-u", "XDG_CACHE_HOME", home.as_str()][..], args].concat();
        match self.root {
            Some(root) => root.step(&words),
            None => Step::new(words[0]).args(&words[1..]),
        }
    }

    fn expect(&self, what: &'static str, printed: &str, wanted: &str) -> Result<(), XtaskError> {
        match printed.contains(wanted) {
            true => Ok(()),
            false => {
                Err(XtaskError::trial(what, &format!("its output does not contain {wanted:?}: {printed}")))
            }
        }
    }
}

fn page(port: u16) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(stream, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
