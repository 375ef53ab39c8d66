//! Access to a place: starts commands at it, and creates and removes its containers or pods.

use crate::{
    container::Container,
    not_ready::NotReady,
    pod::Pod,
    programs::{self, OWN_NAME},
};
use bc_core::ids::SessionId;
use bc_process::{
    foreground::ForegroundError,
    piped::{self, Piped},
    run::Program,
};
use serde::{Deserialize, Serialize};
use std::{ffi::OsString, path::Path};

/// The start of a script for another machine. It sets PATH to the folder of this version's copied programs,
/// the machine's own PATH, and the folders of a user's own programs. Non-login shells often lack the latter.
pub const USERS_PATH: &str = concat!(
    "PATH=\"$HOME/.local/share/beads-console/bin/",
    env!("CARGO_PKG_VERSION"),
    ":$PATH:$HOME/.local/bin:$HOME/.cargo/bin\"; export PATH; "
);

/// The settings for reaching a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceAccess {
    /// The user's name for the place, which is also part of its references in git.
    pub name: String,
    /// How to run a command at the place.
    pub reach: Reach,
    /// The path or name of `beads-console` at the place.
    pub program: String,
    /// The folder for projects at the place, relative to the home folder.
    pub folder: String,
}

/// How to run a command at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Ssh {
        /// The words of ssh's command line before the control socket and the host name.
        words: Vec<String>,
        /// The host name, in a form that ssh accepts.
        host: String,
    },
    Container(Container),
    Pod(Pod),
}

/// How a connection uses the link's shared ssh connection. Containers and pods do not have a shared
/// connection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sharing<'a> {
    /// A separate connection.
    Alone,
    /// The connection opens the shared connection, which is closed together with it.
    Opens(&'a Path),
    /// The connection uses the shared connection, or a separate one if the shared connection does not exist.
    Uses(&'a Path),
}

/// The container or pod for a check. It is removed when this value is dropped.
#[must_use]
pub struct TemporaryContainer(PlaceAccess);

impl Drop for TemporaryContainer {
    fn drop(&mut self) {
        self.0.remove();
    }
}

impl PlaceAccess {
    /// Adapts this place to one session. If the place uses containers or pods, the session gets its own.
    #[must_use]
    pub fn for_session(mut self, session: SessionId) -> PlaceAccess {
        let own = format!("beads-console-{session}");
        match &mut self.reach {
            Reach::Ssh { .. } => {}
            Reach::Container(container) => container.name = own,
            Reach::Pod(pod) => pod.name = own,
        }
        self
    }

    #[must_use]
    pub(crate) fn is_per_session(&self) -> bool {
        !matches!(self.reach, Reach::Ssh { .. })
    }

    /// Creates the container or pod for a check. An ssh host does not need one, and the pod for a check does
    /// not need a volume.
    ///
    /// # Errors
    /// Returns text for users if the container or pod cannot be created.
    pub fn temporary(&self) -> Result<TemporaryContainer, String> {
        let mut place = self.clone();
        if let Reach::Pod(pod) = &mut place.reach {
            pod.volume = None;
        }
        place.make_ready(true).map_err(|error| error.to_string())?;
        Ok(TemporaryContainer(place))
    }

    /// Ensures that the container or pod is running; see [`Container::make_ready`].
    pub(crate) fn make_ready(&self, create: bool) -> Result<bool, NotReady> {
        match &self.reach {
            Reach::Ssh { .. } => Ok(false),
            Reach::Container(container) => container.make_ready(create),
            Reach::Pod(pod) => pod.make_ready(create),
        }
    }

    /// Whether the session's container or pod was removed, together with all its files. Returns false if this
    /// cannot be determined.
    pub fn is_gone(&self) -> bool {
        match &self.reach {
            Reach::Ssh { .. } => false,
            Reach::Container(container) => matches!(container.state(), Ok(None)),
            Reach::Pod(pod) => pod.is_gone(),
        }
    }

    /// Removes the container or pod with its files. The files on an ssh host are kept.
    pub fn remove(&self) {
        match &self.reach {
            Reach::Ssh { .. } => {}
            Reach::Container(container) => container.remove(),
            Reach::Pod(pod) => pod.remove(),
        }
    }

    /// The command line that runs an `sh` script at the place with these arguments.
    fn script(&self, script: &str, args: &[&str]) -> Vec<OsString> {
        self.words(Sharing::Alone, script, args)
    }

    /// Prepares a run of an `sh` script at the place.
    pub(crate) fn prepare_script(&self, script: &str) -> Program {
        prepared(self.script(script, &[]))
    }

    /// Starts an `sh` script at the place with these arguments. Dropping the child closes the connection.
    ///
    /// # Errors
    /// Fails if the program that connects to the place is missing or cannot be started.
    pub fn start_script(&self, script: &str, args: &[&str]) -> Result<Piped, ForegroundError> {
        start_words(self.script(script, args))
    }

    /// The command line that runs the place's `beads-console` with these arguments.
    pub(crate) fn command(&self, sharing: Sharing<'_>, args: &[&str]) -> Vec<OsString> {
        let script = format!("{USERS_PATH}exec \"$@\"");
        self.words(sharing, &script, &[&[self.program.as_str()], args].concat())
    }

    /// Prepares a run of the place's `beads-console` with these arguments.
    pub(crate) fn prepare(&self, sharing: Sharing<'_>, args: &[&str]) -> Program {
        prepared(self.command(sharing, args))
    }

    fn words(&self, sharing: Sharing<'_>, script: &str, args: &[&str]) -> Vec<OsString> {
        match &self.reach {
            Reach::Ssh { words, host } => {
                let line = script_line(script, args);
                let words = words.iter().map(OsString::from).chain(control(sharing));
                words.chain(["--".into(), OsString::from(host), line.into()]).collect()
            }
            Reach::Container(container) => {
                let words = container.exec().into_iter().map(OsString::from);
                words.chain(sh_words(script, args).map(OsString::from)).collect()
            }
            Reach::Pod(pod) => {
                // If this program's path is unknown, starting it fails with an error that contains its name.
                let own = programs::console().map_or_else(|_| OWN_NAME.into(), OsString::from);
                let exec = pod.exec_args().into_iter().map(OsString::from);
                let words = sh_words(script, args).map(OsString::from);
                [own].into_iter().chain(exec).chain(words).collect()
            }
        }
    }

    /// Starts the place's `beads-console`. Dropping the child closes the connection.
    pub(crate) fn start(&self, sharing: Sharing<'_>, args: &[&str]) -> Result<Piped, ForegroundError> {
        start_words(self.command(sharing, args))
    }
}

/// Selects English messages, because ssh's error messages are compared.
const ENGLISH: (&str, &str) = ("LC_ALL", "C");

fn start_words(words: Vec<OsString>) -> Result<Piped, ForegroundError> {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_default();
    piped::start(&program, words, &[ENGLISH])
}

fn prepared(words: Vec<OsString>) -> Program {
    let mut words = words.into_iter();
    Program::new(words.next().unwrap_or_default()).args(words).env(ENGLISH.0, ENGLISH.1)
}

fn control(sharing: Sharing<'_>) -> [OsString; 2] {
    let shared = |master: &str, path: &Path| {
        let mut option = OsString::from("-oControlPath=");
        // ssh expands `%` in this path.
        option.push(path.to_string_lossy().replace('%', "%%"));
        [OsString::from(format!("-oControlMaster={master}")), option]
    };
    match sharing {
        Sharing::Alone => ["-oControlMaster=no".into(), "-oControlPath=none".into()],
        Sharing::Opens(path) => shared("yes", path),
        Sharing::Uses(path) => shared("no", path),
    }
}

/// The command line with which the account's shell at a place runs an `sh` script with these arguments. ssh
/// does not pass an argument vector, so every word is quoted.
pub fn script_line(script: &str, args: &[&str]) -> String {
    format!("exec {}", sh_words(script, args).map(quoted).collect::<Vec<_>>().join(" "))
}

fn sh_words<'a>(script: &'a str, args: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    ["sh", "-c", script, OWN_NAME].into_iter().chain(args.iter().copied())
}

/// Puts the word in single quotes, within which only a single quote has a special meaning.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(reach: Reach) -> PlaceAccess {
        PlaceAccess { name: "far".into(), reach, program: "beads-console".into(), folder: "x".into() }
    }

    #[test]
    fn every_word_is_quoted_for_the_remote_shell() {
        let line = script_line("echo \"$1\"", &["it's $(here)", "-x"]);
        assert_eq!(line, r#"exec 'sh' '-c' 'echo "$1"' 'beads-console' 'it'\''s $(here)' '-x'"#);
    }

    #[test]
    fn a_control_path_is_taken_literally() {
        let place = place(Reach::Ssh { words: vec!["ssh".into()], host: "far".into() });
        let words = place.command(Sharing::Uses(Path::new("/a%h")), &["remote"]);
        assert_eq!(words[2], "-oControlPath=/a%%h");
        assert_eq!(words[4], "far");
    }

    #[test]
    fn a_container_gets_every_word_unquoted() {
        let session: SessionId = "00000000-0000-0000-0000-000000000001".parse().unwrap();
        let container = Container {
            engine: "podman".into(),
            image: "dev:1".into(),
            options: vec![],
            name: "check".into(),
        };
        let place = place(Reach::Container(container)).for_session(session);
        let words = place.script("echo \"$1\"", &["it's"]);
        let start = ["podman", "exec", "--interactive", "beads-console-00000000-0000-0000-0000-000000000001"];
        assert_eq!(words[..4], start);
        assert_eq!(words[4..], ["sh", "-c", "echo \"$1\"", "beads-console", "it's"]);
    }

    #[test]
    fn a_pod_is_reached_by_our_own_program() {
        let session: SessionId = "00000000-0000-0000-0000-000000000001".parse().unwrap();
        let pod = Pod {
            context: Some("work".into()),
            namespace: None,
            image: "dev:1".into(),
            memory: None,
            cpus: None,
            service_account: None,
            secrets: vec![],
            volume: None,
            name: "check".into(),
        };
        let words = place(Reach::Pod(pod)).for_session(session).script("true", &[]);
        let start = ["pod-exec", "work", "", "beads-console-00000000-0000-0000-0000-000000000001"];
        assert_eq!(words[1..5], start);
        assert_eq!(words[5..], ["sh", "-c", "true", "beads-console"]);
    }
}
