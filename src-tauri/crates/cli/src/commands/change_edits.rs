//! `session revert` and `session commit`.

use super::{Context, session_lookup::resolve_session};
use crate::{
    args::{CommitArgs, RevertArgs},
    failure::Failure,
    output::changes,
};
use bc_wire::session::{CommitParams, KeptReverts, RevertParams, RevertRef, SessionChangesParams};

pub(super) fn revert(args: &RevertArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let session = resolve_session(&args.session.id, context)?;
    let id = session.id;
    let listed = match (&args.undo, &args.file) {
        (Some(revert), _) => context.api.session_undo_revert(RevertRef { id, revert: revert.clone() })?,
        (None, None) => context.api.session_reverts(session)?,
        (None, Some(path)) => {
            let changes = context.api.session_changes(SessionChangesParams { id, ignore_space: false })?;
            let content =
                changes.files.into_iter().find(|file| file.path == *path).and_then(|file| file.content);
            let hunk = args.hunk.map(|hunk| hunk - 1);
            let kept = context.api.session_revert(RevertParams { id, path: path.clone(), hunk, content })?;
            KeptReverts { reverts: vec![kept] }
        }
    };
    context.print(&listed, changes::reverts)
}

pub(super) fn commit(args: &CommitArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let session = resolve_session(&args.session.id, context)?;
    let Some(message) = &args.message else {
        let preview = context.api.session_commit_preview(session)?;
        return context.print(&preview, changes::commit_preview);
    };
    let message = context.read(message.clone())?;
    let params = CommitParams { id: session.id, message, paths: args.files.clone() };
    let committed = context.api.session_commit(params)?;
    context.print(&committed, changes::committed)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    #[test]
    fn a_hunk_is_counted_from_one_and_reverted_with_its_current_content() {
        let kept = json!({"revert": "r1", "path": "a.rs", "hunk": "@@ -1 +1 @@", "at": "2026-01-19T10:00:00-06:00", "undoable": true});
        let file = json!({"path": "a.rs", "from": null, "change": "modified", "added": 1, "removed": 1, "diff": "", "cut": false, "content": "1..2"});
        let changes = json!({"of": "folder", "base": null, "base_branch": null, "commits": [], "files": [file], "cut": false,
            "uncommitted": [], "before": [], "notes": []});
        let fake = || {
            FakeProject::new()
                .answers("session.revert", kept.clone())
                .answers("session.changes", changes.clone())
                .answers("session.undo_revert", json!({"reverts": []}))
                .answers("session.reverts", json!({"reverts": [kept.clone()]}))
        };
        let ran = fake().run(&["session", "revert", ID, "a.rs", "--hunk", "2"], FakeUser::away());
        assert_eq!(ran.calls[1].1, json!({"id": ID, "path": "a.rs", "hunk": 1, "content": "1..2"}));
        assert!(ran.out.contains("r1") && ran.out.contains("a.rs"), "{}", ran.out);
        let ran = fake().run(&["session", "revert", ID, "--undo", "r1"], FakeUser::away());
        assert_eq!((ran.calls[0].1["revert"].as_str(), ran.code), (Some("r1"), 0));
        assert!(fake().run(&["session", "revert", ID], FakeUser::away()).out.contains("@@ -1 +1 @@"));
        assert_eq!(fake().run(&["session", "revert", ID, "a.rs", "--hunk", "0"], FakeUser::away()).code, 2);
    }

    #[test]
    fn a_commit_without_a_message_shows_the_proposed_one() {
        let preview = json!({"message": "Tidy", "branch": "work", "author": "Ann", "files": [{"path": "a.rs", "change": "modified"}],
            "skipped_hooks": ["pre-commit"], "unsigned": false});
        let done = json!({"hash": "4be19c70e5c3f91d20a07be4f1c9a07be9d2c1f0", "subject": "-m x", "files": 1});
        let fake = || {
            FakeProject::new()
                .answers("session.commit_preview", preview.clone())
                .answers("session.commit", done.clone())
        };
        let ran = fake().run(&["session", "commit", ID], FakeUser::away());
        assert!(["Tidy", "a.rs", "pre-commit"].iter().all(|word| ran.out.contains(word)), "{}", ran.out);
        let ran = fake().run(&["session", "commit", ID, "a.rs", "-m", "-m x"], FakeUser::away());
        assert_eq!(ran.calls[0].1, json!({"id": ID, "message": "-m x", "paths": ["a.rs"]}));
        assert!(ran.out.contains("4be19c70"), "{}", ran.out);
    }
}
