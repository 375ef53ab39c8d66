//! `bead …`

use super::Context;
use crate::{
    args::{BeadCommand, By, CreateArgs, Text},
    failure::Failure,
    output::bead::{self, List},
    session_env,
};
use bc_core::ids::BeadId;
use bc_wire::{
    ApiError, ErrorCode,
    bead::{
        BeadClaimParams, BeadCloseParams, BeadCommentParams, BeadCreateParams, BeadList, BeadListParams,
        BeadRef, BeadShown, BeadSubmitParams,
    },
    project::Nothing,
};

pub(super) fn run(command: BeadCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        BeadCommand::List { status } => {
            let beads =
                context.api.bead_list(BeadListParams { status, all: true, ..BeadListParams::default() })?;
            list(&beads, List::All, context)
        }
        BeadCommand::Ready => {
            let beads = context.api.bead_ready(Nothing {})?;
            list(&beads, List::Ready, context)
        }
        BeadCommand::Blocked => {
            let beads = context.api.bead_blocked(Nothing {})?;
            list(&beads, List::Blocked, context)
        }
        BeadCommand::Show { id } => {
            let shown = context.api.bead_show(BeadRef { id })?;
            context.print(&shown, bead::page)
        }
        BeadCommand::Create(args) => create(*args, context),
        BeadCommand::Claim { id, by } => {
            let shown = context.api.bead_claim(BeadClaimParams { id, actor: actor(by) }).map_err(held)?;
            changed(&shown, "claimed", context)
        }
        BeadCommand::Comment { id, text, by } => {
            let text = match text {
                Text::Given(text) => text,
                Text::Stdin => context.io.read_text()?.trim_end().to_owned(),
            };
            let params = BeadCommentParams { id, text, actor: actor(by) };
            let shown = context.api.bead_comment(params)?;
            changed(&shown, "commented on", context)
        }
        BeadCommand::Submit { id, yes, by } => submit(id, yes, actor(by), context),
        BeadCommand::Close { id, reason, by } => {
            let params = BeadCloseParams { id, reason, actor: actor(by) };
            let shown = context.api.bead_close(params).map_err(held)?;
            changed(&shown, "closed", context)
        }
    }
}

/// The actor: an agent changes beads in the name of its session, not of its user.
fn actor(by: By) -> Option<String> {
    by.actor.or_else(session_env::actor)
}

/// Adds a hint to a refused claim: the holder may be the user under another name.
fn held(refusal: ApiError) -> ApiError {
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

fn changed(shown: &BeadShown, verb: &str, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(shown, |shown, style| bead::changed(&shown.bead.bead, verb, style))
}

fn create(args: CreateArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let description = match args.description {
        None => String::new(),
        Some(Text::Given(text)) => text,
        Some(Text::Stdin) => context.io.read_text()?.trim_end().to_owned(),
    };
    let shown = context.api.bead_create(BeadCreateParams {
        title: args.title,
        description,
        acceptance_criteria: args.acceptance.unwrap_or_default(),
        issue_type: args.issue_type,
        priority: args.priority,
        labels: args.labels,
        parent: args.parent,
        blocked_by: args.blocked_by,
        actor: actor(args.by),
        ..BeadCreateParams::default()
    })?;
    changed(&shown, "created", context)
}

/// If the tracker lacks the custom status, the user must agree to add it.
fn submit(id: BeadId, yes: bool, actor: Option<String>, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = |add_status| BeadSubmitParams { id: id.clone(), add_status, actor: actor.clone() };
    let shown = match context.api.bead_submit(params(yes)) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !yes => {
            match context.agrees(refusal)? {
                true => context.api.bead_submit(params(true))?,
                false => return Err(declined(&id).into()),
            }
        }
        answer => answer?,
    };
    changed(&shown, "submitted", context)
}

fn declined(id: &BeadId) -> ApiError {
    ApiError::new(ErrorCode::ConfirmationNeeded, format!("nothing was changed: {id} stays unchanged"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::{self, FakeProject, FakeUser};
    use serde_json::json;

    #[test]
    fn list_passes_status_filters() {
        let fake =
            FakeProject::new().answers("bead.list", json!({"beads": [], "warnings": ["line 3 is torn"]}));
        let ran = fake.run(&["bead", "list", "--status", "open,in_progress"], FakeUser::away());
        assert_eq!(ran.calls, [("bead.list", json!({"status": ["open", "in_progress"], "all": true}))]);
        assert!(ran.out.starts_with("No beads."), "{}", ran.out);
        assert_eq!(ran.err, "warning: line 3 is torn\n");
    }

    #[test]
    fn json_output_matches_the_wire_type() {
        let answer = json!({"beads": [test_doubles::bead("BC-1", "A")], "warnings": []});
        let fake = FakeProject::new().answers("bead.ready", answer.clone());
        let ran = fake.run(&["bead", "ready", "--json"], FakeUser::away());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(), answer);
    }

    #[test]
    fn create_passes_all_options() {
        let fake = FakeProject::new().answers("bead.create", test_doubles::bead_shown("BC-9"));
        let line = "bead create Title -d - --acceptance done --type bug --priority P1 --label a --label b \
                    --parent BC-1 --blocked-by BC-2";
        let ran = fake.run(&line.split_whitespace().collect::<Vec<_>>(), FakeUser::types("long\ntext\n"));
        let params = json!({
            "title": "Title", "description": "long\ntext", "acceptance_criteria": "done", "issue_type": "bug",
            "priority": 1, "labels": ["a", "b"], "parent": "BC-1", "blocked_by": ["BC-2"], "actor": null,
        });
        assert_eq!(ran.calls, [("bead.create", params)]);
        assert_eq!(ran.out, "created BC-9  Implement login\n");
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
}
