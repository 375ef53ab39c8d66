//! The agent's shell commands that ran tests or builds, and their results.
//!
//! Claude reports the exit code of a failed command and none for a successful one. A pipe's exit code is that
//! of its last part, so earlier failures are unknown. The exit code of a pipe without an error is therefore
//! unknown.

use crate::{
    Timestamp,
    message::{Message, ToolCall},
};
use serde::{Deserialize, Serialize};

/// The purpose of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CommandKind {
    Test,
    Build,
}

/// A command that ran tests or builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RanCommand {
    /// The command as passed to the shell.
    pub command: String,
    pub kind: CommandKind,
    /// The command's exit code. `None` if unknown: the command was stopped, is still running, runs in the
    /// background, or can hide a failure, as a pipe does.
    #[serde(default)]
    pub exit: Option<i32>,
    pub at: Timestamp,
}

/// The commands of a conversation that ran tests or builds, in order. Of consecutive equal commands only the
/// last is kept.
pub fn ran_commands(messages: &[Message]) -> Vec<RanCommand> {
    let mut ran: Vec<RanCommand> = Vec::new();
    for message in messages {
        for call in message.tool_calls.iter().flatten().filter(|call| call.tool == "Bash") {
            let Some(found) = ran_command(call, message.timestamp) else { continue };
            if ran.last().is_some_and(|last| last.command == found.command) {
                ran.pop();
            }
            ran.push(found);
        }
    }
    ran
}

fn ran_command(call: &ToolCall, at: Timestamp) -> Option<RanCommand> {
    let command = call.input.get("command")?.as_str()?;
    let kind = kind_of(command)?;
    Some(RanCommand { command: command.to_owned(), kind, exit: exit_of(call, command, kind), at })
}

fn exit_of(call: &ToolCall, command: &str, kind: CommandKind) -> Option<i32> {
    let output = call.output.as_deref()?;
    if call.is_error {
        let code = output.trim_start().strip_prefix("Error: ").unwrap_or(output.trim_start());
        let digits = code.strip_prefix("Exit code ")?;
        return digits.split(|c: char| !c.is_ascii_digit() && c != '-').next()?.parse().ok();
    }
    let background = call.input.get("run_in_background").and_then(|v| v.as_bool()) == Some(true);
    (!background && !can_hide_failure(command, kind)).then_some(0)
}

/// Whether the command can succeed although a part of this kind fails: a pipe, a `;`, a `||` or a `&` follows the
/// first one.
fn can_hide_failure(command: &str, kind: CommandKind) -> bool {
    let parts = parts(command);
    let first = parts.iter().position(|part| kind_of_part(&part.words) == Some(kind)).unwrap_or(0);
    parts[first..].iter().any(|part| !matches!(part.separator, Separator::And | Separator::End))
}

fn kind_of(command: &str) -> Option<CommandKind> {
    let kinds: Vec<CommandKind> =
        parts(command).iter().filter_map(|part| kind_of_part(&part.words)).collect();
    kinds.iter().find(|kind| **kind == CommandKind::Test).or(kinds.first()).copied()
}

/// The separator that follows a part of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    And,
    Or,
    Pipe,
    Next,
    Background,
    End,
}

#[derive(Debug)]
struct Part {
    words: Vec<String>,
    separator: Separator,
}

/// The simple commands of a command line. Quoted text is kept together; nothing is expanded.
fn parts(command: &str) -> Vec<Part> {
    let (mut parts, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        let separator = match (quote, c) {
            (Some(open), c) if c == open => {
                quote = None;
                continue;
            }
            (Some(_), c) => {
                word.push(c);
                continue;
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                continue;
            }
            (None, '\\') => {
                word.extend(chars.next());
                continue;
            }
            (None, '&') if chars.next_if_eq(&'&').is_some() => Separator::And,
            (None, '|') if chars.next_if_eq(&'|').is_some() => Separator::Or,
            // `2>&1` and `&>file` do not end a command.
            (None, '&') if word.ends_with('>') || chars.peek() == Some(&'>') => {
                word.push(c);
                continue;
            }
            (None, '&') => Separator::Background,
            (None, '|') => Separator::Pipe,
            (None, ';' | '\n') => Separator::Next,
            (None, c) if c.is_whitespace() || matches!(c, '(' | ')') => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                continue;
            }
            (None, c) => {
                word.push(c);
                continue;
            }
        };
        words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        if !words.is_empty() {
            parts.push(Part { words: std::mem::take(&mut words), separator });
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    if !words.is_empty() {
        parts.push(Part { words, separator: Separator::End });
    }
    match parts.last_mut() {
        // A trailing `;` or line break adds no command.
        Some(last) if last.separator == Separator::Next => last.separator = Separator::End,
        _ => {}
    }
    parts
}

/// The purpose of one command, recognized by the name of its program and its first words. `None` for other
/// commands.
fn kind_of_part(words: &[String]) -> Option<CommandKind> {
    use CommandKind::{Build, Test};
    const WRAPPERS: [&str; 9] = ["env", "time", "timeout", "nice", "sudo", "xvfb-run", "npx", "bunx", "pnpx"];
    let mut words = words.iter().map(String::as_str).peekable();
    // Assignments, wrappers, and the wrappers' options and numbers precede the program.
    while let Some(word) = words.peek() {
        let assignment = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if !(assignment || number || word.starts_with('-') || WRAPPERS.contains(word)) {
            break;
        }
        words.next();
    }
    let program = words.next()?;
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    // `cargo +nightly test`, `npm --prefix ui test`: the verb is among the first words that are not options.
    let rest: Vec<&str> = words.filter(|word| !word.starts_with(['-', '+', '>', '<'])).collect();
    let has = |verbs: &[&str]| rest.iter().take(3).any(|word| verbs.contains(word));
    let script =
        |wanted: &str| rest.iter().take(3).any(|word| word.split([':', '-', '_']).any(|part| part == wanted));
    match program {
        "cargo" if has(&["test", "nextest", "t", "bench"]) => Some(Test),
        "cargo" if has(&["build", "b", "check", "c", "clippy", "rustc", "doc"]) => Some(Build),
        "npm" | "pnpm" | "yarn" | "bun" | "deno" if script("test") || has(&["t", "vitest", "jest"]) => {
            Some(Test)
        }
        "npm" | "pnpm" | "yarn" | "bun" | "deno" if script("build") || has(&["compile", "tsc"]) => {
            Some(Build)
        }
        "go" if has(&["test"]) => Some(Test),
        "go" if has(&["build", "vet", "install"]) => Some(Build),
        "python" | "python3" | "uv" | "poetry" | "pipenv" | "hatch"
            if has(&["pytest", "unittest", "test", "tox", "nox"]) =>
        {
            Some(Test)
        }
        "python" | "python3" | "uv" | "poetry" | "hatch" if has(&["build"]) => Some(Build),
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "mix" | "dotnet" | "swift" | "zig" | "bazel"
        | "dune" | "stack" | "cabal" | "flutter" | "dart" | "rake" | "make" | "gmake" | "just" | "task"
        | "ninja" | "meson"
            if script("test") || script("tests") || has(&["verify", "check", "spec"]) =>
        {
            Some(Test)
        }
        "make" | "gmake" | "ninja" => Some(Build),
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "mix" | "dotnet" | "swift" | "zig" | "bazel"
        | "dune" | "stack" | "cabal" | "flutter" | "dart" | "rake" | "just" | "task" | "meson" | "docker"
            if script("build") || has(&["compile", "package", "assemble", "install", "publish"]) =>
        {
            Some(Build)
        }
        "cmake" => Some(Build),
        "pytest" | "py.test" | "tox" | "nox" | "jest" | "vitest" | "mocha" | "ava" | "playwright"
        | "cypress" | "rspec" | "phpunit" | "ctest" | "bats" | "busted" | "pest" => Some(Test),
        "tsc" | "vite" | "webpack" | "rollup" | "esbuild" | "svelte-check" | "gcc" | "g++" | "cc"
        | "clang" | "rustc" | "javac" | "ghc" | "xcodebuild" => Some(Build),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extra, message::Role};

    #[test]
    fn test_and_build_commands_are_recognized() {
        use CommandKind::{Build, Test};
        for (command, expect) in [
            ("cargo test -p bc-core", Some(Test)),
            ("cargo +nightly nextest run", Some(Test)),
            ("cd ui && npm run build", Some(Build)),
            ("cd ui && npm run test:unit", Some(Test)),
            ("npm --prefix ui test", Some(Test)),
            ("CI=1 timeout 60 npx vitest run", Some(Test)),
            ("python3 -m pytest -q tests", Some(Test)),
            ("go vet ./...", Some(Build)),
            ("./gradlew assembleDebug build", Some(Build)),
            ("make", Some(Build)),
            ("make check", Some(Test)),
            ("cargo build && cargo test", Some(Test)),
            ("/usr/bin/cargo clippy --all-targets 2>&1 | tail -5", Some(Build)),
            ("ls -la", None),
            ("git commit -m 'cargo test passes'", None),
            ("echo \"npm test\"", None),
            ("cat Makefile", None),
            ("npm install", None),
            ("cargo fmt", None),
            ("", None),
        ] {
            assert_eq!(kind_of(command), expect, "{command}");
        }
    }

    fn message(calls: &[(&str, Option<&str>, bool)]) -> Message {
        let at = chrono::DateTime::UNIX_EPOCH.fixed_offset();
        let mut message = Message::new("m", Role::Assistant, "", at);
        let call = |&(command, output, is_error): &(&str, Option<&str>, bool)| ToolCall {
            tool: "Bash".into(),
            input: Extra::from_iter([("command".to_owned(), command.into())]),
            output: output.map(Into::into),
            duration_ms: None,
            id: None,
            is_error,
            details: None,
            extra: Extra::new(),
        };
        message.tool_calls = Some(calls.iter().map(call).collect());
        message
    }

    fn exits(calls: &[(&str, Option<&str>, bool)]) -> Vec<Option<i32>> {
        ran_commands(&[message(calls)]).iter().map(|ran| ran.exit).collect()
    }

    #[test]
    fn exit_codes_are_read_from_claudes_results() {
        assert_eq!(exits(&[("cargo test", Some("ok"), false)]), [Some(0)]);
        assert_eq!(exits(&[("cargo test", Some("Exit code 101\nerror: test failed"), true)]), [Some(101)]);
        assert_eq!(exits(&[("cargo test", Some("Error: Exit code 2"), true)]), [Some(2)]);
        assert_eq!(exits(&[("cargo test", Some("[Request interrupted by user]"), true)]), [None]);
        assert_eq!(exits(&[("cargo test", None, false)]), [None]);
    }

    #[test]
    fn a_pipe_hides_the_exit_code_of_earlier_commands() {
        assert_eq!(exits(&[("cargo test 2>&1 | tail -3", Some("ok"), false)]), [None]);
        assert_eq!(exits(&[("cargo test; echo done", Some("done"), false)]), [None]);
        assert_eq!(exits(&[("cargo test || true", Some(""), false)]), [None]);
        assert_eq!(exits(&[("cargo test; cargo build", Some("ok"), false)]), [None]);
        assert_eq!(exits(&[("cargo build; cargo test", Some("ok"), false)]), [Some(0)]);
        assert_eq!(exits(&[("cargo test 2>&1", Some("ok"), false)]), [Some(0)]);
        assert_eq!(exits(&[("cd x; cargo test && echo ok", Some("ok"), false)]), [Some(0)]);
        assert_eq!(exits(&[("cargo test 2>&1 | tail", Some("Exit code 1"), true)]), [Some(1)]);
    }

    #[test]
    fn a_repeated_command_is_listed_once_with_its_last_result() {
        let ran = ran_commands(&[message(&[
            ("cargo test", Some("Exit code 101"), true),
            ("ls", Some("a"), false),
            ("cargo test", Some("ok"), false),
            ("cargo build", Some("ok"), false),
        ])]);
        let shown: Vec<_> = ran.iter().map(|r| (r.command.as_str(), r.exit)).collect();
        assert_eq!(shown, [("cargo test", Some(0)), ("cargo build", Some(0))]);
    }
}
