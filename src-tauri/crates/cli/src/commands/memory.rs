//! `remember`, `memories`, `recall`, `forget`, `prime`: for agents in a shell, and for users.

use super::{Context, memory_consent::store_with_consent, memory_maintenance};
use crate::{
    args::{ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs},
    failure::Failure,
    output::memory as show,
    session_env,
};
use bc_core::text::plain;
use bc_wire::memory::*;

pub(super) fn remember(args: RememberArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    if let Some(file) = &args.from {
        return memory_maintenance::import(Some(file), args.yes, context);
    }
    let Some(text) = args.text else { return Err(Failure::usage("missing text to remember")) };
    let params = MemorySaveParams {
        key: args.key,
        content: context.read(text)?,
        memory_type: args.memory_type,
        tags: Some(args.tags).filter(|tags| !tags.is_empty()),
        importance: args.importance,
        agent: args.agent,
        session: session_env::session().map(|id| id.to_string()),
        bead: args.bead,
        no_bead: args.no_bead,
        ..MemorySaveParams::default()
    };
    let api = context.api;
    let saved = store_with_consent(args.yes, context, |anyway| {
        api.memory_save(MemorySaveParams { anyway, ..params.clone() })
    })?;
    context.print_warned(&saved, &saved.warnings, show::saved)
}

pub(super) fn memories(args: MemoriesArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let filter = MemoryListParams {
        agent: args.agent,
        memory_type: args.memory_type,
        tags: args.tags,
        session: args.session,
        bead: None,
        forgotten: args.forgotten,
        limit: args.limit,
    };
    let query = args.query.join(" ");
    let list = match query.trim() {
        "" => context.api.memory_list(filter)?,
        _ => context.api.memory_search(MemorySearchParams { query, filter })?,
    };
    context.print_warned(&list, &list.warnings, show::list)
}

pub(super) fn recall(args: RecallArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let used = session_env::session().is_some();
    let shown = context.api.memory_get(MemoryGetParams { key: args.key, used })?;
    context.warn(&shown.warnings)?;
    // Print only the text, without title or key, so that a script can write it to a file.
    context.print(&shown, |shown, _| {
        let text = plain(shown.memory.content.as_deref().unwrap_or_default());
        format!("{}\n", text.trim_end_matches('\n'))
    })
}

pub(super) fn forget(args: ForgetArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let memory = MemoryRef { key: args.key };
    let shown = match args.undo {
        false => context.api.memory_forget(memory)?,
        true => context.api.memory_restore(memory)?,
    };
    context.print(&shown, show::forgotten)
}

pub(super) fn prime(args: PrimeArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let cwd = std::env::current_dir().ok().and_then(|dir| dir.to_str().map(str::to_owned));
    let params = PrimeParams { budget: args.budget, bead: args.bead, session: session_env::session(), cwd };
    let primed = context.api.memory_prime(params)?;
    context.warn(&primed.warnings)?;
    context.print(&primed, |primed, _| format!("{}\n", plain(&primed.text)))
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use bc_wire::{ApiError, ErrorCode};
    use serde_json::{Value, json};

    fn saved() -> Value {
        json!({"id": "tp-1", "key": "race", "action": "remembered", "kept_in": "file", "warnings": ["kept in the file"]})
    }

    #[test]
    fn remember_passes_all_options() {
        let fake = FakeProject::new().answers("memory.save", saved());
        let words = [
            "remember",
            "use -race",
            "--key",
            "race",
            "--type",
            "pattern",
            "--tag",
            "a",
            "--tag",
            "b",
            "--importance",
            "8",
        ];
        let ran = fake.run(&words, FakeUser::away());
        assert_eq!((ran.code, ran.out.as_str()), (0, "Remembered race\n"));
        assert!(ran.err.contains("kept in the file"));
        let given = &ran.calls[0].1;
        assert_eq!((&given["content"], &given["memory_type"]), (&json!("use -race"), &json!("pattern")));
        assert_eq!(
            (&given["tags"], &given["importance"], &given["anyway"]),
            (&json!(["a", "b"]), &json!(8), &json!(false))
        );
        let ran = fake.run(&["remember", "-", "--json"], FakeUser::types("from\nthere\n"));
        assert_eq!(ran.calls[0].1["content"], "from\nthere\n");
        assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap(), saved());
    }

    #[test]
    fn invalid_arguments_are_usage_errors() {
        for words in [
            &["remember"][..],
            &["remember", "x", "--type", "thought"],
            &["remember", "x", "--importance", "11"],
            &["remember", "x", "--from", "MEMORY.md"],
            &["remember", "--", "--from", "MEMORY.md"],
            &["recall", "--", "key", "--project", "/other"],
            &["bead", "show", "--", "BC-1", "--project", "/other"],
            &["remember", "x", "--bead", "--force"],
            &["recall"],
            &["prime", "--budget", "-1"],
        ] {
            let ran = FakeProject::new().run(words, FakeUser::away());
            assert_eq!((ran.code, ran.calls.len()), (2, 0), "{words:?}");
        }
    }

    #[test]
    fn secret_needs_consent_on_a_terminal() {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "the text seems to hold a secret");
        let fake = FakeProject::new()
            .refuses_unless("memory.save", "anyway", refusal)
            .answers("memory.save", saved());
        let ran = fake.run(&["remember", "x"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (4, 1));
        assert!(ran.err.contains("--yes"), "{}", ran.err);
        let ran = fake.run(&["remember", "x", "--yes"], FakeUser::away());
        assert_eq!((ran.code, &ran.calls[0].1["anyway"]), (0, &json!(true)));
    }

    #[test]
    fn agent_cannot_consent_to_store_a_secret() {
        let refusal = || ApiError::new(ErrorCode::ConfirmationNeeded, "the text seems to hold a secret");
        let fake = FakeProject::new()
            .refuses_unless("memory.save", "anyway", refusal())
            .answers("memory.save", saved())
            .refuses_unless("memory.import", "anyway", refusal())
            .answers("memory.import", json!({"keys": [], "known": 0, "points": [], "warnings": []}));
        for words in [
            &["remember", "x", "--yes"][..],
            &["remember", "x"],
            &["remember", "--from", "MEMORY.md", "--yes"],
            &["memory", "import", "MEMORY.md", "--yes"],
        ] {
            let ran = fake.run(words, FakeUser::agent());
            assert_eq!((ran.code, ran.calls.len()), (4, 1), "{words:?}");
            assert!(ran.err.contains("only the user can agree"), "{words:?}: {}", ran.err);
        }
    }

    #[test]
    fn memories_searches_with_a_query_and_lists_without() {
        let list = json!({"memories": [], "total": 0, "kept_in": "bd", "facets": {"agents": [], "sessions": [], "tags": []}});
        let fake = FakeProject::new().answers("memory.list", &list).answers("memory.search", &list);
        let ran = fake.run(&["memories", "--tag", "x", "--session", "s"], FakeUser::away());
        assert_eq!((ran.calls[0].0, &ran.calls[0].1["tags"]), ("memory.list", &json!(["x"])));
        let ran = fake.run(&["memories", "race", "flag", "--limit", "3"], FakeUser::away());
        assert_eq!((ran.calls[0].0, &ran.calls[0].1["query"]), ("memory.search", &json!("race flag")));
        assert_eq!(ran.calls[0].1["filter"]["limit"], 3);
    }
}
