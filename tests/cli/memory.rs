//! Memories: the commands `remember`, `memories`, `recall`, `forget` and `prime`, run by one process and by
//! several concurrently, and the memories that a session's agent receives.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
    recovery::{has, last_injection, model_input, type_in},
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{collections::BTreeSet, fs, time::Instant};

fn keys(console: &Console, line: &[&str]) -> Vec<String> {
    let list = console.json(line);
    let memories = list["memories"].as_array().expect("a list has memories");
    memories.iter().map(|memory| memory["key"].as_str().expect("a key").to_owned()).collect()
}

#[test]
fn a_memory_is_stored_found_read_forgotten_and_restored() {
    let console = Console::new();
    let line = [
        "remember",
        "Always run the tests with -race",
        "--type",
        "pattern",
        "--tag",
        "testing",
        "--tag",
        "go: v2",
        "--importance",
        "8",
        "--agent",
        "reviewer",
        "--bead",
        "BC-1",
    ];
    let saved = console.json(&line);
    assert_eq!(
        (&saved["key"], &saved["action"]),
        (&"always-run-the-tests-with-race".into(), &"remembered".into())
    );
    assert_eq!(saved["kept_in"], "file");
    console.ok(&["remember", "Sessions live in Redis", "--key", "redis"]);
    assert_eq!(keys(&console, &["memories"]), ["redis", "always-run-the-tests-with-race"]);
    assert_eq!(keys(&console, &["memories", "RACE tests"]), ["always-run-the-tests-with-race"]);
    for filter in [["--agent", "reviewer"], ["--type", "pattern"], ["--tag", "go: v2"]] {
        assert_eq!(keys(&console, &["memories", filter[0], filter[1]]).len(), 1, "{filter:?}");
    }
    assert!(keys(&console, &["memories", "--session", "session_19990101_000000"]).is_empty());
    assert_eq!(console.ok(&["recall", "redis"]), "Sessions live in Redis\n");
    let shown = console.json(&["recall", "always-run-the-tests-with-race"]);
    assert_eq!((&shown["memory"]["importance"], &shown["memory"]["bead_id"]), (&8.into(), &"BC-1".into()));
    assert_eq!(shown["memory"]["metadata"]["workstream"], "main");
    assert_eq!(
        console.json(&["remember", "Sessions live in Postgres", "--key", "redis"])["action"],
        "updated"
    );

    console.ok(&["forget", "redis"]);
    assert_eq!(keys(&console, &["memories"]), ["always-run-the-tests-with-race"]);
    console.fails(&["forget", "redis"], "memory_not_found", 3);
    console.fails(&["recall", "missing"], "memory_not_found", 3);
    console.ok(&["forget", "--undo", "redis"]);
    assert_eq!(console.ok(&["recall", "redis"]), "Sessions live in Postgres\n");
    // Memories are not listed as beads.
    assert_eq!(console.json(&["bead", "list"])["beads"].as_array().map(Vec::len), Some(0));
}

#[test]
fn every_text_is_read_back_and_invalid_memories_are_refused() {
    let console = Console::new();
    let unusual = "line one: \"quoted\" 'too'\n\n```sh\n$(rm -rf /) `x` \\n\n```\n\ttab é 日本 #1, a:b";
    console.ok(&["remember", unusual, "--key", "odd: \"key\""]);
    assert_eq!(console.json(&["recall", "odd: \"key\""])["memory"]["content"], unusual);
    let big = "0123456789é\n\"".repeat(75_000);
    assert!(big.len() > 1 << 20);
    let ran = console.run_with(&["remember", "-", "--key", "big"], &big);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(console.json(&["recall", "big"])["memory"]["content"] == big);
    let assert_refused = |line: &[&str], input: &str, code: &str, exit: i32| {
        let line: Vec<&str> = line.iter().copied().chain(["--json"]).collect();
        console.run_with(&line, input).refused(&format!("{line:?}"), code, exit);
    };
    assert_refused(&["remember", "-"], "a\0b", "usage", 2);
    assert_refused(&["remember", "-"], " \n", "usage", 2);
    assert_refused(&["remember", "-"], &"x".repeat(3 << 20), "text_too_large", 2);
    assert_refused(&["remember", "x", "--tag", "agent:bob"], "", "usage", 2);
    assert_refused(&["remember", "x", "--tag", "a,b"], "", "usage", 2);
    assert_refused(&["remember", "x", "--key", "a\nb"], "", "usage", 2);
    let secret = format!("the token is ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6");
    let message = console.fails(&["remember", &secret], "confirmation_needed", 4);
    assert!(message.contains("github-pat") && !message.contains("aB3dE6"), "{message}");
    assert!(keys(&console, &["memories", "token"]).is_empty(), "a refused memory was stored");
    console.ok(&["remember", &secret, "--yes"]);
    assert_eq!(keys(&console, &["memories", "token"]).len(), 1);
}

#[test]
fn a_markdown_file_is_remembered_once() {
    let console = Console::new();
    console.sandbox.write(
        "MEMORY.md",
        "# Notes\n- run make first\n- never edit `gen/`\n\n## API: v2\nREST and nothing else.\n",
    );
    let imported = console.json(&["remember", "--from", "MEMORY.md"]);
    assert_eq!((imported["keys"].as_array().map(Vec::len), &imported["known"]), (Some(3), &0.into()));
    assert_eq!(keys(&console, &["memories", "--tag", "API v2"]), ["rest-and-nothing-else"]);
    console.ok(&["forget", "run-make-first"]);
    let again = console.json(&["remember", "--from", "MEMORY.md"]);
    assert_eq!((again["keys"].as_array().map(Vec::len), &again["known"]), (Some(0), &3.into()));
}

#[test]
fn prime_has_rules_work_and_memories_within_its_budget() {
    let console = Console::new();
    let empty = console.ok(&["prime"]);
    assert!(
        empty.contains("`beads-console bead ready`") && empty.contains("beads-console remember"),
        "{empty}"
    );
    let bead = console.bead("Implement login validation", &[]);
    console.ok(&["bead", "claim", &bead]);
    console.ok(&["remember", "The cache is warmed at midnight", "--importance", "3"]);
    console.ok(&["remember", "Emails are compared in lower case", "--bead", &bead, "--importance", "9"]);
    let primed = console.json(&["prime"]);
    let text = primed["text"].as_str().unwrap();
    assert!(text.contains(&format!("## Resuming: {bead} — Implement login validation")), "{text}");
    assert_eq!(
        primed["keys"],
        serde_json::json!(["emails-are-compared-in-lower-case", "the-cache-is-warmed-at-midnight"])
    );
    assert!(text.contains("Emails are compared in lower case"));
    let small = console.json(&["prime", "--budget", "220"]);
    assert_eq!((small["keys"].as_array().map(Vec::len), &small["left_out"]), (Some(1), &1.into()));
    assert!(small["memories"].as_str().unwrap().chars().count() <= 220);
    assert_eq!(console.json(&["prime", "--budget", "0"])["memories"], "");
}

/// The test holds the engine's lock and answers no requests. Memory commands do not wait for the lock.
#[test]
fn memories_need_neither_the_engine_nor_its_lock() {
    let console = Console::new();
    console.ok(&["bead", "list"]);
    let lock = console.sandbox.project().join(".beads/sessions/engine.lock");
    let lock = fs::File::options().read(true).write(true).create(true).truncate(false).open(lock).unwrap();
    lock.lock().unwrap();
    console.ok(&["remember", "under another process's lock", "--key", "k"]);
    assert_eq!(console.ok(&["recall", "k"]), "under another process's lock\n");
    assert!(console.ok(&["prime"]).contains("under another process's lock"));
    console.ok(&["forget", "k"]);
}

/// Lets several processes store memories at the same time, and asserts that every memory is stored exactly
/// once.
fn store_concurrently(console: &Console, processes: usize, each: usize) {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for process in 0..processes {
            scope.spawn(move || {
                for n in 0..each {
                    let ran = console.run(&["remember", &format!("process {process} learned the fact {n}")]);
                    assert_eq!(ran.code, Some(0), "{ran:?}");
                }
            });
        }
    });
    eprintln!("{processes} × {each} in {:?}", start.elapsed());
    let all = keys(console, &["memories"]);
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert_eq!((all.len(), distinct.len()), (processes * each, processes * each));
}

#[test]
fn thirty_concurrent_processes_lose_no_memory() {
    store_concurrently(&Console::new(), 30, 4);
}

#[test]
#[ignore = "takes minutes"]
fn thirty_processes_with_two_hundred_memories_each_lose_nothing() {
    store_concurrently(&Console::new(), 30, 200);
}

#[test]
#[ignore = "takes minutes"]
fn thirty_processes_with_ten_memories_each_lose_nothing_in_the_real_bd() {
    let Some(console) =
        Console::with_bd("thirty_processes_with_ten_memories_each_lose_nothing_in_the_real_bd")
    else {
        return;
    };
    store_concurrently(&console, 30, 10);
    // While bd is busy, memories wait in a file. Each read moves a few of them to bd.
    let waiting = || {
        let file = fs::read_to_string(console.sandbox.project().join(".beads/memories.jsonl"));
        file.map_or(0, |text| text.lines().count())
    };
    let mut before = waiting();
    eprintln!("{before} of them waited");
    while before > 0 {
        assert_eq!(keys(&console, &["memories"]).len(), 300);
        let now = waiting();
        assert!(now < before, "{now} of {before} still wait");
        before = now;
    }
    let mut bd = console.sandbox.command(console.sandbox.bin().join("bd"));
    let output = bd.args(["memories", "--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed.as_object().unwrap().keys().filter(|key| key.starts_with("process-")).count(), 300);
    assert_eq!(keys(&console, &["memories"]).len(), 300);
}

/// Even if processes are killed at arbitrary moments, acknowledged memories are stored and the file stays
/// usable.
#[test]
fn acknowledged_memories_survive_a_kill() {
    let console = Console::new();
    let mut acknowledged = Vec::new();
    for n in 0..12u32 {
        let key = format!("kill-{n}");
        let mut command =
            console.command(&["remember", "something that took a while to find out", "--key", &key]);
        let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        // Every second process is killed, each after a longer delay than the one before.
        if n % 2 == 0 {
            for _ in 0..n * 20_000 {
                std::hint::spin_loop();
            }
            let _ = child.kill();
        }
        let out = child.wait_with_output().unwrap();
        if !out.stdout.is_empty() {
            acknowledged.push(key);
        }
    }
    assert!(acknowledged.len() >= 6, "{acknowledged:?}");
    let stored = keys(&console, &["memories"]);
    assert!(acknowledged.iter().all(|key| stored.contains(key)), "{acknowledged:?} {stored:?}");
    console.ok(&["remember", "and it goes on"]);
}

#[test]
fn memories_are_shared_with_the_real_bd() {
    let Some(console) = Console::with_bd("memories_are_shared_with_the_real_bd") else {
        return;
    };
    let bd = |args: &[&str]| {
        let out = console.sandbox.command(console.sandbox.bin().join("bd")).args(args).output().unwrap();
        bc_testkit::sandbox::text_of(&format!("bd {args:?}"), &out)
    };
    assert_eq!(
        console.json(&["remember", "Use the race flag", "--key", "race", "--importance", "9"])["kept_in"],
        "bd"
    );
    assert_eq!(bd(&["recall", "race"]), "Use the race flag");
    assert!(bd(&["prime"]).contains("Use the race flag"));
    bd(&["remember", "JWT and not sessions", "--key", "auth"]);
    let mut known = keys(&console, &["memories"]);
    known.sort();
    assert_eq!(known, ["auth", "race"]);
    assert!(!bd(&["ready"]).contains("race"), "a memory is not ready work");
    assert_eq!(console.json(&["bead", "ready"])["beads"].as_array().map(Vec::len), Some(0));
    assert_eq!(console.json(&["bead", "list"])["beads"].as_array().map(Vec::len), Some(0));
    let primed = console.ok(&["prime"]);
    assert!(primed.contains("`bd ready`") && primed.contains("JWT and not sessions"), "{primed}");
    console.ok(&["forget", "auth"]);
    assert!(!bd(&["memories"]).contains("auth"));
    // If bd fails, the memory is stored in the file, with a warning.
    fs::remove_file(console.sandbox.bin().join("bd")).unwrap();
    console.sandbox.script("bd", "echo 'Error: broken' >&2; exit 1");
    let ran = console.run(&["remember", "kept while bd is broken", "--key", "waits"]);
    assert!(ran.code == Some(0) && ran.err.contains("memories.jsonl"), "{ran:?}");
    assert!(keys(&console, &["memories"]).contains(&"waits".to_owned()));
}

#[test]
fn an_agent_receives_memories_at_start_and_after_a_compaction() {
    let test = "an_agent_receives_memories_at_start_and_after_a_compaction";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    console.ok(&["remember", "Emails are compared in lower case", "--importance", "9"]);
    let bead = console.bead("Implement login validation", &[]);
    let id = console.start(&["--bead", &bead, "--prompt", "first prompt"]);
    let first = model_input(&api, "first prompt");
    let memories =
        wait_for("the memories at the start", TIMEOUT, || last_injection(&console, &id, "memories", "start"));
    assert!(
        memories.contains("Emails are compared in lower case") && memories.contains("beads-console remember")
    );
    assert!(has(&first, &memories), "the model saw other memories:\n{memories}\n{first}");
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: first prompt");
    console.wait_idle(&id);
    console.ok(&["remember", "Passwords are hashed with argon2", "--bead", &bead]);
    type_in(&console, &id, "/compact");
    let again = wait_for("the memories after it", TIMEOUT, || {
        last_injection(&console, &id, "memories", "compaction")
    });
    assert!(again.contains("argon2") && again.contains("lower case"), "{again}");
    let uses = console.json(&["recall", "passwords-are-hashed-with-argon2"])["uses"].clone();
    assert_eq!((uses.as_array().map(Vec::len), &uses[0]["session_id"]), (Some(1), &Value::from(id)));
}
