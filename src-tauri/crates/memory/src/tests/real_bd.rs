//! Memories in the real bd. `bd init` takes seconds, so one project is used for many checks.

use super::{keyed, keys, provider_at, whole};
use crate::{Action, KeptIn, MemoryProvider};
use bc_beads::{Environment, InitChoice, ListFilter};
use bc_core::memory::{Filter, MemoryType, NewMemory, OnBead, Relation};
use bc_process::run::Program;
use std::{fs, path::PathBuf};

struct Project {
    _dir: tempfile::TempDir,
    root: PathBuf,
    environment: Environment,
}

impl Project {
    fn with_bd(test: &str) -> Option<Project> {
        let Some(bd) = std::env::var_os("BC_TEST_BD") else {
            eprintln!("SKIPPED {test}: BC_TEST_BD is not set");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let (root, home) = (dir.path().join("a project"), dir.path().join("home"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&home).unwrap();
        let variables = vec![
            ("HOME".into(), home.into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
        ];
        let environment = Environment { bd: Some(bd.into()), variables, ..Environment::default() };
        let project = Project { _dir: dir, root, environment };
        project.program("git").args(["init", "-q"]).run().unwrap();
        bc_beads::init(&project.root, Some("tp"), InitChoice::Bd, &project.environment).unwrap();
        fs::create_dir_all(project.root.join(".beads/sessions")).unwrap();
        Some(project)
    }

    fn provider(&self, session: &str) -> MemoryProvider {
        provider_at(&self.root, &self.environment, session)
    }

    fn program(&self, program: impl Into<PathBuf>) -> Program {
        let program = Program::new(program).cwd(&self.root).env("BD_DISABLE_METRICS", "1");
        self.environment.variables.iter().fold(program, |program, (key, value)| program.env(key, value))
    }

    /// Runs bd as a user would.
    fn bd(&self, args: &[&str]) -> String {
        let done = self.program(self.environment.bd.clone().unwrap()).args(args).run().unwrap();
        assert!(done.ok(), "bd {args:?}: {} {}", done.out(), done.err());
        done.out()
    }
}

#[test]
fn the_real_bd_stores_memories_and_its_own_are_listed() {
    let Some(project) = Project::with_bd("the_real_bd_stores_memories_and_its_own_are_listed") else {
        return;
    };
    let provider = project.provider("session_20260101_120000");
    assert_eq!(provider.kept_in(), KeptIn::Bd);

    // A memory stored by this program is visible in bd and never ready.
    let text = "-x \"REST\": 'because'\n$(x) `y` é";
    let new = NewMemory {
        memory_type: Some(MemoryType::Decision),
        tags: Some(vec!["api: v2".into(), "with \"quotes\"".into()]),
        importance: Some(8),
        agent_id: "architect".into(),
        bead: OnBead::Bead("tp-1".parse().unwrap()),
        metadata: serde_json::from_str("{\"pr\": 7}").unwrap(),
        ..keyed("api: style", text)
    };
    let stored = provider.store_memory(new).unwrap();
    assert_eq!((stored.action, stored.kept_in, stored.warning), (Action::Remembered, KeptIn::Bd, None));
    assert!(project.bd(&["recall", "api: style"]).contains("\"REST\": 'because'"));
    assert!(!project.bd(&["ready"]).contains("REST"));
    let tracker = bc_beads::open(&project.root, &project.environment).unwrap();
    assert!(tracker.ready().unwrap().is_empty());
    assert!(tracker.list(&ListFilter::board()).unwrap().beads.is_empty());
    let row = tracker.show(&stored.id).unwrap();
    assert_eq!(
        (row.bead.assignee.as_deref(), row.bead.issue_type.as_str(), row.bead.priority),
        (Some("architect"), "feature", 1)
    );
    let other = project.provider("another");
    let memory = whole(&other, "api: style");
    assert_eq!((memory.content.as_deref(), memory.importance), (Some(text), 8));
    assert_eq!(memory.tags, ["api: v2", "with \"quotes\""]);
    assert_eq!(
        (memory.session_id.as_deref(), &memory.metadata["pr"]),
        (Some("session_20260101_120000"), &7.into())
    );
    assert_eq!(memory.metadata["beads_status"], "pinned");

    // Changes that bd makes to its memories are visible to this program.
    project.bd(&["remember", "always run tests with the race flag", "--key", "race"]);
    assert_eq!(whole(&other, "race").content.as_deref(), Some("always run tests with the race flag"));
    project.bd(&["remember", "GraphQL after all", "--key", "api: style"]);
    let changed = whole(&other, "api: style");
    assert_eq!(
        (changed.content.as_deref(), changed.agent_id.as_deref()),
        (Some("GraphQL after all"), Some("architect"))
    );
    let again = other.store_memory(keyed("api: style", "REST again")).unwrap();
    assert_eq!((again.action, &again.id), (Action::Updated, &stored.id));
    assert_eq!(whole(&other, "api: style").importance, 8);
    project.bd(&["update", stored.id.as_str(), "--description", "edited by hand", "--priority", "4"]);
    let edited = whole(&other, "api: style");
    assert_eq!((edited.content.as_deref(), edited.importance), (Some("edited by hand"), 1));
    project.bd(&["forget", "api: style"]);
    assert_eq!(keys(&other, &Filter::default()), ["race"]);
    assert_eq!(keys(&other, &Filter::default()), ["race"], "and it stays forgotten");

    // A link turns one of bd's own memories into a bead.
    other.store_memory(keyed("impl", "found while testing")).unwrap();
    other.link_memories("impl", "race", Relation::DiscoveredFrom).unwrap();
    let child = whole(&other, "impl");
    assert_eq!(child.parent_id, Some(whole(&other, "race").id));
    other.unlink_memories("race", "impl").unwrap();
    assert_eq!(whole(&other, "impl").links, []);
    other.link_memories("impl", "race", Relation::DiscoveredFrom).unwrap();
    let child = whole(&other, "impl");
    // The relation of a memory to its bead can be removed.
    for (bead, known) in [
        (OnBead::Bead("tp-1".parse().unwrap()), Some("tp-1")),
        (OnBead::AsItWas, Some("tp-1")),
        (OnBead::None, None),
        (OnBead::AsItWas, None),
    ] {
        other.store_memory(NewMemory { bead, ..keyed("on a bead", "text") }).unwrap();
        assert_eq!(whole(&other, "on a bead").bead_id.as_ref().map(|id| id.as_str()), known);
    }
    other.delete_memory("on a bead").unwrap();
    other.mark_memory_accessed("impl").unwrap();
    assert!(whole(&other, "impl").accessed_at >= child.accessed_at);
    let found = other.search_memories("WHILE testing", &Filter::default()).unwrap().memories;
    assert_eq!(found.len(), 1);

    // A memory that this program deletes is also deleted in bd, and can be restored.
    other.delete_memory("impl").unwrap();
    assert!(!project.bd(&["memories"]).contains("impl"));
    assert_eq!(keys(&other, &Filter::default()), ["race"]);
    other.restore_memory("impl").unwrap();
    assert!(project.bd(&["memories"]).contains("impl"));
    assert_eq!(keys(&other, &Filter::default()), ["impl", "race"]);

    // A megabyte fits into a bead, but not into bd's own memories.
    let big = "0123456789é\n\"".repeat(90_000);
    assert_eq!(other.store_memory(keyed("big", &big)).unwrap().warning, None);
    assert!(whole(&other, "big").content.as_deref().map(str::trim_end) == Some(big.trim_end()));
    other.store_memory(keyed("big", "small now")).unwrap();
    assert!(project.bd(&["recall", "big"]).contains("small now"));
    waiting_memories_move(&project);
}

/// Memories that were stored while bd failed are moved into bd with the same key.
fn waiting_memories_move(project: &Project) {
    let broken = Environment { bd: Some("/bin/false".into()), ..project.environment.clone() };
    let away = provider_at(&project.root, &broken, "s");
    let waiting = away.store_memory(NewMemory { importance: Some(9), ..keyed("waits", "for bd") }).unwrap();
    assert_eq!(waiting.kept_in, KeptIn::File);
    let provider = project.provider("s");
    assert_eq!(whole(&provider, "waits").content.as_deref(), Some("for bd"), "it is shown meanwhile");
    assert_eq!(provider.migrate_pending(10).unwrap(), 1);
    assert_eq!(provider.migrate_pending(10).unwrap(), 0);
    assert!(!project.root.join(".beads/memories.jsonl").exists());
    assert_eq!(
        (whole(&provider, "waits").importance, project.bd(&["recall", "waits"]).trim()),
        (9, "for bd")
    );
    // Many memories are moved together, whatever their content. A memory with an existing key is moved
    // separately.
    let odd = "-x \"quoted\"\n\n$(y) `z` é";
    for n in 0..6 {
        let new = NewMemory { tags: Some(vec!["api: v2".into()]), ..keyed(&format!("many: {n}"), odd) };
        assert_eq!(away.store_memory(new).unwrap().kept_in, KeptIn::File);
    }
    assert_eq!(provider.migrate_pending(0).unwrap(), 6);
    assert!(!project.root.join(".beads/memories.jsonl").exists());
    let one = whole(&provider, "many: 3");
    assert_eq!((one.content.as_deref(), &one.tags[..]), (Some(odd), &["api: v2".to_owned()][..]));
    assert!(project.bd(&["recall", "many: 5"]).contains("$(y) `z` é"));
    assert!(!project.bd(&["ready"]).contains("quoted"));
    let twice = away.store_memory(keyed("waits", "for bd, twice")).unwrap();
    assert_eq!(twice.kept_in, KeptIn::File);
    provider.migrate_pending(10).unwrap();
    assert_eq!(whole(&provider, "waits").content.as_deref(), Some("for bd, twice"));
    assert_eq!(keys(&provider, &Filter::default()).iter().filter(|key| *key == "waits").count(), 1);
}
