//! `session checkpoints`, `restore` and `fork`.

use super::{Context, Next, session_lookup::resolve_session, session_trash, start_resume};
use crate::{
    args::{CheckpointsArgs, ForkArgs, SessionRestoreArgs},
    failure::Failure,
    output::checkpoints,
};
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    session::{CheckpointCompareParams, CheckpointLine, RestoreFilesParams, SessionForkParams, SessionRef},
};

pub(super) fn list(args: &CheckpointsArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let which = resolve_session(&args.session.id, context)?;
    let Some(from) = args.compare else {
        let found = context.api.session_checkpoints(which)?;
        return context.print_warned(&found, &found.notes, checkpoints::list);
    };
    let params =
        CheckpointCompareParams { id: which.id, from, to: args.with, ignore_space: args.ignore_space };
    let changes = context.api.session_compare(params)?;
    context.print(&changes, |changes, style| checkpoints::changes(changes, args.diff, style))
}

pub(super) fn restore(args: &SessionRestoreArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    if args.checkpoint.is_none() && args.turn.is_none() {
        if !args.files.is_empty() || args.anyway {
            return Err(Failure::usage("files are restored from a checkpoint: add --checkpoint or --turn"));
        }
        return session_trash::restore(&args.session.id, context);
    }
    let id = resolve_session(&args.session.id, context)?.id;
    let checkpoint = resolve_checkpoint(id, args.checkpoint, args.turn, context)?;
    let params = RestoreFilesParams { id, checkpoint, files: args.files.clone(), anyway: args.anyway };
    let restored = context.api.session_restore_files(params)?;
    context.print(&restored, |restored, style| checkpoints::restored(id, restored, style))
}

pub(super) fn fork(args: ForkArgs, context: &mut Context<'_>) -> Result<Next, Failure> {
    start_resume::needs_terminal(args.attach, "--attach", context)?;
    let id = resolve_session(&args.session.id, context)?.id;
    let checkpoint = resolve_checkpoint(id, args.checkpoint, args.turn, context)?;
    let prompt = args.prompt.map(|text| context.read_trimmed(text)).transpose()?;
    let size = context.io.terminal();
    let params = SessionForkParams { id, checkpoint, turn: args.turn, branch: args.branch, prompt, size };
    let started = context.api.session_fork(params)?;
    start_resume::print_started(&started, "started", args.attach, context)
}

/// The number of the named checkpoint, or of the checkpoint before this turn.
fn resolve_checkpoint(
    id: SessionId,
    checkpoint: Option<u32>,
    turn: Option<u32>,
    context: &Context<'_>,
) -> Result<u32, ApiError> {
    if let Some(number) = checkpoint {
        return Ok(number);
    }
    let wanted = turn.unwrap_or_default();
    let all = context.api.session_checkpoints(SessionRef { id })?.checkpoints;
    let has = |line: &&CheckpointLine| line.turns.iter().any(|turn| turn.turn == wanted);
    all.iter().find(has).map(|line| line.number).ok_or_else(|| {
        let text = format!("session {} has no checkpoint before prompt {wanted}", id.short());
        ApiError::new(ErrorCode::CheckpointNotFound, text)
            .hint(format!("`beads-console session checkpoints {}` lists them", id.short()))
    })
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser, Ran};
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn run(line: &[&str]) -> Ran {
        let checkpoint = json!({
            "number": 3, "reference": "refs/beads-console/checkpoints/x/000003", "at": "2026-01-19T10:00:00-06:00",
            "head": "4be19c7aaaa", "branch": "main", "restore": null,
            "turns": [{"turn": 4, "at": "2026-01-19T10:00:00-06:00", "words": "Validate"},
                {"turn": 5, "at": "2026-01-19T10:05:00-06:00", "words": "And \u{1b}[31mmore"}],
            "changed": {"files": 2, "added": 9, "removed": 8},
            "left_out": [{"path": "big.bin", "why": "too large"}], "left_out_more": 0, "submodules": 1,
        });
        let before = json!({
            "number": 4, "reference": "refs/beads-console/checkpoints/x/000004", "at": "2026-01-19T10:10:00-06:00",
            "head": null, "branch": null, "restore": {"checkpoint": 3, "files": ["src/login.rs"]}, "turns": [],
            "changed": null, "left_out": [], "left_out_more": 0, "submodules": 0,
        });
        FakeProject::new()
            .answers(
                "session.checkpoints",
                json!({"checkpoints": [checkpoint, before], "has_folder": true, "notes": []}),
            )
            .answers("session.compare", json!({"files": [], "cut": false, "uncommitted": []}))
            .answers(
                "session.restore_files",
                json!({"undo": 5, "reference": "refs/beads-console/checkpoints/x/000005",
                    "written": ["src/login.rs"], "deleted": ["new.rs"],
                    "skipped": [{"path": "a", "why": "its folder is a link"}], "submodules": 1}),
            )
            .answers("session.fork", json!({"session": test_doubles::session(1)}))
            .answers("session.restore", test_doubles::session(1))
            .run(&[&["session"], line].concat(), FakeUser::away())
    }

    #[test]
    fn checkpoints_are_listed_with_their_prompts() {
        let ran = run(&["checkpoints", ID]);
        assert!(
            ran.out.contains("3") && ran.out.contains("Validate") && ran.out.contains("+9 -8"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("before the restore of 3: src/login.rs"), "{}", ran.out);
        assert!(ran.out.contains("big.bin (too large)"), "{}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    }

    #[test]
    fn a_turn_names_its_checkpoint() {
        let ran = run(&["restore", ID, "--turn", "5", "src/login.rs"]);
        assert_eq!(
            ran.calls[1],
            (
                "session.restore_files",
                json!({"id": ID, "checkpoint": 3, "files": ["src/login.rs"], "anyway": false})
            )
        );
        assert!(ran.out.contains("session restore 00000001 --checkpoint 5"), "{}", ran.out);
        let unknown = run(&["restore", ID, "--turn", "9"]);
        assert_eq!((unknown.code, unknown.calls.len()), (3, 1), "{}", unknown.err);
    }

    #[test]
    fn without_a_checkpoint_restore_means_the_trash() {
        let ran = run(&["restore", ID]);
        assert_eq!(ran.calls[0], ("session.restore", json!({"id": ID})));
        let ran = run(&["restore", ID, "src/login.rs"]);
        assert_eq!((ran.code, ran.calls.len()), (2, 0), "{}", ran.err);
    }

    #[test]
    fn a_checkpoint_is_compared_with_the_current_files_or_with_a_second_one() {
        assert_eq!(run(&["checkpoints", ID, "--compare", "3"]).calls[0].1["to"], json!(null));
        let ran = run(&["checkpoints", ID, "--compare", "3", "--with", "4"]);
        assert_eq!((&ran.calls[0].1["from"], &ran.calls[0].1["to"]), (&json!(3), &json!(4)));
        assert_eq!(run(&["checkpoints", ID, "--with", "4"]).code, 2);
    }

    #[test]
    fn a_fork_names_the_prompt_before_which_it_continues() {
        let ran = run(&["fork", ID, "--turn", "5", "--prompt", "Try another way"]);
        let params = &ran.calls[1].1;
        assert_eq!((&params["checkpoint"], &params["turn"]), (&json!(3), &json!(5)));
        assert_eq!(params["prompt"], "Try another way");
        assert_eq!(run(&["fork", ID]).code, 2, "it needs a checkpoint or a prompt");
    }
}
