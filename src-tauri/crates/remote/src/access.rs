//! How a command is started at a place.

use bc_process::{
    foreground::ForegroundError,
    piped::{self, Piped},
};
use serde::{Deserialize, Serialize};
use std::{ffi::OsString, path::Path};

/// The start of a script for another machine: shells without a login often lack the folders of a user's own programs
/// in their PATH.
pub const USERS_PATH: &str = "PATH=\"$PATH:$HOME/.local/bin:$HOME/.cargo/bin\"; export PATH; ";

/// A place as a link sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceAccess {
    /// The user's name for it, also a part of its references in git.
    pub name: String,
    /// ssh's words before the control socket and the machine's name.
    pub ssh: Vec<String>,
    /// The machine, as ssh takes it.
    pub host: String,
    /// The path or name of `beads-console` there.
    pub program: String,
    /// The folder for projects there; relative to the home folder.
    pub folder: String,
}

/// The part of a connection in the shared ssh connection of a link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sharing<'a> {
    /// A separate connection.
    Alone,
    /// It opens the shared connection, which ends with it.
    Opens(&'a Path),
    /// It uses the shared connection, and fails without it.
    Uses(&'a Path),
}

impl PlaceAccess {
    /// The words that run the place's `beads-console` with these arguments.
    pub(crate) fn command(&self, sharing: Sharing<'_>, args: &[&str]) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.ssh.iter().map(OsString::from).collect();
        let control = |master: &str, path: &Path| {
            let mut option = OsString::from("-oControlPath=");
            // ssh expands `%` in this path.
            option.push(path.to_string_lossy().replace('%', "%%"));
            [OsString::from(format!("-oControlMaster={master}")), option]
        };
        words.extend(match sharing {
            Sharing::Alone => ["-oControlMaster=no".into(), "-oControlPath=none".into()],
            Sharing::Opens(path) => control("yes", path),
            Sharing::Uses(path) => control("no", path),
        });
        let script = format!("{USERS_PATH}exec \"$@\"");
        let words_there: Vec<&str> =
            [self.program.as_str()].into_iter().chain(args.iter().copied()).collect();
        words.extend(["--".into(), OsString::from(&self.host), script_line(&script, &words_there).into()]);
        words
    }

    /// Starts the place's `beads-console`. Dropping the child ends the connection.
    pub(crate) fn start(&self, sharing: Sharing<'_>, args: &[&str]) -> Result<Piped, ForegroundError> {
        let mut words = self.command(sharing, args).into_iter();
        let program = words.next().unwrap_or_default();
        // The texts of ssh are compared with the English ones.
        piped::start(&program, words, &[("LC_ALL", "C")])
    }
}

/// The line with which the account's shell at a place runs a script of `sh` with these arguments. ssh has no argument
/// vector, so every word is quoted.
pub fn script_line(script: &str, args: &[&str]) -> String {
    let words = ["sh", "-c", script, "beads-console"].into_iter().chain(args.iter().copied());
    format!("exec {}", words.map(quoted).collect::<Vec<_>>().join(" "))
}

/// In single quotes, in which only a single quote has a meaning.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_quoted_for_the_remote_shell() {
        let line = script_line("echo \"$1\"", &["it's $(here)", "-x"]);
        assert_eq!(line, r#"exec 'sh' '-c' 'echo "$1"' 'beads-console' 'it'\''s $(here)' '-x'"#);
    }

    #[test]
    fn a_control_path_is_taken_literally() {
        let place = PlaceAccess {
            name: "far".into(),
            ssh: vec!["ssh".into()],
            host: "far".into(),
            program: "beads-console".into(),
            folder: "x".into(),
        };
        let words = place.command(Sharing::Uses(Path::new("/a%h")), &["remote"]);
        assert_eq!(words[2], "-oControlPath=/a%%h");
        assert_eq!(words[4], "far");
    }
}
