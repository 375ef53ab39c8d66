//! `bead …`: reads beads, comments on them and changes their status. Other changes are in `bead_edit`;
//! rankings, graphs and histories are in `bead_insight`.

use super::{
    Context,
    bead_change::{Consents, actor, changed, closed},
    bead_edit, bead_insight,
};
use crate::{
    args::BeadCommand,
    failure::Failure,
    output::bead::{self, List},
};
use bc_core::bead::BeadStatus;
use bc_wire::{
    ApiError, ErrorCode,
    bead::{
        BeadClaimParams, BeadCloseParams, BeadCommentParams, BeadList, BeadListParams, BeadRef,
        BeadRejectParams, BeadReopenParams, BeadSubmitParams,
    },
    project::Nothing,
};

pub(super) fn run(command: BeadCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        BeadCommand::List { query, status } => {
            let query = query.unwrap_or_default();
            let what = if query.trim().is_empty() { List::All } else { List::Found };
            let params = BeadListParams { query, status, all: true, ..BeadListParams::default() };
            // `content` serves later requests of the same client, and a command makes only one request.
            let beads = BeadList { content: None, ..context.api.bead_list(params)? };
            list(&beads, what, context)
        }
        BeadCommand::Ready { explain: true } => explain(context),
        BeadCommand::Ready { explain: false } => {
            list(&context.api.bead_ready(Nothing {})?, List::Ready, context)
        }
        BeadCommand::Blocked => list(&context.api.bead_blocked(Nothing {})?, List::Blocked, context),
        BeadCommand::Show { id } => {
            let shown = context.api.bead_show(BeadRef { id })?;
            context.print(&shown, bead::page)
        }
        BeadCommand::Create(args) => bead_edit::create(*args, context),
        BeadCommand::Update(args) => bead_edit::update(*args, context),
        BeadCommand::Claim { id, by } => {
            let shown =
                context.api.bead_claim(BeadClaimParams { id, actor: actor(by) }).map_err(with_actor_hint)?;
            changed(&shown, "claimed", context)
        }
        BeadCommand::Comment { id, text, by } => {
            let text = context.read_trimmed(text)?;
            let shown = context.api.bead_comment(BeadCommentParams { id, text, actor: actor(by) })?;
            changed(&shown, "commented on", context)
        }
        BeadCommand::Submit { id, yes, without_commit, log, by } => {
            let (api, actor) = (context.api, actor(by));
            let declined = |code| ApiError::new(code, format!("nothing was changed: {id} stays unchanged"));
            let consents = Consents { add_status: yes, without_commit };
            let shown = consents.ask(context, declined, |Consents { add_status, without_commit }| {
                let (id, actor) = (id.clone(), actor.clone());
                api.bead_submit(BeadSubmitParams { id, add_status, without_commit, log, actor })
            })?;
            changed(&shown, "submitted", context)
        }
        BeadCommand::Approve { id, reason, by } => {
            let params = BeadCloseParams { id, reason, actor: actor(by) };
            let done = context.api.bead_approve(params).map_err(with_actor_hint)?;
            closed(&done, "approved", context)
        }
        BeadCommand::Reject { id, text, by } => {
            let text = context.read_trimmed(text)?;
            let shown = context.api.bead_reject(BeadRejectParams { id, text, actor: actor(by) })?;
            changed(&shown, "requested changes on", context)
        }
        BeadCommand::Close { id, reason, by } => {
            let params = BeadCloseParams { id, reason, actor: actor(by) };
            let done = context.api.bead_close(params).map_err(with_actor_hint)?;
            closed(&done, "closed", context)
        }
        BeadCommand::Reopen { id, reason, by } => {
            let shown = context.api.bead_reopen(BeadReopenParams { id, reason, actor: actor(by) })?;
            changed(&shown, "reopened", context)
        }
        BeadCommand::Delete { id, yes, by } => bead_edit::delete(id, yes, actor(by), context),
        BeadCommand::Undelete { id, by } => bead_edit::undelete(id, actor(by), context),
        BeadCommand::Dep { command } => bead_edit::dep(command, context),
        BeadCommand::Label { command } => bead_edit::label(command, context),
        BeadCommand::Next { after, limit } => bead_insight::next(after, limit, context),
        BeadCommand::Stale => bead_insight::stale(context),
        BeadCommand::Audit(args) => bead_insight::audit(args, context),
        BeadCommand::Graph(args) => bead_insight::graph(args, context),
    }
}

/// Adds a hint to a refusal because of another actor's claim: the holder may be the user under another name.
fn with_actor_hint(refusal: ApiError) -> ApiError {
    match refusal.code {
        ErrorCode::BeadClaimed => refusal.hint("if that is you under another name, add --actor NAME"),
        _ => refusal,
    }
}

fn list(beads: &BeadList, what: List, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(beads, |beads, style| bead::list(&beads.beads, what, style))?;
    context.warn(beads.note.as_slice())?;
    context.warn(&beads.warnings)
}

/// Lists the open beads that are neither in progress nor in review, each with the reasons why it is not
/// ready, if any.
fn explain(context: &mut Context<'_>) -> Result<(), Failure> {
    let mut beads = BeadList { content: None, ..context.api.bead_list(BeadListParams::default())? };
    beads.beads.retain(|bead| {
        bead.is_open() && !matches!(bead.status, BeadStatus::InProgress | BeadStatus::InReview)
    });
    context.print(&beads, |beads, style| bead::explained(&beads.beads, style))?;
    context.warn(beads.note.as_slice())?;
    context.warn(&beads.warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::{self, FakeProject, FakeUser};
    use serde_json::json;

    #[test]
    fn list_passes_query_and_status_filters() {
        let fake =
            FakeProject::new().answers("bead.list", json!({"beads": [], "warnings": ["line 3 is torn"]}));
        let ran = fake.run(&["bead", "list", "--status", "open,in_progress"], FakeUser::away());
        assert_eq!(ran.calls, [("bead.list", json!({"status": ["open", "in_progress"], "all": true}))]);
        assert!(ran.out.starts_with("No beads."), "{}", ran.out);
        assert_eq!(ran.err, "warning: line 3 is torn\n");
        let ran = fake.run(&["bead", "list", "-label:x text"], FakeUser::away());
        assert_eq!(ran.calls, [("bead.list", json!({"query": "-label:x text", "status": [], "all": true}))]);
        assert_eq!(ran.out, "No bead matches.\n");
    }

    #[test]
    fn json_output_matches_the_wire_type() {
        let answer = json!({"beads": [test_doubles::bead("BC-1", "A")], "warnings": []});
        let fake = FakeProject::new().answers("bead.ready", answer.clone());
        let ran = fake.run(&["bead", "ready", "--json"], FakeUser::away());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(), answer);
    }

    #[test]
    fn ready_explains_open_beads_only() {
        let mut waits = test_doubles::bead("BC-2", "Second");
        waits.ready = false;
        let reason = json!({"reason": "blocked_by", "id": "BC-1", "title": "First", "issue_type": "task",
            "kind": "blocks"});
        waits.not_ready = vec![serde_json::from_value(reason).unwrap()];
        let mut started = test_doubles::bead("BC-3", "Third");
        started.status = BeadStatus::InProgress;
        let beads = json!({"beads": [test_doubles::bead("BC-1", "First"), waits, started]});
        let fake = FakeProject::new().answers("bead.list", beads);
        let ran = fake.run(&["bead", "ready", "--explain"], FakeUser::away());
        assert!(ran.out.contains("blocked by BC-1 First") && !ran.out.contains("BC-3"), "{}", ran.out);
        assert!(ran.out.contains("ready"), "{}", ran.out);
    }

    fn submit(user: FakeUser, line: &[&str]) -> test_doubles::Ran {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "bd has no status in_review; add it?");
        FakeProject::new()
            .refuses_unless("bead.submit", "add_status", refusal)
            .answers("bead.submit", test_doubles::bead_shown("BC-1"))
            .run(line, user)
    }

    #[test]
    fn submit_asks_before_adding_a_status() {
        let ran = submit(FakeUser::says("y"), &["bead", "submit", "BC-1"]);
        assert!(ran.err.contains("add it?"), "{}", ran.err);
        assert_eq!((ran.code, ran.out.as_str()), (0, "submitted BC-1  Implement login\n"));
        assert_eq!(ran.calls[1].1["without_commit"], false);
    }

    #[test]
    fn submit_treats_other_answers_as_no() {
        let ran = submit(FakeUser::says("hm"), &["bead", "submit", "BC-1"]);
        assert_eq!(ran.code, 4);
        assert_eq!(ran.calls.len(), 1);
    }

    #[test]
    fn submit_without_a_terminal_needs_yes() {
        let ran = submit(FakeUser::away(), &["bead", "submit", "BC-1"]);
        assert_eq!(ran.code, 4);
        assert!(ran.err.contains("--yes"), "{}", ran.err);
        assert_eq!(submit(FakeUser::away(), &["bead", "submit", "BC-1", "--yes"]).code, 0);
    }

    #[test]
    fn json_mode_asks_no_questions() {
        let ran = submit(FakeUser::says("y"), &["bead", "submit", "BC-1", "--json"]);
        assert_eq!(ran.code, 4);
        assert!(ran.err.starts_with("{\"error\":{\"code\":\"confirmation_needed\""), "{}", ran.err);
    }

    #[test]
    fn reject_sends_the_requested_changes() {
        let fake = FakeProject::new().answers("bead.reject", test_doubles::bead_shown("BC-1"));
        let ran = fake.run(&["bead", "reject", "BC-1", "add a test"], FakeUser::away());
        assert_eq!(ran.out, "requested changes on BC-1  Implement login\n");
        assert_eq!(ran.calls, [("bead.reject", json!({"id": "BC-1", "text": "add a test", "actor": null}))]);
    }

    #[test]
    fn submit_asks_before_submitting_without_a_commit() {
        let refusal = ApiError::new(ErrorCode::CommitMissing, "no commit").hint("use --without-commit");
        let submit = |person: FakeUser, line: &[&str]| {
            FakeProject::new()
                .refuses_unless("bead.submit", "without_commit", refusal.clone())
                .answers("bead.submit", test_doubles::bead_shown("BC-1"))
                .run(line, person)
        };
        let ran = submit(FakeUser::says("y"), &["bead", "submit", "BC-1", "--log"]);
        assert_eq!((ran.code, ran.calls.len()), (0, 2), "{}", ran.err);
        assert_eq!((&ran.calls[1].1["add_status"], &ran.calls[1].1["log"]), (&false.into(), &true.into()));
        assert_eq!(submit(FakeUser::says("n"), &["bead", "submit", "BC-1"]).code, 4);
        let ran = submit(FakeUser::away(), &["bead", "submit", "BC-1"]);
        assert!(ran.code == 4 && ran.err.contains("--without-commit"), "{}", ran.err);
        assert_eq!(submit(FakeUser::away(), &["bead", "submit", "BC-1", "--without-commit"]).code, 0);
    }
}
