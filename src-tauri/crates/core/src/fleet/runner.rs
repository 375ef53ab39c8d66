//! Builds the command line that runs an agent's program elsewhere, from the user's words with placeholders
//! such as `{cwd}`. No shell on this machine parses the result; `{line}` is quoted for a remote shell.

use super::Runner;
use crate::text::shell_quoted;

/// The command that the runner runs elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerCall<'a> {
    pub program: &'a str,
    pub args: &'a [String],
    /// The program's working folder.
    pub cwd: &'a str,
    /// The program's environment variables, except the variable with the socket's path.
    pub env: &'a [(String, String)],
    pub session: &'a str,
    /// The agent prompt's name; empty if none.
    pub agent: &'a str,
    /// The local socket of the session's host.
    pub socket: &'a str,
}

/// The environment variable with the socket's path on the runner's machine.
const SOCKET: &str = "BEADS_CONSOLE_SOCKET";

const NAMES: [&str; 9] =
    ["program", "args", "cwd", "env", "session", "agent", "socket", "remote_socket", "line"];

/// Why a runner's words are not a valid command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRunner {
    /// The command is empty.
    #[error("missing program")]
    Empty,
    /// The command would not run the agent.
    #[error("the runner does not start the agent: it needs {{program}} with {{args}}, or {{line}}")]
    RunsNothing,
    #[error("unknown placeholder {{{name}}}; valid placeholders are {}", placeholder_list())]
    Unknown { name: String },
}

fn placeholder_list() -> String {
    NAMES.map(|name| format!("{{{name}}}")).join(" ")
}

impl Runner {
    /// Checks the command, and the placeholders of the probe.
    pub fn check(&self) -> Result<(), BadRunner> {
        if self.command.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(BadRunner::Empty);
        }
        let mut used = self.command.iter().chain(&self.probe).flat_map(|word| placeholders(word));
        if let Some(unknown) = used.find(|name| !NAMES.contains(name)) {
            return Err(BadRunner::Unknown { name: unknown.to_owned() });
        }
        let whole = self.uses("line") || (self.uses("program") && self.uses("args"));
        if whole { Ok(()) } else { Err(BadRunner::RunsNothing) }
    }

    /// Whether the command forwards the host's socket.
    pub fn forwards_socket(&self) -> bool {
        self.uses("remote_socket")
    }

    /// Whether the command contains this placeholder.
    fn uses(&self, name: &str) -> bool {
        self.command.iter().any(|word| placeholders(word).any(|used| used == name))
    }

    /// The socket's path on the runner's machine: a separate path if the socket is forwarded, otherwise the
    /// local path.
    fn remote_socket(&self, call: &RunnerCall<'_>) -> String {
        match self.forwards_socket() {
            true => format!("/tmp/beads-console-{}.sock", call.session),
            false => call.socket.to_owned(),
        }
    }

    /// The command line that runs the program through the runner.
    pub fn command_line(&self, call: &RunnerCall<'_>) -> Vec<String> {
        expanded(self, &self.command, call)
    }

    /// The command line that checks whether the runner can run agents; empty if there is no check.
    pub fn probe_line(&self, call: &RunnerCall<'_>) -> Vec<String> {
        expanded(self, &self.probe, call)
    }
}

fn expanded(runner: &Runner, words: &[String], call: &RunnerCall<'_>) -> Vec<String> {
    let remote_socket = runner.remote_socket(call);
    let mut env: Vec<String> = call.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    env.push(format!("{SOCKET}={remote_socket}"));
    let mut line = Vec::new();
    for word in words {
        let of = |name: &str, each: Option<&str>| match name {
            "program" => call.program.to_owned(),
            "cwd" => call.cwd.to_owned(),
            "session" => call.session.to_owned(),
            "agent" => call.agent.to_owned(),
            "socket" => call.socket.to_owned(),
            "remote_socket" => remote_socket.clone(),
            "line" => shell_line(call, &env),
            _ => each.unwrap_or_default().to_owned(),
        };
        // A word with a multi-valued placeholder becomes one word per value.
        let several = match placeholders(word).find(|name| matches!(*name, "args" | "env")) {
            Some("args") => Some(call.args),
            Some(_) => Some(env.as_slice()),
            None => None,
        };
        match several {
            Some(each) => line.extend(each.iter().map(|one| filled(word, |name| of(name, Some(one))))),
            None => line.push(filled(word, |name| of(name, None))),
        }
    }
    line
}

/// The command for a remote POSIX shell, which changes to the working folder and executes the program with
/// the variables in `env`.
fn shell_line(call: &RunnerCall<'_>, env: &[String]) -> String {
    let words =
        env.iter().map(String::as_str).chain([call.program]).chain(call.args.iter().map(String::as_str));
    let words: Vec<String> = words.map(shell_quoted).collect();
    format!("cd {} && exec env {}", shell_quoted(call.cwd), words.join(" "))
}

fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    pieces(word).into_iter().filter_map(|piece| piece.err())
}

/// Replaces the placeholders in a word; inserted values are not expanded again.
fn filled(word: &str, of: impl Fn(&str) -> String) -> String {
    pieces(word).into_iter().map(|piece| piece.map_or_else(&of, str::to_owned)).collect()
}

/// Splits a word into literal text (`Ok`) and names between `{` and `}` (`Err`). Braces around anything but
/// a name are literal.
fn pieces(word: &str) -> Vec<Result<&str, &str>> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = word[at..].find('{').map(|found| at + found) {
        at = open + 1;
        let Some(close) = word[at..].find('}').map(|found| at + found) else { break };
        let name = &word[at..close];
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            pieces.push(Ok(&word[from..open]));
            pieces.push(Err(name));
            (from, at) = (close + 1, close + 1);
        }
    }
    pieces.push(Ok(&word[from..]));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn runner(line: &[&str]) -> Runner {
        Runner { command: line.iter().map(|word| (*word).to_owned()).collect(), ..Runner::default() }
    }

    fn of(line: &[&str], args: &[&str]) -> Vec<String> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let env = [("BEADS_DIR".to_owned(), "/p/.beads".to_owned())];
        let call = RunnerCall {
            program: "claude",
            args: &args,
            cwd: "/p trees/a",
            env: &env,
            session: "5e55",
            agent: "",
            socket: "/run/s.sock",
        };
        runner(line).command_line(&call)
    }

    #[test]
    fn a_container_gets_the_command_as_words() {
        let docker = ["docker", "exec", "-it", "-w", "{cwd}", "--env={env}", "dev", "{program}", "{args}"];
        assert_eq!(
            of(&docker, &["--model", "x y"]),
            [
                "docker",
                "exec",
                "-it",
                "-w",
                "/p trees/a",
                "--env=BEADS_DIR=/p/.beads",
                "--env=BEADS_CONSOLE_SOCKET=/run/s.sock",
                "dev",
                "claude",
                "--model",
                "x y"
            ]
        );
        let run = [
            "docker",
            "run",
            "--rm",
            "-it",
            "-v",
            "{cwd}:{cwd}",
            "-v{socket}:{socket}",
            "img",
            "{program}",
            "{args}",
        ];
        assert_eq!(of(&run, &[])[4..7], ["-v", "/p trees/a:/p trees/a", "-v/run/s.sock:/run/s.sock"]);
        let kubectl = [
            "kubectl",
            "exec",
            "-it",
            "agent-{session}",
            "--",
            "env",
            "--chdir={cwd}",
            "{env}",
            "{program}",
            "{args}",
        ];
        assert_eq!(
            of(&kubectl, &["-p"]),
            [
                "kubectl",
                "exec",
                "-it",
                "agent-5e55",
                "--",
                "env",
                "--chdir=/p trees/a",
                "BEADS_DIR=/p/.beads",
                "BEADS_CONSOLE_SOCKET=/run/s.sock",
                "claude",
                "-p"
            ]
        );
        let json = ["kubectl", "run", "a", "--overrides={\"spec\":{}}", "--", "{program}", "{args}"];
        assert_eq!(of(&json, &["{cwd}"])[3..], ["--overrides={\"spec\":{}}", "--", "claude", "{cwd}"]);
    }

    #[test]
    fn a_remote_shell_gets_one_line() {
        let ssh = ["ssh", "-tt", "-R", "{remote_socket}:{socket}", "far", "{line}"];
        assert_eq!(
            of(&ssh, &["it's", "$HOME"]),
            [
                "ssh",
                "-tt",
                "-R",
                "/tmp/beads-console-5e55.sock:/run/s.sock",
                "far",
                r"cd '/p trees/a' && exec env BEADS_DIR=/p/.beads BEADS_CONSOLE_SOCKET=/tmp/beads-console-5e55.sock claude 'it'\''s' '$HOME'"
            ]
        );
    }

    #[test]
    fn empty_commands_and_unknown_placeholders_are_refused() {
        assert_eq!(runner(&[]).check(), Err(BadRunner::Empty));
        assert_eq!(runner(&["ssh", "far", "{program}"]).check(), Err(BadRunner::RunsNothing));
        assert_eq!(
            runner(&["ssh", "{host}", "{line}"]).check(),
            Err(BadRunner::Unknown { name: "host".into() })
        );
        assert_eq!(runner(&["ssh", "far", "{line}"]).check(), Ok(()));
    }

    proptest! {
        /// Inserted values stay unchanged, and placeholders in them are not replaced.
        #[test]
        fn every_argument_is_one_word(args in prop::collection::vec(any::<String>(), 0..6)) {
            let given: Vec<&str> = args.iter().map(String::as_str).collect();
            let line = of(&["x", "{program}", "{args}"], &given);
            prop_assert_eq!(&line[2..], args.as_slice());
        }

        #[test]
        fn a_word_without_placeholders_is_unchanged(word in "[a-z{}A-Z0-9 ]{0,20}") {
            prop_assume!(placeholders(&word).next().is_none());
            prop_assert_eq!(filled(&word, |_| unreachable!()), word);
        }
    }
}
