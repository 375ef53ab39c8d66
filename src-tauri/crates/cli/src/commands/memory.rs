//! `remember`, `memories`, `recall`, `forget`, `prime`: for agents in a shell, and for people.

use super::{Context, tending};
use crate::{
    args::{ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs, Text},
    failure::Failure,
    inside,
    output::memory as show,
};
use bc_core::text::plain;
use bc_wire::{ApiError, ErrorCode, memory::*};

pub(super) fn remember(args: RememberArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    if let Some(file) = &args.from {
        return tending::import(Some(file), args.yes, context);
    }
    let content = match args.text {
        Some(Text::Given(text)) => text,
        Some(Text::Stdin) => context.io.read_text()?,
        None => return Err(Failure::usage("a text to remember is wanted")),
    };
    let params = MemorySaveParams {
        key: args.key,
        title: None,
        content,
        memory_type: args.memory_type,
        tags: Some(args.tags).filter(|tags| !tags.is_empty()),
        importance: args.importance,
        agent: args.agent,
        session: inside::session().map(|id| id.to_string()),
        bead: args.bead,
        no_bead: args.no_bead,
        anyway: args.yes,
        ..MemorySaveParams::default()
    };
    let saved = match context.api.memory_save(params.clone()) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !args.yes => {
            match context.agrees(refusal)? {
                true => context.api.memory_save(MemorySaveParams { anyway: true, ..params })?,
                false => {
                    return Err(ApiError::new(ErrorCode::ConfirmationNeeded, "nothing was stored").into());
                }
            }
        }
        other => other?,
    };
    context.warn(&saved.warnings)?;
    context.print(&saved, show::saved)
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
    context.warn(&list.warnings)?;
    context.print(&list, show::list)
}

pub(super) fn recall(args: RecallArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let used = inside::session().is_some();
    let shown = context.api.memory_get(MemoryGetParams { key: args.key, used })?;
    context.warn(&shown.warnings)?;
    // The text alone, as it was given: a script may want it in a file.
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
    let params = PrimeParams { budget: args.budget, bead: args.bead, session: inside::session(), cwd };
    let primed = context.api.memory_prime(params)?;
    context.warn(&primed.warnings)?;
    context.print(&primed, |primed, _| format!("{}\n", plain(&primed.text)))
}

#[cfg(test)]
mod tests {
    use crate::fake::{Fake, Person};
    use bc_wire::{ApiError, ErrorCode};
    use serde_json::{Value, json};

    fn saved() -> Value {
        json!({"id": "tp-1", "key": "race", "action": "remembered", "kept_in": "file", "warnings": ["kept in the file"]})
    }

    #[test]
    fn a_text_goes_with_what_is_said_of_it() {
        let fake = Fake::new().answers("memory.save", saved());
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
        let ran = fake.run(&words, Person::away());
        assert_eq!((ran.code, ran.out.as_str()), (0, "Remembered race\n"));
        assert!(ran.err.contains("kept in the file"));
        let given = &ran.calls[0].1;
        assert_eq!((&given["content"], &given["memory_type"]), (&json!("use -race"), &json!("pattern")));
        assert_eq!(
            (&given["tags"], &given["importance"], &given["anyway"]),
            (&json!(["a", "b"]), &json!(8), &json!(false))
        );
        let ran = fake.run(&["remember", "-", "--json"], Person::types("from\nthere\n"));
        assert_eq!(ran.calls[0].1["content"], "from\nthere\n");
        assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap(), saved());
    }

    #[test]
    fn words_that_make_no_sense_are_usage_errors() {
        for words in [
            &["remember"][..],
            &["remember", "x", "--type", "thought"],
            &["remember", "x", "--importance", "11"],
            &["remember", "x", "--from", "MEMORY.md"],
            &["remember", "x", "--bead", "--force"],
            &["recall"],
            &["prime", "--budget", "-1"],
        ] {
            let ran = Fake::new().run(words, Person::away());
            assert_eq!((ran.code, ran.calls.len()), (2, 0), "{words:?}");
        }
    }

    #[test]
    fn a_secret_is_asked_about_and_refused_where_nobody_can_be() {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "the text seems to hold a secret");
        let fake =
            Fake::new().refuses_unless("memory.save", "anyway", refusal).answers("memory.save", saved());
        let ran = fake.run(&["remember", "x"], Person::away());
        assert_eq!((ran.code, ran.calls.len()), (4, 1));
        assert!(ran.err.contains("--yes"), "{}", ran.err);
        let ran = fake.run(&["remember", "x", "--yes"], Person::away());
        assert_eq!((ran.code, &ran.calls[0].1["anyway"]), (0, &json!(true)));
    }

    #[test]
    fn a_query_searches_and_none_lists() {
        let list = json!({"memories": [], "total": 0, "kept_in": "bd", "facets": {"agents": [], "sessions": [], "tags": []}});
        let fake = Fake::new().answers("memory.list", &list).answers("memory.search", &list);
        let ran = fake.run(&["memories", "--tag", "x", "--session", "s"], Person::away());
        assert_eq!((ran.calls[0].0, &ran.calls[0].1["tags"]), ("memory.list", &json!(["x"])));
        let ran = fake.run(&["memories", "race", "flag", "--limit", "3"], Person::away());
        assert_eq!((ran.calls[0].0, &ran.calls[0].1["query"]), ("memory.search", &json!("race flag")));
        assert_eq!(ran.calls[0].1["filter"]["limit"], 3);
    }
}
