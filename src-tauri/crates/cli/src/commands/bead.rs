//! `bead …`

use super::Context;
use crate::{
    args::{BeadCommand, CreateArgs, Text},
    failure::Failure,
    inside,
    output::bead::{self, List},
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
            let beads = context.api.bead_list(BeadListParams { status })?;
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
        BeadCommand::Claim { id, actor } => {
            // An agent claims for its session, not for its person.
            let actor = actor.or_else(inside::actor);
            let shown = context.api.bead_claim(BeadClaimParams { id, actor })?;
            changed(&shown, "claimed", context)
        }
        BeadCommand::Comment { id, text } => {
            let text = match text {
                Text::Given(text) => text,
                Text::Stdin => context.io.read_text()?.trim_end().to_owned(),
            };
            let params = BeadCommentParams { id, text, actor: inside::actor() };
            let shown = context.api.bead_comment(params)?;
            changed(&shown, "commented on", context)
        }
        BeadCommand::Submit { id, yes } => submit(id, yes, context),
        BeadCommand::Close { id, reason } => {
            let shown = context.api.bead_close(BeadCloseParams { id, reason })?;
            changed(&shown, "closed", context)
        }
    }
}

fn list(beads: &BeadList, what: List, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(beads, |beads, looks| bead::list(&beads.beads, what, looks))?;
    context.warn(&beads.warnings)
}

fn changed(shown: &BeadShown, verb: &str, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(shown, |shown, looks| bead::changed(&shown.bead.bead, verb, looks))
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
    })?;
    changed(&shown, "created", context)
}

/// Where the tracker lacks the custom status, somebody has to agree that it is added.
fn submit(id: BeadId, yes: bool, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = |add_status| BeadSubmitParams { id: id.clone(), add_status };
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
    ApiError::new(ErrorCode::ConfirmationNeeded, format!("nothing was changed: {id} stays as it is"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{self, Fake, Person};
    use serde_json::json;

    #[test]
    fn a_list_asks_for_the_wanted_states() {
        let fake = Fake::new().answers("bead.list", json!({"beads": [], "warnings": ["line 3 is torn"]}));
        let ran = fake.run(&["bead", "list", "--status", "open,in_progress"], Person::away());
        assert_eq!(ran.calls, [("bead.list", json!({"status": ["open", "in_progress"]}))]);
        assert!(ran.out.starts_with("No beads."), "{}", ran.out);
        assert_eq!(ran.err, "warning: line 3 is torn\n");
    }

    #[test]
    fn json_is_the_shape_of_the_wire() {
        let answer = json!({"beads": [fake::bead("BC-1", "A")], "warnings": []});
        let fake = Fake::new().answers("bead.ready", answer.clone());
        let ran = fake.run(&["bead", "ready", "--json"], Person::away());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(), answer);
    }

    #[test]
    fn a_bead_is_made_from_all_its_parts() {
        let fake = Fake::new().answers("bead.create", fake::bead_shown("BC-9"));
        let line = "bead create Title -d - --acceptance done --type bug --priority P1 --label a --label b \
                    --parent BC-1 --blocked-by BC-2";
        let ran = fake.run(&line.split_whitespace().collect::<Vec<_>>(), Person::types("long\ntext\n"));
        let params = json!({
            "title": "Title", "description": "long\ntext", "acceptance_criteria": "done", "issue_type": "bug",
            "priority": 1, "labels": ["a", "b"], "parent": "BC-1", "blocked_by": ["BC-2"],
        });
        assert_eq!(ran.calls, [("bead.create", params)]);
        assert_eq!(ran.out, "created BC-9  Implement login\n");
    }

    fn submit(person: Person, line: &[&str]) -> fake::Ran {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "bd has no status in_review; add it?");
        Fake::new()
            .refuses_unless("bead.submit", "add_status", refusal)
            .answers("bead.submit", fake::bead_shown("BC-1"))
            .run(line, person)
    }

    #[test]
    fn submit_asks_before_the_tracker_gets_a_status() {
        let ran = submit(Person::says("y"), &["bead", "submit", "BC-1"]);
        assert!(ran.err.contains("add it?"), "{}", ran.err);
        assert_eq!((ran.code, ran.out.as_str()), (0, "submitted BC-1  Implement login\n"));
    }

    #[test]
    fn submit_takes_anything_else_for_a_no() {
        let ran = submit(Person::says("hm"), &["bead", "submit", "BC-1"]);
        assert_eq!(ran.code, 4);
        assert_eq!(ran.calls.len(), 1);
    }

    #[test]
    fn submit_without_a_terminal_needs_yes() {
        let ran = submit(Person::away(), &["bead", "submit", "BC-1"]);
        assert_eq!(ran.code, 4);
        assert!(ran.err.contains("--yes"), "{}", ran.err);
        assert_eq!(submit(Person::away(), &["bead", "submit", "BC-1", "--yes"]).code, 0);
    }

    #[test]
    fn with_json_nobody_is_asked() {
        let ran = submit(Person::says("y"), &["bead", "submit", "BC-1", "--json"]);
        assert_eq!(ran.code, 4);
        assert!(ran.err.starts_with("{\"error\":{\"code\":\"confirmation_needed\""), "{}", ran.err);
    }
}
