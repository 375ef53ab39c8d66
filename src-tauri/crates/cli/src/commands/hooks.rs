//! `hooks …`: lists, tests and reloads hooks, grants and revokes permission for them, and shows their runs.

use super::{Context, session_lookup::resolve_session};
use crate::{
    args::{HooksCommand, RunsArgs, Switch, TrustArgs},
    failure::Failure,
    output::hooks,
};
use bc_core::hooks::HookEvent;
use bc_wire::{ApiError, ErrorCode, hooks::*, project::Nothing};
use std::path::{Path, PathBuf};

pub(super) fn run(command: HooksCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        HooksCommand::List => {
            let files = context.api.hooks_list(Nothing {})?;
            show(&files, context)
        }
        HooksCommand::Trust(args) => trust(&args, context),
        HooksCommand::Untrust { file } => {
            let files = context.api.hooks_list(Nothing {})?;
            let allowed =
                |state| matches!(state, HookFileState::Trusted | HookFileState::Off | HookFileState::Changed);
            let path = one_of(&files, file.as_deref(), allowed, "is allowed")?.path.clone();
            let files =
                context.api.hooks_trust(HookTrustParams { path, trusted: false, fingerprint: None })?;
            show(&files, context)
        }
        HooksCommand::Test { event, payload } => test(event, payload.as_deref(), context),
        HooksCommand::Runs(RunsArgs { session, event, failed, limit }) => {
            let session =
                session.map(|key| resolve_session(&key, context)).transpose()?.map(|found| found.id);
            let params = HookRunsParams { session, event, failed, limit };
            let shown = context.api.hooks_runs(params)?;
            context.print_warned(&shown, &shown.warnings, hooks::all_runs)
        }
        HooksCommand::Reload => {
            let reloaded = context.api.hooks_reload(Nothing {})?;
            context.print(&reloaded, |reloaded, _| match reloaded.sessions {
                0 => "no live session; the next one reads the current hooks\n".to_owned(),
                1 => "1 session reloads its hooks\n".to_owned(),
                n => format!("{n} sessions reload their hooks\n"),
            })
        }
        HooksCommand::Workspace { switch } => {
            let files = context.api.hooks_allow(HookAllowParams { workspace: switch == Switch::On })?;
            show(&files, context)
        }
    }
}

fn show(files: &HookFiles, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print_warned(files, &files.warnings, hooks::list)
}

/// Shows a file's content and asks, unless `--yes` is given; then allows exactly that content.
fn trust(args: &TrustArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let files = context.api.hooks_list(Nothing {})?;
    let waits = |state| matches!(state, HookFileState::New | HookFileState::Changed);
    let file = one_of(&files, args.file.as_deref(), waits, "awaits permission")?;
    if !args.yes && !ask(file, context)? {
        return context.note("nothing was allowed");
    }
    let files = context.api.hooks_trust(permission(file))?;
    show(&files, context)
}

/// Shows a file and asks whether to allow it. With `--json` or without a terminal, returns an error.
fn ask(file: &HookFile, context: &mut Context<'_>) -> Result<bool, Failure> {
    if !context.json {
        let shown = hooks::content(file, &context.io.style());
        context.io.err().write_all(shown.as_bytes())?;
    }
    let question = match file.scope {
        HookScope::Git => {
            format!("Allow git to run the programs named in {}, in their current version?", file.path)
        }
        _ => format!("Allow the hooks of {} with their current content?", file.path),
    };
    let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, question)
        .hint("check it with `beads-console hooks list`, then agree with --yes");
    context.agrees(refusal)
}

fn permission(file: &HookFile) -> HookTrustParams {
    HookTrustParams { path: file.path.clone(), trusted: true, fingerprint: file.fingerprint.clone() }
}

/// Asks about the programs in the repository's git settings that made a command fail. Returns false if the
/// user declines, or if no programs await permission.
pub(crate) fn allow_git_programs(refusal: &ApiError, context: &mut Context<'_>) -> Result<bool, Failure> {
    context.note(&bc_core::text::plain(&refusal.message))?;
    let files = context.api.hooks_list(Nothing {})?.files;
    let waits = |file: &&HookFile| {
        file.scope == HookScope::Git && matches!(file.state, HookFileState::New | HookFileState::Changed)
    };
    let waiting: Vec<&HookFile> = files.iter().filter(waits).collect();
    for file in &waiting {
        if !ask(file, context)? {
            return Ok(false);
        }
        context.api.hooks_trust(permission(file))?;
    }
    Ok(!waiting.is_empty())
}

fn test(event: HookEvent, payload: Option<&Path>, context: &mut Context<'_>) -> Result<(), Failure> {
    let text = match payload {
        None => None,
        Some(path) if path == Path::new("-") => Some(context.io.read_text()?),
        Some(path) => Some(std::fs::read_to_string(path).map_err(|error| {
            ApiError::new(ErrorCode::Usage, format!("cannot read {}: {error}", path.display()))
        })?),
    };
    let payload = match text.map(|text| serde_json::from_str(&text)).transpose() {
        Ok(payload) => payload,
        Err(error) => return Err(Failure::usage(format!("the payload is not JSON: {error}"))),
    };
    let tested = context.api.hooks_test(HookTestParams { event, payload })?;
    context.print_warned(&tested, &tested.warnings, hooks::test)
}

/// The named file, or the only file whose state fits.
fn one_of<'a>(
    files: &'a HookFiles,
    named: Option<&Path>,
    fits: impl Fn(HookFileState) -> bool,
    what: &str,
) -> Result<&'a HookFile, ApiError> {
    let Some(named) = named else {
        let mut fitting = files.files.iter().filter(|file| fits(file.state));
        return match (fitting.next(), fitting.next()) {
            (Some(file), None) => Ok(file),
            (None, _) => Err(ApiError::new(ErrorCode::Usage, format!("no hooks file {what}"))
                .hint("`beads-console hooks list` shows all hooks files")),
            (Some(_), Some(_)) => {
                Err(ApiError::new(ErrorCode::Usage, format!("more than one hooks file {what}"))
                    .hint("name one of the files in `beads-console hooks list`"))
            }
        };
    };
    let canonical =
        |path: &Path| path.canonicalize().map(bc_core::paths::plain).unwrap_or_else(|_| path.to_owned());
    let whole: PathBuf = canonical(named);
    let found = files.files.iter().find(|file| {
        let path = Path::new(&file.path);
        path == named || path == whole || (canonical(path) == whole && path.file_name() == named.file_name())
    });
    found.filter(|file| file.state != HookFileState::Absent).ok_or_else(|| {
        ApiError::new(ErrorCode::Usage, format!("{} is not a hooks file", named.display()))
            .hint("`beads-console hooks list` shows all hooks files")
    })
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::{Value, json};

    fn files(state: &str) -> Value {
        json!({"workspace_allowed": true, "files": [
            {"path": "/home/a/.config/beads-console/hooks.json", "scope": "user", "state": "absent", "hooks": [], "scripts": []},
            {"path": "/p/hooks.json", "scope": "workspace", "state": state, "fingerprint": "f1", "text": "{}",
             "hooks": [{"event": "sessionEnd", "bash": "./x.sh\u{1b}[2J", "cwd": ".", "timeout_ms": 30000, "enabled": true}],
             "scripts": [{"path": "/p/x.sh", "sha256": "00", "text": "echo '{}'"}], "change": "--- a\n+++ a\n+new\n"}]})
    }

    #[test]
    fn trust_covers_exactly_the_displayed_content() {
        let fake = FakeProject::new()
            .answers("hooks.list", files("changed"))
            .answers("hooks.trust", files("trusted"));
        let ran = fake.run(&["hooks", "trust"], FakeUser::says("y"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(
            ran.err.contains("echo '{}'") && ran.err.contains("+new") && !ran.err.contains('\u{1b}'),
            "{}",
            ran.err
        );
        assert_eq!(ran.calls[1].1, json!({"path": "/p/hooks.json", "trusted": true, "fingerprint": "f1"}));
        let ran = fake.run(&["hooks", "trust"], FakeUser::says("n"));
        assert_eq!((ran.code, ran.calls.len()), (0, 1));
        let ran = fake.run(&["hooks", "trust"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (4, 1), "{}", ran.err);
        let ran = fake.run(&["hooks", "trust", "--yes", "/p/hooks.json"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (0, 2), "{}", ran.err);
    }

    #[test]
    fn runs_show_session_and_output() {
        let run = json!({"version": 1, "at": "2026-01-19T10:00:00Z", "event": "sessionEnd", "reason": "pause",
            "file": "/p/hooks.json", "command": "./x.sh", "duration_ms": 1200, "exit": 3, "stdout": "{}",
            "stderr": "no disk\u{1b}[2J", "warning": "it ended with exit code 3"});
        let session = "3f25e1c0-0000-4000-8000-000000000001";
        let answer = json!({"runs": [{"session_id": session, "run": run}], "total": 4});
        let fake = FakeProject::new().answers("hooks.runs", answer);
        let line =
            ["hooks", "runs", "--session", session, "--event", "sessionEnd", "--failed", "--limit", "1"];
        let ran = fake.run(&line, FakeUser::away());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let params = json!({"session": session, "event": "sessionEnd", "failed": true, "limit": 1});
        assert_eq!(ran.calls.last().unwrap().1, params);
        for word in ["3f25e1c0", "sessionEnd (pause): ./x.sh", "1,200 ms", "exit 3", "no disk", "3 more"] {
            assert!(ran.out.contains(word), "{word}: {}", ran.out);
        }
        assert!(!ran.out.contains('\u{1b}'));
    }

    #[test]
    fn trust_without_a_matching_file_is_a_usage_error() {
        let fake = FakeProject::new().answers("hooks.list", files("trusted"));
        for line in
            [&["hooks", "trust"][..], &["hooks", "trust", "/p/other.json"], &["hooks", "test", "onCoffee"]]
        {
            assert_eq!(fake.run(line, FakeUser::away()).code, 2, "{line:?}");
        }
    }

    #[test]
    fn list_shows_whether_each_file_runs() {
        let ran =
            FakeProject::new().answers("hooks.list", files("new")).run(&["hooks", "list"], FakeUser::away());
        assert!(ran.out.contains("/p/hooks.json") && ran.out.contains("not allowed yet"), "{}", ran.out);
        assert!(ran.out.contains("sessionEnd") && ran.out.contains("hooks trust"), "{}", ran.out);
        assert!(!ran.out.contains(".config"), "{}", ran.out);
    }

    #[test]
    fn test_reads_the_payload_from_stdin() {
        let tested = json!({"payload": {}, "runs": [{"version": 1, "at": "2026-01-19T10:00:00Z", "event": "preToolUse",
            "file": "/p/hooks.json", "command": "./x.sh", "duration_ms": 12, "exit": 0, "stdout": "{}", "decision": "deny"}],
            "context": ["told"], "decision": "deny", "reason": "not that"});
        let fake = FakeProject::new().answers("hooks.test", tested);
        let ran = fake.run(
            &["hooks", "test", "preToolUse", "--payload", "-"],
            FakeUser::types("{\"tool_name\":\"Bash\"}"),
        );
        assert_eq!(ran.calls[0].1, json!({"event": "preToolUse", "payload": {"tool_name": "Bash"}}));
        for word in ["./x.sh", "12 ms", "deny: not that", "told"] {
            assert!(ran.out.contains(word), "{word}: {}", ran.out);
        }
    }
}
