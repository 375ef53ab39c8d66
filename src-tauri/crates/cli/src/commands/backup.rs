//! `backup …`: backs up and restores beads, memories and session records, and syncs with a tracker's remote.

use super::Context;
use crate::{
    args::{BackupArgs, BackupCommand, MakeArgs, RestoreArgs},
    failure::Failure,
    output::backup as show,
};
use bc_wire::backup::*;

pub(super) fn run(args: &BackupArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    match &args.command {
        None => make(&args.make, context),
        Some(BackupCommand::Status) => {
            let status = context.api.backup_status(BackupStatusParams { tracker: true })?;
            context.print(&status, show::status)
        }
        Some(BackupCommand::Restore(args)) => restore(args, context),
        Some(BackupCommand::TrackerPush) => sync(SyncDirection::Push, context),
        Some(BackupCommand::TrackerPull) => sync(SyncDirection::Pull, context),
    }
}

fn make(args: &MakeArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = BackupRunParams {
        push: args.push.then_some(true),
        transcripts: args.transcripts.then_some(true),
        keep_secrets: args.keep_secrets,
        at_end: args.at_end,
    };
    let done = context.api.backup_run(params)?;
    context.print(&done, show::done)?;
    match (&done.push, args.push) {
        // The user requested this push; its failure is printed above.
        (BackupPush::Failed { .. } | BackupPush::NoRemote, true) => Err(Failure::Reported),
        _ => Ok(()),
    }
}

fn restore(args: &RestoreArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = RestoreParams { from: args.from.clone(), fetch: args.fetch };
    let plan = match args.preview {
        true => context.api.backup_preview(params)?,
        false => context.api.backup_restore(params)?,
    };
    context.print(&plan, |plan, style| show::restore(plan, args.preview, style))
}

fn sync(direction: SyncDirection, context: &mut Context<'_>) -> Result<(), Failure> {
    let synced = context.api.backup_sync_tracker(SyncTrackerParams { direction })?;
    context.print(&synced, |synced, _| format!("{}\n", bc_core::text::one_line(&synced.said)))
}

/// Prints the preview of a restore, which also works in a folder without beads.
pub(crate) fn preview(plan: &Restore, json: bool, io: &mut dyn crate::io::Io) -> Result<(), Failure> {
    super::context::print(plan, json, io, |plan, style| show::restore(plan, true, style))
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::{Value, json};

    fn done(push: Value) -> Value {
        json!({"changed": true, "commit": "0123456789abcdef0123456789abcdef01234567", "secrets_removed": 1,
            "counts": {"beads": 2, "memories": 1, "sessions": 1, "transcripts": 0}, "push": push,
            "warnings": ["a \u{1b}[31mwarning"]})
    }

    #[test]
    fn backup_reports_content_and_fails_if_its_push_fails() {
        let fake = FakeProject::new().answers("backup.run", done(json!({"state": "not_wanted"})));
        let ran = fake.run(&["backup"], FakeUser::away());
        let params = json!({"push": null, "transcripts": null, "keep_secrets": false, "at_end": false});
        assert_eq!((ran.code, &ran.calls[0].1), (0, &params));
        assert!(
            ran.out.contains("0123456789") && ran.out.contains("2 beads, 1 memory, 1 session"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("1 secret") && !ran.out.contains('\u{1b}'), "{}", ran.out);
        let failed = done(json!({"state": "failed", "remote": "origin", "error": "protected"}));
        let ran =
            FakeProject::new().answers("backup.run", failed).run(&["backup", "--push"], FakeUser::away());
        assert_eq!((ran.code, ran.calls[0].1["push"].clone()), (1, true.into()));
        assert!(ran.out.contains("origin") && ran.out.contains("protected"), "{}", ran.out);
    }

    #[test]
    fn restore_has_a_preview() {
        let plan = json!({"from": ["0123456789abcdef0123456789abcdef01234567"], "made_at": null,
            "counts": {"beads": 2, "memories": 0, "sessions": 0, "transcripts": 0},
            "items": [{"kind": "bead", "key": "BC-1", "title": "One", "change": "added"},
                {"kind": "bead", "key": "BC-2", "title": "Two", "change": "kept"}],
            "beads": {"added": 1, "changed": 0, "kept": 1, "same": 0},
            "memories": {"added": 0, "changed": 0, "kept": 0, "same": 0},
            "sessions": {"added": 0, "changed": 0, "kept": 0, "same": 0},
            "fresh_tracker": false, "warnings": []});
        let fake = || {
            FakeProject::new().answers("backup.preview", plan.clone()).answers("backup.restore", plan.clone())
        };
        let ran = fake().run(&["backup", "restore", "--preview", "--from", "v1"], FakeUser::away());
        assert_eq!(ran.calls, [("backup.preview", json!({"from": "v1", "fetch": false}))]);
        assert!(ran.out.contains("to add") && ran.out.contains("BC-1  One"), "{}", ran.out);
        let ran = fake().run(&["backup", "restore"], FakeUser::away());
        assert_eq!(ran.calls[0].0, "backup.restore");
        assert!(ran.out.contains("added") && ran.out.contains("unchanged"), "{}", ran.out);
    }
}
