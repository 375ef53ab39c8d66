//! `bead create`, `update`, `delete`, `undelete`, `dep` and `label`.

use super::{
    Context,
    bead_change::{actor, changed},
    bead_insight,
};
use crate::{
    args::{CreateArgs, DepCommand, LabelCommand, UpdateArgs},
    failure::{self, Failure},
    output::bead,
};
use bc_core::ids::BeadId;
use bc_wire::{
    ApiError, ErrorCode,
    bead::{
        BeadChange, BeadCreateParams, BeadDeleteParams, BeadDependencyParams, BeadListParams, BeadRef,
        BeadShown, BeadUpdateParams,
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn create(args: CreateArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let description = args.fields.description.map(|text| context.read_trimmed(text)).transpose()?;
    let shown = context.api.bead_create(BeadCreateParams {
        title: args.title,
        description: description.unwrap_or_default(),
        acceptance_criteria: args.fields.acceptance.unwrap_or_default(),
        issue_type: args.fields.issue_type,
        priority: args.fields.priority,
        labels: args.labels,
        parent: args.parent,
        blocked_by: args.blocked_by,
        design: args.fields.design.unwrap_or_default(),
        notes: args.fields.notes.unwrap_or_default(),
        assignee: args.fields.assignee,
        due: args.fields.due,
        defer: args.fields.defer,
        estimated_minutes: args.fields.estimate,
        external_ref: args.fields.external_ref,
        actor: actor(args.by),
    })?;
    changed(&shown, "created", context)
}

/// The JSON output of an update of several beads, in the order of the arguments.
#[derive(Serialize)]
struct Results {
    results: Vec<OneResult>,
}

/// A changed bead, or why it was not changed.
#[derive(Serialize)]
#[serde(untagged)]
enum OneResult {
    Changed { id: BeadId, result: Box<BeadShown> },
    Refused { id: BeadId, error: ApiError },
}

pub(super) fn update(args: UpdateArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let description = args.fields.description.map(|text| context.read_trimmed(text)).transpose()?;
    let change = BeadChange {
        title: args.title,
        description,
        design: args.fields.design,
        acceptance_criteria: args.fields.acceptance,
        notes: args.fields.notes,
        status: args.status,
        priority: args.fields.priority,
        issue_type: args.fields.issue_type,
        assignee: args.fields.assignee,
        add_labels: args.add_labels,
        remove_labels: args.remove_labels,
        parent: args.parent,
        due: args.fields.due,
        defer: args.fields.defer,
        estimated_minutes: args.fields.estimate,
        external_ref: args.fields.external_ref,
    };
    if change == BeadChange::default() {
        return Err(Failure::usage("nothing to change; give a field, such as --title TEXT"));
    }
    let (expected, actor) = (args.expected, actor(args.by));
    let one = |id: BeadId| BeadUpdateParams { id, change: change.clone(), expected, actor: actor.clone() };
    if let [id] = args.ids.as_slice() {
        let shown = context.api.bead_update(one(id.clone()))?;
        return changed(&shown, "updated", context);
    }
    let mut results = Vec::new();
    let mut first = None;
    for id in args.ids {
        let result = match context.api.bead_update(one(id.clone())) {
            Ok(shown) => {
                if !context.json {
                    changed(&shown, "updated", context)?;
                }
                OneResult::Changed { id, result: Box::new(shown) }
            }
            Err(error) => {
                if !context.json {
                    let named = ApiError { message: format!("{id}: {}", error.message), ..error.clone() };
                    failure::print_error(&named, false, context.io.err());
                }
                first.get_or_insert(error.code);
                OneResult::Refused { id, error }
            }
        };
        results.push(result);
    }
    if context.json {
        context.print(&Results { results }, |_, _| String::new())?;
    }
    first.map_or(Ok(()), |code| Err(Failure::Partly(code)))
}

pub(super) fn delete(
    id: BeadId,
    yes: bool,
    actor: Option<String>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    if !yes {
        let found = context.api.bead_show(BeadRef { id: id.clone() })?.bead.bead;
        let question = format!("delete {id} {:?}?", found.title);
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, question).hint("confirm with --yes");
        if !context.agrees(refusal)? {
            let text = format!("nothing was changed: {id} stays");
            return Err(ApiError::new(ErrorCode::ConfirmationNeeded, text).into());
        }
    }
    let deleted = context.api.bead_delete(BeadDeleteParams { id, actor })?;
    context.print(&deleted, bead::deleted)
}

pub(super) fn undelete(id: BeadId, actor: Option<String>, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = context.api.bead_undelete(BeadDeleteParams { id, actor })?;
    changed(&shown, "restored", context)
}

pub(super) fn dep(command: DepCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        DepCommand::Add { id, on, kind, by } => {
            let params = BeadDependencyParams { id, depends_on: on, kind, actor: actor(by) };
            let shown = context.api.bead_dep_add(params)?;
            changed(&shown, "linked", context)
        }
        DepCommand::Remove { id, on, by } => {
            let params = BeadDependencyParams { id, depends_on: on, kind: None, actor: actor(by) };
            let shown = context.api.bead_dep_remove(params)?;
            changed(&shown, "unlinked", context)
        }
        DepCommand::Tree { id } => bead_insight::tree(id, context),
    }
}

pub(super) fn label(command: LabelCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    let (id, change, by) = match command {
        LabelCommand::Add { id, labels, by } => {
            (id, BeadChange { add_labels: labels, ..BeadChange::default() }, by)
        }
        LabelCommand::Remove { id, labels, by } => {
            (id, BeadChange { remove_labels: labels, ..BeadChange::default() }, by)
        }
        LabelCommand::List { id } => return labels(id, context),
    };
    let params = BeadUpdateParams { id, change, expected: None, actor: actor(by) };
    let shown = context.api.bead_update(params)?;
    changed(&shown, "updated", context)
}

fn labels(id: Option<BeadId>, context: &mut Context<'_>) -> Result<(), Failure> {
    let beads = match id {
        Some(id) => vec![context.api.bead_show(BeadRef { id })?.bead.bead.into()],
        None => context.api.bead_list(BeadListParams::default())?.beads,
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for label in beads.iter().flat_map(|bead| &bead.labels) {
        *counts.entry(label).or_default() += 1;
    }
    let entry = |(label, beads): (&&str, &usize)| json!({ "label": label, "beads": beads });
    let labels: Vec<Value> = counts.iter().map(entry).collect();
    context.print(&json!({ "labels": labels }), |_, style| bead::labels(&counts, style))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::{self, FakeProject, FakeUser};

    #[test]
    fn create_passes_all_options() {
        let fake = FakeProject::new().answers("bead.create", test_doubles::bead_shown("BC-9"));
        let line = "bead create Title -d - --acceptance done --type bug --priority P1 --label a --label b \
                    --parent BC-1 --blocked-by BC-2 --design -dash --notes n --assignee ann --due 2026-01-31 \
                    --defer 2026-01-02 --estimate 30 --external-ref gh-1";
        let ran = fake.run(&line.split_whitespace().collect::<Vec<_>>(), FakeUser::types("long\ntext\n"));
        let params = json!({
            "title": "Title", "description": "long\ntext", "acceptance_criteria": "done", "issue_type": "bug",
            "priority": 1, "labels": ["a", "b"], "parent": "BC-1", "blocked_by": ["BC-2"], "actor": null,
            "design": "-dash", "notes": "n", "assignee": "ann", "due": "2026-01-31", "defer": "2026-01-02",
            "estimated_minutes": 30, "external_ref": "gh-1",
        });
        assert_eq!(ran.calls, [("bead.create", params)], "{}", ran.err);
        assert_eq!(ran.out, "created BC-9  Implement login\n");
    }

    #[test]
    fn update_passes_only_what_changes() {
        let fake = FakeProject::new().answers("bead.update", test_doubles::bead_shown("BC-9"));
        let line = ["bead", "update", "BC-9", "--title", "- new", "--due", "", "--add-label=-x"];
        let ran = fake.run(&line, FakeUser::away());
        let change = json!({"title": "- new", "due": "", "add_labels": ["-x"]});
        assert_eq!(ran.calls, [("bead.update", json!({"id": "BC-9", "change": change, "actor": null}))]);
        assert_eq!(ran.out, "updated BC-9  Implement login\n");
        assert_eq!(fake.run(&["bead", "update", "BC-9"], FakeUser::away()).code, 2);
        let line = ["bead", "update", "BC-9", "--priority", "1", "--expected", "2026-01-01T00:00:00Z"];
        let ran = fake.run(&line, FakeUser::away());
        assert_eq!(ran.calls[0].1["expected"], "2026-01-01T00:00:00Z");
    }

    #[test]
    fn update_of_several_beads_reports_each_and_exits_with_the_first_failure() {
        let refusal = ApiError::new(ErrorCode::BeadNotFound, "there is no such bead");
        let fake = FakeProject::new().refuses_unless("bead.update", "never", refusal);
        let ran = fake.run(&["bead", "update", "a-1", "a-2", "--priority", "1"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (3, 2));
        assert!(ran.err.contains("a-1: there is no such") && ran.err.contains("a-2: there"), "{}", ran.err);
        let ran = fake.run(&["bead", "update", "a-1", "a-2", "--priority", "1", "--json"], FakeUser::away());
        let results: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (results["results"][1]["error"]["code"].as_str(), ran.err.as_str()),
            (Some("bead_not_found"), "")
        );
    }

    #[test]
    fn delete_asks_first() {
        let fake = FakeProject::new()
            .answers("bead.show", test_doubles::bead_shown("BC-1"))
            .answers("bead.delete", json!({"id": "BC-1", "can_undo": true}));
        assert_eq!(fake.run(&["bead", "delete", "BC-1"], FakeUser::away()).code, 4);
        assert_eq!(fake.run(&["bead", "delete", "BC-1"], FakeUser::says("n")).code, 4);
        let ran = fake.run(&["bead", "delete", "BC-1", "--yes"], FakeUser::away());
        assert_eq!(ran.out, "deleted BC-1; `beads-console bead undelete BC-1` restores it\n");
    }

    #[test]
    fn labels_are_counted() {
        let mut bead = test_doubles::bead("BC-1", "A");
        bead.labels = vec!["ui".into(), "a,b".into()];
        let mut other = test_doubles::bead("BC-2", "B");
        other.labels = vec!["ui".into()];
        let fake = FakeProject::new().answers("bead.list", json!({"beads": [bead, other]}));
        let ran = fake.run(&["bead", "label", "list", "--json"], FakeUser::away());
        let labels: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(labels, json!({"labels": [{"label": "a,b", "beads": 1}, {"label": "ui", "beads": 2}]}));
    }
}
