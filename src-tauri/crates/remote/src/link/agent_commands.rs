//! Runs an agent's command on beads or memories on this machine.
//!
//! A place is trusted less than this machine. Therefore, only commands on beads and memories run, and no
//! argument may name a file, a folder or another database on this machine.

use crate::{
    home_request::{CommandOutput, CommandRequest, Tool},
    spec::LinkSpec,
};
use bc_core::session::Meta;
use bc_process::{
    descendants::{HOST_MARKER, SESSION_MARKER},
    run::{Program, RunError},
};
use std::time::Duration;

/// The time limit for a command.
const RUN_WITHIN: Duration = Duration::from_secs(60);

/// The maximum size of each output, in bytes.
const OUTPUT_MAX: usize = 4 << 20;

/// Commands of bd that read or change beads and memories.
const BD: &[&str] = &[
    "blocked", "children", "close", "comment", "comments", "count", "create", "dep", "epic", "forget",
    "label", "list", "memories", "prime", "q", "ready", "recall", "remember", "reopen", "search", "show",
    "stale", "stats", "status", "update", "version",
];

/// Commands of `beads-console` that read or change beads and memories.
const CONSOLE: &[&str] = &["bead", "forget", "memories", "prime", "recall", "remember"];

/// Words in the names of options that take a file, a folder or another database.
const FORBIDDEN: &[&str] =
    &["config", "db", "dir", "file", "graph", "import", "output", "path", "project", "repo"];

/// Short options that take such a value.
const FORBIDDEN_SHORT: &[char] = &['C', 'f', 'o'];

/// The reason that a command is not run; `None` if it may run.
fn objection(request: &CommandRequest) -> Option<String> {
    let allowed = match request.tool {
        Tool::Bd => BD,
        Tool::Console => CONSOLE,
    };
    let command = request.args.iter().find(|arg| !arg.starts_with('-'));
    let first_is_global =
        request.args.first().is_none_or(|first| first == "--json" || Some(first) == command);
    let is_known = command.is_some_and(|command| allowed.contains(&command.as_str()));
    if !first_is_global || !is_known {
        return Some(format!(
            "this command runs only on the user's machine; at this place, `{}` has: {}",
            request.tool.program(),
            allowed.join(", ")
        ));
    }
    let is_forbidden = |arg: &str| match arg.strip_prefix("--") {
        Some(long) => {
            let long = long.split('=').next().unwrap_or_default();
            FORBIDDEN.iter().any(|word| long.split('-').any(|part| part == *word))
        }
        // Short options can be combined, and the value can directly follow the last option.
        None => arg.strip_prefix('-').is_some_and(|short| {
            short
                .chars()
                .take_while(char::is_ascii_alphabetic)
                .any(|letter| FORBIDDEN_SHORT.contains(&letter))
        }),
    };
    // bd reads text from standard input if the file name is `-`.
    let is_input = |at: usize| {
        request.args[at].ends_with("file") && request.args.get(at + 1).is_some_and(|value| value == "-")
    };
    let bad = (0..request.args.len())
        .find(|&at| is_forbidden(&request.args[at]) && !is_input(at))
        .map(|at| &request.args[at])?;
    Some(format!("{bad} names a file or folder of the user's machine, which cannot be used at this place"))
}

/// Runs the command under the actor name of the session's agent.
pub(super) fn run(spec: &LinkSpec, meta: &Meta, request: &CommandRequest) -> Result<CommandOutput, String> {
    if let Some(why) = objection(request) {
        return Err(why);
    }
    let console = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = match request.tool {
        Tool::Bd => "bd".into(),
        Tool::Console => console,
    };
    let mut program = Program::new(program)
        .args(&request.args)
        .cwd(&spec.project_root)
        .env("BEADS_DIR", &spec.beads_dir)
        .env("BEADS_CONSOLE_PROJECT", &spec.project_root)
        .env(SESSION_MARKER, spec.session.to_string())
        .env_remove(HOST_MARKER)
        .stdin(request.stdin.clone().unwrap_or_default().into_bytes())
        .timeout(RUN_WITHIN)
        .cap(OUTPUT_MAX);
    if let Some(actor) = &meta.actor {
        program = program.env("BD_ACTOR", actor);
    }
    match program.run() {
        Ok(done) => Ok(CommandOutput { code: done.code, stdout: done.out(), stderr: done.err() }),
        Err(RunError::NotFound { .. }) => {
            Err("the project's beads are not kept by bd; use `beads-console bead`".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::ids::SessionId;

    fn objects(tool: Tool, line: &str) -> bool {
        let args = line.split(' ').map(str::to_owned).collect();
        let session: SessionId = "00000000-0000-0000-0000-000000000001".parse().expect("a UUID");
        objection(&CommandRequest { session, tool, args, stdin: None }).is_some()
    }

    #[test]
    fn commands_on_beads_run_and_others_do_not() {
        for good in [
            "ready --json",
            "--json show a",
            "close a --reason done",
            "comment a -",
            "create x --body-file -",
        ] {
            assert!(!objects(Tool::Bd, good), "{good}");
        }
        for good in ["bead show a", "remember x", "bead submit a --json"] {
            assert!(!objects(Tool::Console, good), "{good}");
        }
    }

    #[test]
    fn a_file_of_this_machine_cannot_be_named() {
        for bad in [
            "create x --body-file /etc/passwd",
            "create x --file=/etc/passwd",
            "create -f /etc/passwd",
            "create -f/etc/passwd",
            "--db /tmp/x list",
            "-C /tmp list",
            "list --db=/tmp/x",
            "sql x",
            "init",
            "--body-file x create",
            "create x --body-file - --db /tmp/x",
            "create x --body-file /etc/passwd -",
            "create -qf /etc/passwd",
        ] {
            assert!(objects(Tool::Bd, bad), "{bad}");
        }
        for bad in [
            "settings show",
            "serve",
            "session start",
            "--project /tmp bead list",
            "hooks trust",
            "places list",
        ] {
            assert!(objects(Tool::Console, bad), "{bad}");
        }
    }
}
