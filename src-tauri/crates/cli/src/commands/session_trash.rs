//! `session delete`, `trash`, `restore` and `cleanup`.

use super::{
    Context, export,
    session_lookup::{only, resolve_sessions},
};
use crate::{
    args::{DeleteArgs, SessionKey},
    failure::Failure,
    output::{session, session_end},
};
use bc_wire::{
    project::Nothing,
    session::{DeleteManyParams, Deleted, ExportFormat, NotDeleted, SessionRef},
};
use std::path::Path;

/// Deletes the named sessions or those in the range; exports them first, if requested.
pub(super) fn delete(args: &DeleteArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let ids = resolve_sessions(&args.ids, context)?;
    let params = DeleteManyParams {
        ids,
        before: args.before.map(|moment| moment.0),
        after: args.after.map(|moment| moment.0),
        dry_run: args.dry_run,
    };
    let deleted = match &args.export_first {
        Some(folder) if !args.dry_run => exported_first(&params, folder, args.force, context)?,
        _ => context.api.session_delete_many(params)?,
    };
    let refused = deleted.refused.first().map(|refused| refused.error.clone());
    // If every deletion was refused, the command fails with the first error. An empty range is a success.
    if let Some(error) = refused.clone().filter(|_| deleted.sessions.is_empty()) {
        return Err(error.into());
    }
    context.print(&deleted, |deleted, style| session_end::deleted(deleted, args.dry_run, style))?;
    refused.map_or(Ok(()), |_| Err(Failure::Reported))
}

/// Exports the sessions, then deletes those whose export succeeded. The export includes tool output and
/// secrets, because it may be the only remaining copy.
fn exported_first(
    params: &DeleteManyParams,
    folder: &Path,
    force: bool,
    context: &mut Context<'_>,
) -> Result<Deleted, Failure> {
    let wanted = context.api.session_delete_many(DeleteManyParams { dry_run: true, ..params.clone() })?;
    let (mut ids, mut refused) = (Vec::new(), wanted.refused);
    for session in &wanted.sessions {
        let id = session.meta.id;
        let options = export::ExportOptions {
            format: ExportFormat::Json,
            no_tool_output: false,
            keep_secrets: true,
            force,
        };
        match export::into_folder(id, options, folder, context) {
            Ok(_) => ids.push(id),
            Err(Failure::Api(error)) => refused.push(NotDeleted { id, error }),
            Err(other) => return Err(other),
        }
    }
    let mut deleted = match ids.is_empty() {
        true => Deleted { sessions: Vec::new(), refused: Vec::new() },
        false => context.api.session_delete_many(DeleteManyParams { ids, ..DeleteManyParams::default() })?,
    };
    deleted.refused.extend(refused);
    Ok(deleted)
}

pub(super) fn trash(context: &mut Context<'_>) -> Result<(), Failure> {
    let trash = context.api.session_trash(Nothing {})?;
    context.print_warned(&trash, &trash.warnings, session_end::trash)
}

pub(super) fn restore(key: &SessionKey, context: &mut Context<'_>) -> Result<(), Failure> {
    // The list of sessions omits the trash.
    let id = only(key, "deleted session", "`beads-console session trash` lists them", || {
        let all = context.api.session_trash(Nothing {})?.sessions;
        Ok(all.into_iter().map(|trashed| trashed.meta).collect())
    })?;
    let session = context.api.session_restore(SessionRef { id })?;
    context.print(&session, session::line)
}

pub(super) fn cleanup(context: &mut Context<'_>) -> Result<(), Failure> {
    let cleaned = context.api.session_cleanup(Nothing {})?;
    context.print(&cleaned, |cleaned, style| {
        let mut text = session_end::cleaned(cleaned);
        text.push_str(&session::stale(&cleaned.stale, style));
        text
    })?;
    context.warn(&cleaned.warnings)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser};
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    #[test]
    fn delete_prints_restore_commands() {
        let ran = FakeProject::new()
            .answers("session.delete_many", json!({"sessions": [test_doubles::session(1)]}))
            .run(&["session", "delete", ID], FakeUser::away());
        let params = json!({"ids": [ID], "before": null, "after": null, "dry_run": false});
        assert_eq!(ran.calls, [("session.delete_many", params)]);
        assert!(ran.out.contains("session restore 00000001"), "{}", ran.out);
    }

    #[test]
    fn delete_needs_ids_or_a_range() {
        let ran = FakeProject::new().answers("session.delete_many", json!({"sessions": []})).run(
            &["session", "delete", "--before", "2026-01-19T10:00:00-06:00", "--dry-run"],
            FakeUser::away(),
        );
        assert_eq!(ran.calls[0].1["before"], "2026-01-19T10:00:00-06:00");
        assert_eq!((ran.code, ran.calls[0].1["dry_run"].clone()), (0, json!(true)));
        assert_eq!(FakeProject::new().run(&["session", "delete"], FakeUser::away()).code, 2);
    }

    #[test]
    fn refused_deletions_are_reported() {
        let refused = json!({"id": ID, "error": {"code": "session_state", "message": "it is active"}});
        let run = |sessions: serde_json::Value| {
            FakeProject::new()
                .answers("session.delete_many", json!({"sessions": sessions, "refused": [refused]}))
                .run(&["session", "delete", ID, ID], FakeUser::away())
        };
        let none = run(json!([]));
        assert_eq!((none.code, none.out.as_str()), (4, ""));
        let some = run(json!([test_doubles::session(1)]));
        assert_eq!(some.code, 1);
        assert!(some.out.contains("it is active"), "{}", some.out);
    }

    #[test]
    fn failed_export_prevents_deletion() {
        let ran = FakeProject::new()
            .answers("session.delete_many", json!({"sessions": [test_doubles::session(1)]}))
            .answers("session.export", json!({"file_name": "x.json", "text": "{}"}))
            .run(&["session", "delete", ID, "--export-first", "/dev/null/x"], FakeUser::away());
        let methods: Vec<_> =
            ran.calls.iter().map(|(method, params)| (*method, params["dry_run"].clone())).collect();
        assert_eq!(methods[0], ("session.delete_many", json!(true)));
        assert!(methods.iter().skip(1).all(|(method, _)| *method == "session.export"), "{methods:?}");
        assert_ne!(ran.code, 0);
    }

    #[test]
    fn restore_accepts_a_prefix() {
        let trashed = json!({
            "meta": test_doubles::session(1).meta, "deleted_at": "2026-01-19T10:00:00-06:00", "removed_at": "2026-01-26T10:00:00-06:00",
        });
        let fake = || {
            FakeProject::new()
                .answers("session.trash", json!({"sessions": [trashed]}))
                .answers("session.restore", test_doubles::session(1))
        };
        let ran = fake().run(&["session", "restore", "0000"], FakeUser::away());
        assert_eq!(ran.calls[1], ("session.restore", json!({"id": ID})));
        assert_eq!(fake().run(&["session", "restore", "ffff"], FakeUser::away()).code, 3);
        let shown = fake().run(&["session", "trash"], FakeUser::away());
        assert!(shown.out.contains("00000001") && shown.out.contains("2026-01-26"), "{}", shown.out);
    }

    #[test]
    fn cleanup_reports_changes_and_stale_sessions() {
        let mut paused = test_doubles::session(1);
        paused.meta.status = bc_core::session::Status::Paused;
        let cleaned =
            json!({"closed_drafts": [ID], "removed": [], "stale": {"sessions": [paused], "days": 7}});
        let ran = FakeProject::new()
            .answers("session.cleanup", cleaned)
            .run(&["session", "cleanup"], FakeUser::away());
        assert!(ran.out.contains("1 draft") && ran.out.contains("7 days"), "{}", ran.out);
        assert!(ran.out.contains("session resume 00000001"), "{}", ran.out);
    }
}
