//! `memory …`: links, merges, imports and proposals.

use super::{Context, memory_consent::store_with_consent, session_lookup::resolve_session};
use crate::{
    args::{ImportArgs, LinkArgs, MemoryCommand},
    failure::Failure,
    output::memory as show,
};
use bc_wire::memory::*;
use std::path::Path;

pub(super) fn run(command: MemoryCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        MemoryCommand::Link(LinkArgs { key, other, kind }) => {
            let shown = context.api.memory_link(MemoryLinkParams { child: key, parent: other, kind })?;
            one(&shown, context)
        }
        MemoryCommand::Unlink { key, other } => {
            let shown = context.api.memory_unlink(MemoryUnlinkParams { key, other })?;
            one(&shown, context)
        }
        MemoryCommand::Merge { keys } => {
            let shown = context.api.memory_merge(MemoryMergeParams { keys })?;
            one(&shown, context)
        }
        MemoryCommand::Unmerge { key } => {
            let shown = context.api.memory_unmerge(MemoryRef { key })?;
            one(&shown, context)
        }
        MemoryCommand::Import(ImportArgs { file, dry_run: true, .. }) => {
            let params = params(file.as_deref())?;
            let imported = context.api.memory_import(MemoryImportParams { preview: true, ..params })?;
            context.print(&imported, show::points)
        }
        MemoryCommand::Import(ImportArgs { file, yes, .. }) => import(file.as_deref(), yes, context),
        MemoryCommand::Proposals { session } => {
            let proposals = context.api.memory_proposals(resolve_session(&session, context)?)?;
            context.print(&proposals, show::proposals)
        }
    }
}

fn one(shown: &MemoryShown, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print_warned(shown, &shown.warnings, show::linked)
}

/// Resolves a relative path against the current folder, not against the project's folder.
fn params(file: Option<&Path>) -> Result<MemoryImportParams, Failure> {
    let Some(file) = file else { return Ok(MemoryImportParams::default()) };
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let path = whole.to_str().ok_or_else(|| Failure::usage("the file's path is not UTF-8"))?.to_owned();
    Ok(MemoryImportParams { path: Some(path), ..MemoryImportParams::default() })
}

pub(super) fn import(file: Option<&Path>, yes: bool, context: &mut Context<'_>) -> Result<(), Failure> {
    let (api, params) = (context.api, params(file)?);
    let imported = store_with_consent(yes, context, |anyway| {
        api.memory_import(MemoryImportParams { anyway, ..params.clone() })
    })?;
    context.print_warned(&imported, &imported.warnings, show::imported)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::{Value, json};

    fn shown() -> Value {
        json!({"memory": {"id": "tp-1", "key": "race", "memory_type": "pattern", "title": "t", "importance": 5,
                "links": [{"id": "tp-2", "kind": "discovered-from"}, {"id": "BC-1", "kind": "related"}]},
               "linked": [{"id": "tp-2", "key": "design\u{1b}[2J", "title": "d", "kind": "discovered-from", "is_child": false}]})
    }

    #[test]
    fn link_shows_the_memory_with_its_links() {
        let fake = FakeProject::new().answers("memory.link", shown()).answers("memory.unlink", shown());
        let ran =
            fake.run(&["memory", "link", "race", "design", "--kind", "discovered-from"], FakeUser::away());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.calls[0].1, json!({"child": "race", "parent": "design", "kind": "discovered-from"}));
        assert_eq!(ran.out, "race\n  discovered-from design\n  related BC-1\n");
        let ran = fake.run(&["memory", "unlink", "race", "BC-1"], FakeUser::away());
        assert_eq!(ran.calls[0].1, json!({"key": "race", "other": "BC-1"}));
    }

    #[test]
    fn invalid_arguments_are_usage_errors() {
        for words in [
            &["memory"][..],
            &["memory", "link", "a"],
            &["memory", "link", "a", "b", "--kind", "parent-child"],
            &["memory", "merge", "a"],
            &["memory", "proposals", "--all"],
            &["remember", "x", "--bead", "BC-1", "--no-bead"],
        ] {
            let ran = FakeProject::new().run(words, FakeUser::away());
            assert_eq!((ran.code, ran.calls.len()), (2, 0), "{words:?}");
        }
    }

    #[test]
    fn import_dry_run_shows_each_item() {
        let answer = json!({"keys": [], "known": 1, "points": [
            {"key": "run-make-first", "text": "run make first", "section": "Notes", "known": false},
            {"key": "old", "text": "old", "known": true},
            {"key": "t", "text": "token ghp_x", "known": false, "secrets": ["github-pat"]}]});
        let fake = FakeProject::new().answers("memory.import", answer);
        let ran = fake.run(&["memory", "import", "--dry-run"], FakeUser::away());
        assert_eq!((ran.code, &ran.calls[0].1["preview"]), (0, &json!(true)));
        for line in [
            "run-make-first  Notes\n  run make first\n",
            "old  already known",
            "t  may contain a secret: github-pat",
        ] {
            assert!(ran.out.contains(line), "{line}: {}", ran.out);
        }
    }
}
