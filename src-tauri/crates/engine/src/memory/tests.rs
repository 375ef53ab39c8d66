//! Tests the memory commands in a project with an empty `.beads`.

use crate::fixture::Fixture;
use bc_core::{
    memory::MemoryType,
    message::{Message, Role},
    recovery::{Injection, Reason},
};
use bc_wire::{ErrorCode, api::Api, memory::*, session::SessionRef};

fn save(fixture: &Fixture, key: &str, content: &str) -> MemorySaved {
    let params =
        MemorySaveParams { key: Some(key.into()), content: content.into(), ..MemorySaveParams::default() };
    fixture.engine.memory_save(params).unwrap()
}

fn named(key: &str) -> MemoryRef {
    MemoryRef { key: key.into() }
}

fn looked_at(key: &str) -> MemoryGetParams {
    MemoryGetParams { key: key.into(), used: false }
}

fn keys(list: &MemoryList) -> Vec<&str> {
    list.memories.iter().map(|memory| memory.key.as_str()).collect()
}

#[test]
fn a_memory_records_the_session_and_agent_that_stored_it() {
    let fixture = Fixture::new();
    let id = fixture.paused(1, 2);
    let session = Some(id.to_string());
    let params = MemorySaveParams {
        session: session.clone(),
        content: "learned".into(),
        ..MemorySaveParams::default()
    };
    fixture.engine.memory_save(params).unwrap();
    let memory = fixture.engine.memory_get(looked_at("learned")).unwrap().memory;
    assert_eq!((memory.session_id.clone(), memory.agent_id.as_deref()), (session.clone(), Some("claude")));
    assert_eq!(memory.content.as_deref(), Some("learned"));
}

#[test]
fn a_list_has_facets_and_groups_of_duplicates() {
    let fixture = Fixture::new();
    save(&fixture, "a", "always run the tests of the server with the race flag on");
    save(&fixture, "b", "something else");
    save(&fixture, "c", "Always run the tests of the server with the race flag on!");
    let list = fixture.engine.memory_list(MemoryListParams { limit: Some(1), ..Default::default() }).unwrap();
    assert_eq!((keys(&list), list.total), (vec!["c"], 3));
    assert_eq!(list.duplicates, [["a", "c"]]);
    assert_eq!(list.facets.agents.len(), 1);
    let query = MemorySearchParams { query: "RACE server".into(), ..Default::default() };
    assert_eq!(keys(&fixture.engine.memory_search(query).unwrap()), ["c", "a"]);
}

#[test]
fn memories_are_linked_merged_forgotten_and_restored() {
    let fixture = Fixture::new();
    for (key, text) in [("a", "one\ntwo"), ("b", "two\nthree"), ("c", "design")] {
        save(&fixture, key, text);
    }
    let link = MemoryLinkParams { child: "b".into(), parent: "c".into(), kind: None };
    let shown = fixture.engine.memory_link(link).unwrap();
    assert_eq!((shown.linked[0].key.as_str(), shown.linked[0].is_child), ("c", false));
    let one = fixture.engine.memory_merge(MemoryMergeParams { keys: vec!["a".into(), "b".into()] }).unwrap();
    assert_eq!(one.memory.content.as_deref(), Some("one\ntwo\n\nthree"));
    assert_eq!(one.linked[0].key, "c", "links are merged as well");
    let list = fixture.engine.memory_list(MemoryListParams::default()).unwrap();
    assert_eq!(list.total, 2);
    assert!(fixture.engine.memory_forget(named("c")).unwrap().memory.forgotten);
    assert_eq!(fixture.engine.memory_forget(named("c")).unwrap_err().code, ErrorCode::MemoryNotFound);
    assert!(!fixture.engine.memory_restore(named("c")).unwrap().memory.forgotten);
    let few = MemoryMergeParams { keys: vec!["a".into(), "a".into()] };
    assert_eq!(fixture.engine.memory_merge(few).unwrap_err().code, ErrorCode::Usage);
}

#[test]
fn a_merge_is_undone_with_every_text_and_link() {
    let fixture = Fixture::new();
    for (key, text) in [("a", "one\ntwo"), ("b", "two\nthree"), ("c", "design")] {
        save(&fixture, key, text);
    }
    let of_b = MemoryLinkParams { child: "b".into(), parent: "c".into(), kind: None };
    fixture.engine.memory_link(of_b).unwrap();
    let merge = || fixture.engine.memory_merge(MemoryMergeParams { keys: vec!["a".into(), "b".into()] });
    let text = |key: &str| fixture.engine.memory_get(looked_at(key)).unwrap().memory.content.unwrap();
    for _ in 0..2 {
        merge().unwrap();
        assert_eq!(text("a"), "one\ntwo\n\nthree");
        let back = fixture.engine.memory_unmerge(named("a")).unwrap();
        assert_eq!((back.memory.content.as_deref(), back.linked), (Some("one\ntwo"), vec![]));
        assert_eq!((text("b"), text("c")), ("two\nthree".to_owned(), "design".to_owned()));
        let b = fixture.engine.memory_get(looked_at("b")).unwrap();
        assert!(!b.memory.forgotten && b.linked.len() == 1);
        let mut listed = fixture.engine.memory_list(MemoryListParams::default()).unwrap();
        listed.memories.sort_by(|a, b| a.key.cmp(&b.key));
        assert_eq!(keys(&listed), ["a", "b", "c"]);
    }
    assert_eq!(fixture.engine.memory_unmerge(named("a")).unwrap_err().code, ErrorCode::Usage);
    // A change after the merge must not be lost.
    merge().unwrap();
    save(&fixture, "a", "something else");
    assert_eq!(fixture.engine.memory_unmerge(named("a")).unwrap_err().code, ErrorCode::FileRefused);
    assert_eq!(text("a"), "something else");
}

#[test]
fn a_bead_and_a_link_are_removed() {
    let fixture = Fixture::new();
    let on = |bead: Option<&str>, no_bead| MemorySaveParams {
        key: Some("k".into()),
        content: "text".into(),
        bead: bead.map(|id| id.parse().unwrap()),
        no_bead,
        ..MemorySaveParams::default()
    };
    let bead = || fixture.engine.memory_get(looked_at("k")).unwrap().memory.bead_id;
    fixture.engine.memory_save(on(Some("tp-1"), false)).unwrap();
    fixture.engine.memory_save(on(None, false)).unwrap();
    assert!(bead().is_some());
    fixture.engine.memory_save(on(None, true)).unwrap();
    assert_eq!(bead(), None);
    assert_eq!(fixture.engine.memory_save(on(Some("tp-1"), true)).unwrap_err().code, ErrorCode::Usage);
    save(&fixture, "other", "text of it");
    let link = MemoryLinkParams { child: "k".into(), parent: "other".into(), kind: None };
    fixture.engine.memory_link(link).unwrap();
    let ends = || MemoryUnlinkParams { key: "other".into(), other: "k".into() };
    assert_eq!(fixture.engine.memory_unlink(ends()).unwrap().linked, []);
    assert_eq!(fixture.engine.memory_unlink(ends()).unwrap_err().code, ErrorCode::MemoryNotFound);
}

#[test]
fn a_file_is_previewed_before_its_import_and_only_the_selection_is_imported() {
    let fixture = Fixture::new();
    save(&fixture, "run-make-first", "run make first");
    let secret = "token ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6";
    let file = format!("# Notes\n- run make first\n- never edit gen\n- {secret}\n");
    bc_store::file::replace(&fixture.ctx.project.root.join("MEMORY.md"), file.as_bytes()).unwrap();
    let total = || fixture.engine.memory_list(MemoryListParams::default()).unwrap().total;
    let import = |params| fixture.engine.memory_import(params);
    let looked = import(MemoryImportParams { preview: true, ..Default::default() }).unwrap();
    let seen: Vec<_> = looked
        .points
        .iter()
        .map(|p| (p.key.as_str(), p.known, p.secrets.len(), p.section.as_deref()))
        .collect();
    assert_eq!(seen[0], ("run-make-first", true, 0, Some("Notes")));
    assert_eq!(seen[1], ("never-edit-gen", false, 0, Some("Notes")));
    assert_eq!((seen[2].1, &looked.points[2].secrets[..]), (false, &["github-pat".to_owned()][..]));
    assert_eq!(total(), 1, "a preview stores nothing");
    assert_eq!(import(MemoryImportParams::default()).unwrap_err().code, ErrorCode::ConfirmationNeeded);
    assert_eq!(total(), 1);
    let only = Some(vec!["never-edit-gen".to_owned()]);
    let imported = import(MemoryImportParams { only, ..Default::default() }).unwrap();
    assert_eq!((imported.keys, imported.known), (vec!["never-edit-gen".to_owned()], 1));
    let imported = import(MemoryImportParams { anyway: true, ..Default::default() }).unwrap();
    assert_eq!((imported.keys.len(), total()), (1, 3));
}

#[test]
fn a_secret_is_named_by_its_kind_and_not_stored() {
    let fixture = Fixture::new();
    let content = format!("token ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6");
    let params = MemorySaveParams { content, ..MemorySaveParams::default() };
    let refusal = fixture.engine.memory_save(params.clone()).unwrap_err();
    assert_eq!(refusal.code, ErrorCode::ConfirmationNeeded);
    assert!(refusal.message.contains("github-pat") && !refusal.message.contains("aB3dE6"), "{refusal}");
    assert_eq!(fixture.engine.memory_list(MemoryListParams::default()).unwrap().total, 0);
    fixture.engine.memory_save(MemorySaveParams { anyway: true, ..params }).unwrap();
}

#[test]
fn an_injected_memory_counts_as_used_and_a_finding_becomes_a_proposal() {
    let fixture = Fixture::new();
    save(&fixture, "race", "use -race");
    let id = fixture.paused(1, 2);
    let lock = fixture.session_lock(id);
    let at = crate::context::now();
    let text = fixture.engine.memory_prime(PrimeParams::default()).unwrap().memories;
    lock.injection_writer().unwrap().append(&Injection::new(at, Reason::Start, "memories", text)).unwrap();
    let said =
        Message::new("m1", Role::Assistant, "Done. The root cause is a missing lock in the cache.", at);
    lock.message_writer().unwrap().0.append(&said).unwrap();
    drop(lock);
    let uses = fixture.engine.memory_get(looked_at("race")).unwrap().uses;
    assert_eq!((uses.len(), uses[0].session_id), (1, id));
    let found = fixture.engine.memory_proposals(SessionRef { id }).unwrap().proposals;
    assert_eq!((found.len(), found[0].memory_type), (1, MemoryType::Learning));
    save(&fixture, &found[0].key, &found[0].content);
    assert!(fixture.engine.memory_proposals(SessionRef { id }).unwrap().proposals.is_empty());
}
