//! Memories in `.beads/memories.jsonl`.

use super::{embedded, keyed, keys, nothing_installed, provider_at, whole};
use crate::{Action, KeptIn, ProviderError};
use bc_core::memory::{Filter, MemoryType, NewMemory, OnBead, Relation};
use std::fs;

#[test]
fn a_stored_memory_is_complete_for_another_process() {
    let (dir, provider) = embedded(&[]);
    let text = "Chose \"REST\": because…\n\n- newlines\n- 'quotes' and `ticks`\ttab \u{1b}[31m";
    let new = NewMemory {
        memory_type: Some(MemoryType::Decision),
        tags: Some(vec!["api: v2".into(), "with \"quotes\"".into()]),
        importance: Some(8),
        ..keyed("api", text)
    };
    let stored = provider.store_memory(new).unwrap();
    assert_eq!((stored.action, stored.kept_in, stored.warning), (Action::Remembered, KeptIn::File, None));
    assert!(stored.id.as_str().starts_with("tp-"));
    let other = provider_at(dir.path(), &nothing_installed(), "another");
    let memory = whole(&other, "api");
    assert_eq!(memory.content.as_deref(), Some(text));
    assert_eq!((memory.importance, memory.memory_type), (8, MemoryType::Decision));
    assert_eq!(memory.tags, ["api: v2", "with \"quotes\""]);
    assert_eq!(memory.session_id.as_deref(), Some("session_20260101_120000"));
    assert_eq!(whole(&other, stored.id.as_str()).key, "api", "its id also identifies it");
    let listed = other.retrieve_memories(&Filter::default()).unwrap();
    assert_eq!(listed.memories[0].entry.content, None, "a list has no texts");
}

#[test]
fn a_key_identifies_a_memory_and_a_text_without_a_key_replaces_none() {
    let (_dir, provider) = embedded(&[]);
    let first = provider.store_memory(NewMemory { importance: Some(9), ..keyed("k", "one") }).unwrap();
    let second = provider.store_memory(NewMemory { agent_id: "bob".into(), ..keyed("k", "two") }).unwrap();
    assert_eq!((second.action, &second.id), (Action::Updated, &first.id));
    let memory = whole(&provider, "k");
    assert_eq!((memory.content.as_deref(), memory.importance), (Some("two"), 9));
    assert_eq!(memory.agent_id.as_deref(), Some("ann"), "it still belongs to its first agent");
    assert!(memory.updated_at > memory.created_at);
    for n in 0..3 {
        let text = format!("the same first eight words of a long text {n}");
        assert_eq!(
            provider.store_memory(NewMemory::learned("ann", text)).unwrap().action,
            Action::Remembered
        );
    }
    assert_eq!(keys(&provider, &Filter::default()).len(), 4);
}

#[test]
fn a_filter_needs_all_of_its_parts_and_any_of_its_tags() {
    let (_dir, provider) = embedded(&[]);
    let put = |key: &str, agent: &str, kind, tags: &[&str]| {
        let tags = Some(tags.iter().map(|tag| (*tag).to_owned()).collect());
        let new = NewMemory { agent_id: agent.into(), memory_type: Some(kind), tags, ..keyed(key, key) };
        provider.store_memory(new).unwrap();
    };
    put("a", "arch", MemoryType::Decision, &["x", "y"]);
    put("b", "arch", MemoryType::Pattern, &["y"]);
    put("c", "rev", MemoryType::Decision, &["z"]);
    let of = |agent: Option<&str>, kind, tags: &[&str]| Filter {
        agent_id: agent.map(str::to_owned),
        memory_type: kind,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..Filter::default()
    };
    assert_eq!(keys(&provider, &of(Some("arch"), None, &[])), ["a", "b"]);
    assert_eq!(keys(&provider, &of(None, Some(MemoryType::Decision), &[])), ["a", "c"]);
    assert_eq!(keys(&provider, &of(None, None, &["x", "z"])), ["a", "c"]);
    assert_eq!(keys(&provider, &of(Some("rev"), None, &["x"])), Vec::<String>::new());
    let limited = Filter { limit: Some(2), ..Filter::default() };
    assert_eq!(keys(&provider, &limited), ["b", "c"], "the last changed first");
}

#[test]
fn a_session_is_restored_oldest_first_and_an_unknown_one_is_an_error() {
    let (dir, provider) = embedded(&[]);
    for key in ["one", "two"] {
        provider.store_memory(keyed(key, key)).unwrap();
    }
    let later = provider_at(dir.path(), &nothing_installed(), "session_20260202_000000");
    later.store_memory(NewMemory { agent_id: "rev".into(), ..keyed("three", "3") }).unwrap();
    let restored = later.restore_session("session_20260101_120000").unwrap();
    let restored: Vec<_> = restored.iter().map(|loaded| loaded.entry.key.as_str()).collect();
    assert_eq!(restored, ["one", "two"]);
    let error = later.restore_session("session_19990101_000000").unwrap_err();
    assert!(matches!(error, ProviderError::UnknownSession { .. }), "{error}");
    let record = "0a1b2c3d-0000-4000-8000-000000000000";
    assert!(later.restore_session(record).is_err());
    fs::create_dir(dir.path().join(".beads/sessions").join(record)).unwrap();
    assert!(later.restore_session(record).unwrap().is_empty(), "a session without memories has none");
}

#[test]
fn a_forgotten_memory_returns_when_restored_or_stored_again() {
    let (_dir, provider) = embedded(&[]);
    provider.store_memory(NewMemory { importance: Some(9), ..keyed("k", "text") }).unwrap();
    assert_eq!(provider.delete_memory("k").unwrap().content(), "text");
    assert!(keys(&provider, &Filter::default()).is_empty());
    assert!(provider.search_memories("text", &Filter::default()).unwrap().memories.is_empty());
    assert!(matches!(provider.delete_memory("k"), Err(ProviderError::NotFound { .. })));
    assert_eq!(keys(&provider, &Filter { forgotten: true, ..Filter::default() }), ["k"]);
    assert!(!provider.restore_memory("k").unwrap().entry.forgotten);
    assert_eq!(
        (whole(&provider, "k").importance, keys(&provider, &Filter::default())),
        (9, vec!["k".to_owned()])
    );
    provider.delete_memory("k").unwrap();
    assert_eq!(provider.store_memory(keyed("k", "new")).unwrap().action, Action::Remembered);
    assert_eq!(whole(&provider, "k").content.as_deref(), Some("new"));
}

#[test]
fn links_stay_through_later_changes() {
    let (_dir, provider) = embedded(&[]);
    let design = provider.store_memory(keyed("design", "d")).unwrap();
    provider.store_memory(keyed("impl", "i")).unwrap();
    provider.link_memories("impl", "design", Relation::Related).unwrap();
    provider.link_memories("impl", "design", Relation::DiscoveredFrom).unwrap();
    provider.link_memories("impl", "tp-7", Relation::Related).unwrap();
    provider.store_memory(keyed("impl", "i2")).unwrap();
    provider.mark_memory_accessed("impl").unwrap();
    let memory = whole(&provider, "impl");
    assert_eq!((memory.links.len(), memory.parent_id), (2, Some(design.id)));
    assert_eq!(memory.content.as_deref(), Some("i2"));
    assert!(memory.accessed_at >= memory.updated_at);
    assert!(matches!(
        provider.link_memories("impl", "impl", Relation::Related),
        Err(ProviderError::LinkedToItself { .. })
    ));
    assert!(matches!(
        provider.link_memories("unknown", "impl", Relation::Related),
        Err(ProviderError::NotFound { .. })
    ));
}

#[test]
fn a_link_can_be_removed_from_either_end() {
    let (_dir, provider) = embedded(&[]);
    for key in ["design", "impl", "other"] {
        provider.store_memory(keyed(key, key)).unwrap();
    }
    for (parent, kind) in
        [("design", Relation::Blocks), ("other", Relation::Related), ("tp-7", Relation::Related)]
    {
        provider.link_memories("impl", parent, kind).unwrap();
    }
    provider.unlink_memories("design", "impl").unwrap();
    assert_eq!(whole(&provider, "impl").links.len(), 2);
    provider.unlink_memories("impl", "tp-7").unwrap();
    let left = whole(&provider, "impl").links;
    assert_eq!((left.len(), &left[0].id), (1, &whole(&provider, "other").id));
    for (one, other) in [("impl", "design"), ("impl", "tp-9")] {
        let error = provider.unlink_memories(one, other).unwrap_err();
        assert!(matches!(error, ProviderError::NotLinked { .. }), "{error}");
    }
    provider.link_memories("impl", "design", Relation::Related).unwrap();
    assert_eq!(whole(&provider, "impl").links.len(), 2, "it can be linked again");
}

#[test]
fn a_memorys_bead_stays_until_it_is_removed() {
    let (_dir, provider) = embedded(&[]);
    let on = |bead| NewMemory { bead, ..keyed("k", "text") };
    let now = |said| {
        provider.store_memory(on(said)).unwrap();
        whole(&provider, "k").bead_id.map(|id| id.to_string())
    };
    assert_eq!(now(OnBead::Bead("tp-1".parse().unwrap())).as_deref(), Some("tp-1"));
    assert_eq!(now(OnBead::AsItWas).as_deref(), Some("tp-1"));
    assert_eq!(now(OnBead::None), None);
    assert_eq!(now(OnBead::AsItWas), None);
}

#[test]
fn words_are_found_in_any_field_and_line_format() {
    let escaped = "{\"id\":\"tp-esc\",\"title\":\"t\",\"description\":\"gr\\u00f6\\u00dfe Zed\",\"labels\":[\"memory:context\",\"agent:x\"]}\n\
                   {\"title\":\"t\",\"description\":\"other order\",\"labels\":[\"memory:context\",\"agent:x\"],\"id\":\"tp-order\"}\n";
    let (_dir, provider) = embedded(&[("memories.jsonl", escaped)]);
    provider
        .store_memory(NewMemory {
            tags: Some(vec!["cache".into()]),
            ..keyed("redis", "Sessions live\nin Redis")
        })
        .unwrap();
    provider.store_memory(keyed("other", "nothing of it")).unwrap();
    provider.store_memory(keyed("redis", "Sessions no longer live there")).unwrap();
    let found = |query: &str| {
        let found = provider.search_memories(query, &Filter::default()).unwrap().memories;
        let mut found: Vec<String> = found.into_iter().map(|loaded| loaded.entry.key).collect();
        found.sort();
        found
    };
    assert_eq!(found("sessions LIVE"), ["redis"]);
    assert_eq!(found("cache longer"), ["redis"]);
    assert_eq!(found("in redis live"), Vec::<String>::new(), "the memory's older text is not searched");
    assert_eq!(found("größe"), ["tp-esc"]);
    assert_eq!(found("zed"), ["tp-esc"]);
    assert_eq!(found("order"), ["tp-order"]);
    assert_eq!(found("\"no such\" (.*"), Vec::<String>::new());
}

#[test]
fn a_torn_line_is_set_aside_and_unreadable_lines_are_reported() {
    let file = "{\"id\":\"tp-1\",\"title\":\"t\",\"description\":\"one\",\"labels\":[\"memory:context\",\"agent:x\"]}\n\
                <<<<<<< ours\n[1]\n{\"no\":\"id\"}\n\n{\"id\":\"tp-2\",\"torn";
    let (dir, provider) = embedded(&[("memories.jsonl", file)]);
    assert_eq!(provider.retrieve_memories(&Filter::default()).unwrap().warnings.len(), 4);
    provider.store_memory(keyed("k", "two")).unwrap();
    let retrieved = provider.retrieve_memories(&Filter::default()).unwrap();
    assert_eq!((retrieved.memories.len(), retrieved.warnings.len()), (2, 3));
    let aside = fs::read_to_string(dir.path().join(".beads/memories.jsonl.torn")).unwrap();
    assert_eq!(aside, "{\"id\":\"tp-2\",\"torn\n");
}

#[test]
fn merged_lines_of_two_clones_yield_the_newest_in_any_order() {
    let line = |at: &str, text: &str, more: &str| {
        format!(
            "{{\"id\":\"tp-1\",\"title\":\"t\",\"description\":\"{text}\",\"labels\":[\"memory:context\",\"agent:x\"],\"created_at\":\"2026-01-01T00:00:00Z\",\"updated_at\":\"{at}\"{more}}}\n"
        )
    };
    let (older, newer) = (
        line("2026-01-02T00:00:00Z", "old", ",\"notes\":\"n\""),
        line("2026-01-03T00:00:00+01:00", "new", ""),
    );
    for lines in [format!("{older}{newer}"), format!("{newer}{older}")] {
        let (_dir, provider) = embedded(&[("memories.jsonl", &lines)]);
        assert_eq!(whole(&provider, "tp-1").content.as_deref(), Some("new"));
    }
}

#[test]
fn a_megabyte_is_stored_completely() {
    let (_dir, provider) = embedded(&[]);
    let text = "0123456789é\n\"\u{1b}".repeat(1 << 17);
    assert!(text.len() > 1 << 20);
    provider.store_memory(keyed("big", &text)).unwrap();
    let memory = whole(&provider, "big");
    assert!(memory.content.as_deref() == Some(text.as_str()));
    assert!(memory.excerpt.chars().count() <= 160 && memory.bytes == text.len() as u64);
}

#[test]
fn threads_that_store_at_once_lose_nothing() {
    let (dir, provider) = embedded(&[]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let provider = provider_at(dir.path(), &nothing_installed(), "s");
            scope.spawn(move || {
                for n in 0..20 {
                    provider
                        .store_memory(NewMemory::learned("ann", format!("thread {thread} number {n}")))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(keys(&provider, &Filter::default()).len(), 80);
}

#[test]
fn memories_are_neither_beads_nor_work() {
    let (dir, provider) = embedded(&[]);
    provider.store_memory(keyed("k", "text")).unwrap();
    let tracker = bc_beads::open(dir.path(), &nothing_installed()).unwrap();
    assert!(tracker.list(&bc_beads::ListFilter::everything()).unwrap().beads.is_empty());
    let row = fs::read_to_string(dir.path().join(".beads/memories.jsonl")).unwrap();
    // Add the memory's row to the beads, with the status `open`.
    fs::write(dir.path().join(".beads/issues.jsonl"), row.replace("\"pinned\"", "\"open\"")).unwrap();
    assert!(tracker.ready().unwrap().is_empty());
    assert!(tracker.list(&bc_beads::ListFilter::board()).unwrap().beads.is_empty());
}

#[test]
fn without_the_trackers_program_the_file_is_used() {
    let (_dir, provider) = embedded(&[("metadata.json", "{\"backend\":\"dolt\"}")]);
    assert_eq!(provider.store_memory(keyed("k", "text")).unwrap().kept_in, KeptIn::File);
    assert_eq!(keys(&provider, &Filter::default()), ["k"]);
}

#[cfg(unix)]
#[test]
fn a_failing_tracker_loses_no_memory_and_is_reported() {
    let (dir, _) = embedded(&[("metadata.json", "{\"backend\":\"dolt\"}")]);
    let environment = bc_beads::Environment { bd: Some("/bin/false".into()), ..nothing_installed() };
    let provider = provider_at(dir.path(), &environment, "s");
    let stored = provider.store_memory(keyed("k", "text")).unwrap();
    assert_eq!((stored.kept_in, provider.kept_in()), (KeptIn::File, KeptIn::Bd));
    assert!(stored.warning.unwrap().contains("memories.jsonl"));
    let retrieved = provider.retrieve_memories(&Filter::default()).unwrap();
    assert_eq!((retrieved.memories.len(), retrieved.warnings.len()), (1, 1));
    assert!(provider.migrate_pending(10).is_err());
    provider.delete_memory("k").unwrap();
    assert!(provider.retrieve_memories(&Filter::default()).unwrap().memories.is_empty());
}
