//! `backup`.

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
        // It was asked for, and is said above.
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
    context.print(&plan, |plan, looks| show::restore(plan, args.preview, looks))
}

fn sync(direction: SyncDirection, context: &mut Context<'_>) -> Result<(), Failure> {
    let synced = context.api.backup_sync_tracker(SyncTrackerParams { direction })?;
    context.print(&synced, |synced, _| format!("{}\n", bc_core::text::one_line(&synced.said)))
}

/// Prints what would be restored into a folder that has no beads yet.
pub(crate) fn preview(plan: &Restore, json: bool, io: &mut dyn crate::io::Io) -> Result<(), Failure> {
    super::print(plan, json, io, |plan, looks| show::restore(plan, true, looks))
}

#[cfg(test)]
mod tests {
    use crate::fake::{Fake, Person};
    use serde_json::{Value, json};

    fn done(push: Value) -> Value {
        json!({"changed": true, "commit": "0123456789abcdef0123456789abcdef01234567", "secrets_removed": 1,
            "counts": {"beads": 2, "memories": 1, "sessions": 1, "transcripts": 0}, "push": push,
            "warnings": ["a \u{1b}[31mwarning"]})
    }

    #[test]
    fn a_backup_says_what_is_in_it_and_a_push_that_fails_is_a_failure() {
        let fake = Fake::new().answers("backup.run", done(json!({"state": "not_wanted"})));
        let ran = fake.run(&["backup"], Person::away());
        let asked = json!({"push": null, "transcripts": null, "keep_secrets": false, "at_end": false});
        assert_eq!((ran.code, &ran.calls[0].1), (0, &asked));
        assert!(
            ran.out.contains("0123456789") && ran.out.contains("2 beads, 1 memory, 1 session"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("1 secret") && !ran.out.contains('\u{1b}'), "{}", ran.out);
        let failed = done(json!({"state": "failed", "remote": "origin", "error": "protected"}));
        let ran = Fake::new().answers("backup.run", failed).run(&["backup", "--push"], Person::away());
        assert_eq!((ran.code, ran.calls[0].1["push"].clone()), (1, true.into()));
        assert!(ran.out.contains("origin") && ran.out.contains("protected"), "{}", ran.out);
    }

    #[test]
    fn a_restore_can_be_looked_at_first() {
        let plan = json!({"from": ["0123456789abcdef0123456789abcdef01234567"], "made_at": null,
            "counts": {"beads": 2, "memories": 0, "sessions": 0, "transcripts": 0},
            "items": [{"kind": "bead", "key": "BC-1", "title": "One", "change": "added"},
                {"kind": "bead", "key": "BC-2", "title": "Two", "change": "kept"}],
            "beads": {"added": 1, "changed": 0, "kept": 1, "same": 0},
            "memories": {"added": 0, "changed": 0, "kept": 0, "same": 0},
            "sessions": {"added": 0, "changed": 0, "kept": 0, "same": 0},
            "fresh_tracker": false, "warnings": []});
        let fake =
            || Fake::new().answers("backup.preview", plan.clone()).answers("backup.restore", plan.clone());
        let ran = fake().run(&["backup", "restore", "--preview", "--from", "v1"], Person::away());
        assert_eq!(ran.calls, [("backup.preview", json!({"from": "v1", "fetch": false}))]);
        assert!(ran.out.contains("to add") && ran.out.contains("BC-1  One"), "{}", ran.out);
        let ran = fake().run(&["backup", "restore"], Person::away());
        assert_eq!(ran.calls[0].0, "backup.restore");
        assert!(ran.out.contains("added") && ran.out.contains("left as it is"), "{}", ran.out);
    }
}
