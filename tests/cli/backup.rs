//! Backups on a separate branch: their content and side effects, several machines with one remote, and restoring into
//! another clone.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, finish, need_sim, program},
    recovery::{allow_request, has, model_input},
};
use bc_testkit::{ScriptedApi, wait_for};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const BRANCH: &str = "refs/heads/beads-backup";
const SECRET: &str = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6";

/// Another clone of the sandbox's remote, as on another machine.
struct RemoteClone<'a> {
    console: &'a Console,
    root: PathBuf,
}

impl RemoteClone<'_> {
    fn of<'a>(console: &'a Console, name: &str) -> RemoteClone<'a> {
        let root = console.sandbox.root().join(name);
        // The default folder, the first machine's project, may have been removed by the test.
        let mut git = console.sandbox.command("git");
        git.args(["clone", "-q"]).arg(remote(console)).arg(&root).current_dir(console.sandbox.root());
        bc_testkit::sandbox::text_of("git clone", &git.output().unwrap());
        RemoteClone { console, root }
    }

    fn command(&self, program: impl AsRef<Path>, line: &[&str]) -> Command {
        let mut command = self.console.sandbox.command(program);
        command.args(line).current_dir(&self.root).env("PWD", &self.root);
        command
    }

    #[track_caller]
    fn ok(&self, line: &[&str]) -> String {
        let ran = finish(self.command(program(), line), Vec::new());
        assert_eq!(ran.code, Some(0), "{line:?} in {}\n{}{}", self.root.display(), ran.out, ran.err);
        ran.out
    }

    #[track_caller]
    fn json(&self, line: &[&str]) -> Value {
        let line: Vec<&str> = line.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.ok(&line)).unwrap()
    }

    fn git(&self, line: &[&str]) -> String {
        let out = self.command("git", line).output().unwrap();
        bc_testkit::sandbox::text_of(&format!("git {line:?}"), &out)
    }
}

fn remote(console: &Console) -> PathBuf {
    console.sandbox.root().join("remote.git")
}

/// Adds a remote and pushes the main branch to it, with the tracker's files.
fn with_remote(console: &Console) {
    let path = remote(console);
    console.sandbox.git(["init", "-q", "--bare", "-b", "main", path.to_str().unwrap()]);
    for name in [".gitignore", "config.yaml", "metadata.json", "issues.jsonl"] {
        let file = format!(".beads/{name}");
        if console.sandbox.project().join(&file).exists() {
            console.sandbox.git(["add", "-f", &file]);
        }
    }
    console.sandbox.git(["commit", "-q", "-m", "beads", "--allow-empty"]);
    console.sandbox.git(["remote", "add", "origin", path.to_str().unwrap()]);
    console.sandbox.git(["push", "-q", "origin", "main"]);
}

/// Reads a file of the backup branch.
fn file(console: &Console, name: &str) -> String {
    console.sandbox.git(["show", &format!("{BRANCH}:beads-backup/{name}")])
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn titles(shown: &Value) -> Vec<String> {
    let mut titles: Vec<String> = shown["beads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bead| bead["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

fn keys(shown: &Value) -> Vec<String> {
    let memories = shown["memories"].as_array().unwrap().iter();
    let mut keys: Vec<String> = memories.map(|memory| memory["key"].as_str().unwrap().to_owned()).collect();
    keys.sort();
    keys
}

/// The user's data that a backup could change by mistake.
fn user_data(console: &Console) -> Vec<Vec<u8>> {
    let root = console.sandbox.project();
    let git = |args: [&str; 3]| console.sandbox.git(args).into_bytes();
    vec![
        fs::read(root.join(".git/HEAD")).unwrap(),
        fs::read(root.join(".git/index")).unwrap(),
        fs::read(root.join("README.md")).unwrap(),
        fs::read(root.join("staged.txt")).unwrap(),
        git(["--no-optional-locks", "status", "--porcelain=v2"]),
        git(["stash", "list", "--"]),
        git(["rev-parse", "refs/heads/main", "--"]),
    ]
}

#[test]
fn a_backup_is_complete_and_changes_no_user_files() {
    let console = Console::new();
    let bead = console.bead("Write the parser", &[]);
    console.ok(&["bead", "comment", &bead, "Mind the brackets"]);
    console.ok(&["remember", "Sessions live in Redis", "--key", "redis"]);
    console.sandbox.write("staged.txt", "staged");
    console.sandbox.git(["add", "staged.txt"]);
    console.sandbox.write("staged.txt", "changed after it was staged");
    console.sandbox.write("README.md", "changed");
    let before = user_data(&console);
    let done = console.json(&["backup"]);
    assert_eq!(
        (&done["changed"], &done["counts"]["beads"], &done["counts"]["memories"]),
        (&true.into(), &1.into(), &1.into())
    );
    assert_eq!(done["push"]["state"], "not_wanted");
    let beads = lines(&file(&console, "beads.jsonl"));
    assert_eq!(
        (&beads[0]["title"], &beads[0]["comments"][0]["text"]),
        (&"Write the parser".into(), &"Mind the brackets".into())
    );
    assert_eq!(lines(&file(&console, "memories.jsonl"))[0]["description"], "Sessions live in Redis");
    let manifest: Value = serde_json::from_str(&file(&console, "manifest.json")).unwrap();
    assert_eq!((&manifest["format"], &manifest["version"]), (&"beads-console-backup".into(), &1.into()));
    // Without changes, no commit is made.
    let again = console.json(&["backup"]);
    assert_eq!((&again["changed"], &again["commit"]), (&false.into(), &done["commit"]));
    console.ok(&["bead", "close", &bead]);
    assert_eq!(console.json(&["backup"])["changed"], true);
    assert_eq!(console.sandbox.git(["rev-list", "--count", BRANCH]), "2");
    assert_eq!(user_data(&console), before);
    let doctor = console.run(&["doctor"]).out;
    assert!(doctor.contains("last made") && doctor.contains("no remote to push it to"), "{doctor}");
}

/// The backup is killed before and after each of its git processes.
#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods, reason = "the test resets the wrapper's counter")]
fn a_killed_backup_leaves_a_complete_old_or_new_backup() {
    let console = Console::new();
    with_remote(&console);
    console.sandbox.write("staged.txt", "staged");
    console.sandbox.git(["add", "staged.txt"]);
    console.sandbox.write("staged.txt", "changed after it was staged");
    console.ok(&["remember", "Known before", "--key", "before"]);
    console.ok(&["backup", "--push"]);
    let before = user_data(&console);
    let path = console.sandbox.env()[std::ffi::OsStr::new("PATH")].clone();
    let git = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file()).unwrap();
    let steps = console.sandbox.root().join("steps");
    let (mut killed, mut moved) = (0, 0);
    for at in 1.. {
        let mut ended = 0;
        for moment in ["before", "after"] {
            console.ok(&[
                "remember",
                &format!("Found {moment} step {at}"),
                "--key",
                &format!("{moment}-{at}"),
            ]);
            let last = console.sandbox.git(["rev-parse", BRANCH]);
            fs::write(&steps, "0").unwrap();
            let wrapper = console.sandbox.script(
                "git",
                &format!(
                    "n=$(($(cat '{steps}') + 1)); echo $n > '{steps}'\n\
                     [ $n-{moment} = {at}-before ] && kill -9 $PPID\n\
                     '{git}' \"$@\"; code=$?\n\
                     [ $n-{moment} = {at}-after ] && kill -9 $PPID\n\
                     exit $code",
                    steps = steps.display(),
                    git = git.display(),
                ),
            );
            let ran = console.run(&["backup", "--push"]);
            fs::remove_file(wrapper).unwrap();
            match ran.code {
                None => killed += 1,
                Some(code) => {
                    assert_eq!(code, 0, "{}", ran.err);
                    ended += 1;
                }
            }
            let now = console.sandbox.git(["rev-parse", BRANCH]);
            if now != last {
                moved += usize::from(ran.code.is_none());
                assert_eq!(console.sandbox.git(["rev-parse", &format!("{BRANCH}^")]), last);
            }
            console.sandbox.git(["fsck", "--strict", "--no-dangling"]);
            let manifest: Value = serde_json::from_str(&file(&console, "manifest.json")).unwrap();
            assert_eq!(manifest["format"], "beads-console-backup");
            lines(&file(&console, "memories.jsonl"));
            assert_eq!(user_data(&console), before, "{moment} step {at}");
        }
        if ended == 2 {
            break;
        }
    }
    println!("COUNTED {killed} backups killed, {moved} of them after the branch had moved");
    assert!(killed > 4 && moved > 0, "{killed} killed, {moved} after the branch had moved");
    // The next backup contains the memories of the killed backups, both locally and on the remote.
    console.ok(&["backup", "--push"]);
    let memories: Vec<Value> = lines(&file(&console, "memories.jsonl"));
    assert!(memories.len() > killed, "{} of {killed}", memories.len());
    let at_remote = console.sandbox.git(["ls-remote", "origin", BRANCH]);
    assert!(at_remote.starts_with(&console.sandbox.git(["rev-parse", BRANCH])), "{at_remote}");
}

/// The test holds the engine's lock and answers no requests. Backups do not wait for the lock.
#[test]
fn backups_need_no_engine_and_can_run_concurrently() {
    let console = Console::new();
    console.bead("One", &[]);
    let lock = console.sandbox.project().join(".beads/sessions/engine.lock");
    let lock = fs::File::options().read(true).write(true).create(true).truncate(false).open(lock).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| console.ok(&["backup"]));
        }
    });
    assert_eq!(console.sandbox.git(["rev-list", "--count", BRANCH]), "1");
}

#[test]
fn a_second_clone_restores_everything_once_and_keeps_newer_records() {
    let Some(_) = need_sim("a_second_clone_restores_everything_once_and_keeps_newer_records") else { return };
    let console = Console::new();
    with_remote(&console);
    let first = console.bead("First", &[]);
    let second = console.bead("Second", &["--blocked-by", &first]);
    console.ok(&["remember", "Sessions live in Redis", "--key", "redis"]);
    let id = console.start(&[
        "--simulated",
        "--bead",
        &first,
        "--prompt",
        &format!("[[say:the key is {SECRET}]]"),
    ]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let done = console.json(&["backup", "--push", "--transcripts"]);
    assert_eq!((&done["push"]["state"], &done["counts"]["transcripts"]), (&"done".into(), &1.into()));
    assert!(done["secrets_removed"].as_u64() > Some(0), "{done}");
    let transcript = file(&console, &format!("transcripts/{id}.jsonl"));
    assert!(transcript.contains("[removed: ") && !transcript.contains(SECRET), "{transcript}");
    assert!(!file(&console, "sessions.jsonl").contains(SECRET));

    // The clone has no beads, because the user never committed them.
    let clone = RemoteClone::of(&console, "second");
    let plan = clone.json(&["backup", "restore", "--preview"]);
    assert_eq!(
        (&plan["beads"]["added"], &plan["memories"]["added"], &plan["sessions"]["added"]),
        (&2.into(), &1.into(), &1.into())
    );
    assert_eq!(titles(&clone.json(&["bead", "list"])), [] as [&str; 0], "a preview changes nothing");
    for round in 0..2 {
        let done = clone.json(&["backup", "restore"]);
        assert_eq!(done["beads"]["added"], if round == 0 { 2 } else { 0 }, "{done:#}");
        assert_eq!(titles(&clone.json(&["bead", "list"])), ["First", "Second"]);
        assert_eq!(keys(&clone.json(&["memories"])), ["redis"]);
        let sessions = clone.json(&["session", "list"]);
        assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&sessions["sessions"][0]["id"], &sessions["sessions"][0]["status"]),
            (&id.as_str().into(), &"closed".into())
        );
    }
    assert!(clone.ok(&["session", "transcript", &id]).contains("the key is [removed: "));
    assert_eq!(clone.json(&["bead", "show", &second])["bead"]["blocked_by"][0], first.as_str());

    // Local changes are kept, and are backed up together with the first machine's data.
    clone.ok(&["bead", "close", &second]);
    clone.ok(&["remember", "Sessions live in Postgres", "--key", "redis"]);
    let kept = clone.json(&["backup", "restore"]);
    assert_eq!((&kept["beads"]["kept"], &kept["memories"]["kept"]), (&1.into(), &1.into()));
    assert_eq!(clone.ok(&["recall", "redis"]), "Sessions live in Postgres\n");
    clone.ok(&["backup", "--push"]);
    let back = console.json(&["backup", "restore", "--fetch"]);
    assert_eq!((&back["beads"]["changed"], &back["memories"]["changed"]), (&1.into(), &1.into()));
    assert_eq!(console.ok(&["recall", "redis"]), "Sessions live in Postgres\n");
    assert_eq!(console.json(&["bead", "show", &second])["bead"]["status"], "closed");
}

#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
fn a_clone_with_br_imports_beads_through_br() {
    let console = Console::new();
    console.bead("Write the parser", &[]);
    with_remote(&console);
    console.bead("Read the file", &[]);
    console.ok(&["backup", "--push"]);

    let clone = RemoteClone::of(&console, "of-br");
    fs::write(clone.root.join(".beads/beads.db"), "").unwrap();
    let br = Path::new(env!("CARGO_MANIFEST_DIR")).join("../beads/tests/data/programs/recorded-br");
    let restore = |more: &[&str]| -> Value {
        let mut command = clone.command(program(), &["backup", "restore", "--json"]);
        command.args(more).env("BC_BR", &br).env("ARGUMENTS", clone.root.join("arguments"));
        let ran = finish(command, Vec::new());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        serde_json::from_str(&ran.out).unwrap()
    };
    let beads = || fs::read_to_string(clone.root.join(".beads/issues.jsonl")).unwrap();
    let before = beads();
    let shown = restore(&["--preview"]);
    assert_eq!((&shown["beads"]["added"], &shown["warnings"]), (&1.into(), &Value::Array(Vec::new())));
    assert_eq!(beads(), before, "a preview changes nothing");
    let done = restore(&[]);
    assert_eq!((&done["beads"]["added"], &done["warnings"]), (&1.into(), &Value::Array(Vec::new())));
    assert!(before.lines().all(|line| beads().contains(line)), "{}", beads());
    assert!(beads().contains("Read the file"), "{}", beads());
    let arguments = || fs::read_to_string(clone.root.join("arguments")).unwrap();
    assert_eq!(arguments().matches("--import-only").count(), 1, "{}", arguments());
    let again = restore(&[]);
    assert_eq!((&again["beads"]["added"], &again["beads"]["same"]), (&0.into(), &2.into()));
    assert_eq!(arguments().matches("--import-only").count(), 1, "{}", arguments());
}

#[test]
fn two_machines_with_one_remote_keep_each_others_records() {
    let console = Console::new();
    with_remote(&console);
    let clone = RemoteClone::of(&console, "second");
    console.bead("Of the first machine", &[]);
    clone.ok(&["bead", "create", "Of the second machine"]);
    // Both machines create the branch independently.
    console.ok(&["backup"]);
    clone.ok(&["backup", "--push"]);
    assert_eq!(console.json(&["backup", "--push"])["push"]["state"], "done");
    let tip = console.sandbox.git(["rev-parse", BRANCH]);
    assert_eq!(clone.git(&["ls-remote", "origin", BRANCH]).split_whitespace().next(), Some(tip.as_str()));
    let both = lines(&file(&console, "beads.jsonl"));
    assert_eq!(both.len(), 2, "{both:#?}");
    // Without changes, neither machine moves the branch again.
    assert_eq!(clone.json(&["backup", "--push"])["changed"], false);
    assert_eq!(console.json(&["backup", "--push"])["changed"], false);
    assert_eq!(clone.git(&["rev-parse", BRANCH]), tip);
    // A missing local branch is restored from the remote's branch.
    console.sandbox.git(["update-ref", "-d", BRANCH]);
    assert_eq!(console.json(&["backup"])["commit"], tip.as_str());
}

#[test]
fn a_refused_push_loses_nothing_and_is_retried() {
    let console = Console::new();
    with_remote(&console);
    console.bead("One", &[]);
    let hook = remote(&console).join("hooks/pre-receive");
    let refuse = console.sandbox.script("refuse", "echo this branch is protected; exit 1");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::copy(refuse, &hook).unwrap();
    let ran = console.run(&["backup", "--push", "--json"]);
    let done: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &done["push"]["state"]), (Some(1), &"failed".into()), "{ran:?}");
    assert!(done["push"]["error"].as_str().unwrap().contains("this branch is protected"), "{done}");
    assert!(done["commit"].is_string(), "a refused push must not prevent the backup");
    let doctor = console.run(&["doctor"]).out;
    assert!(doctor.contains("this branch is protected"), "{doctor}");
    fs::remove_file(hook).unwrap();
    // This command does not request a push, but retries the pending push.
    assert_eq!(console.json(&["backup"])["push"]["state"], "done");
    assert_eq!(console.json(&["backup"])["push"]["state"], "not_wanted");
    // The remote cannot be reached.
    fs::rename(remote(&console), console.sandbox.root().join("away")).unwrap();
    console.bead("Two", &[]);
    assert_eq!(console.run(&["backup", "--push"]).code, Some(1));
    fs::rename(console.sandbox.root().join("away"), remote(&console)).unwrap();
    assert_eq!(console.json(&["backup"])["push"]["state"], "done");
    assert_eq!(lines(&file(&console, "beads.jsonl")).len(), 2);
}

#[test]
fn an_unwritable_backup_target_is_named() {
    let console = Console::new();
    console.fails(&["backup", "restore", "--preview"], "backup_not_found", 3);
    console.fails(&["backup", "restore", "--from", "nowhere"], "git_failed", 1);
    console.sandbox.git(["checkout", "-q", "-b", "beads-backup"]);
    let message = console.fails(&["backup"], "branch_in_use", 4);
    assert!(message.contains("checked out"), "{message}");
    console.sandbox.git(["checkout", "-q", "main"]);
    // A backup keeps the files of a branch that this program did not create, but refuses a newer format.
    console.ok(&["backup"]);
    assert_eq!(console.sandbox.git(["show", &format!("{BRANCH}:README.md")]), "# A project");
    let newer = r#"{"format":"beads-console-backup","version":9}"#;
    let blob = console.sandbox.project().join("newer.json");
    console.sandbox.write("newer.json", newer);
    let blob = console.sandbox.git(["hash-object", "-w", blob.to_str().unwrap()]);
    console.sandbox.script("commit-newer", &format!(
        "tree=$(printf '100644 blob {blob}\\tmanifest.json\\n' | git mktree) && tree=$(printf \"040000 tree $tree\\tbeads-backup\\n\" | git mktree) \
         && git update-ref {BRANCH} $(git commit-tree $tree -m newer)"
    ));
    let made = console.sandbox.command(console.sandbox.bin().join("commit-newer")).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let message = console.fails(&["backup"], "file_refused", 4);
    assert!(message.contains("version 9"), "{message}");
}

#[test]
fn an_ended_session_is_backed_up_unless_disabled() {
    let Some(_) = need_sim("an_ended_session_is_backed_up_unless_disabled") else { return };
    let console = Console::new();
    let started = |prompt: &str| {
        let id = console.start(&["--simulated", "--prompt", prompt]);
        console.wait_idle(&id);
        id
    };
    let id = started("one");
    console.ok(&["session", "end", &id]);
    wait_for("the backup at the session's end", TIMEOUT, || {
        let tip =
            console.sandbox.command("git").args(["rev-parse", "-q", "--verify", BRANCH]).output().unwrap();
        (tip.status.success() && file(&console, "sessions.jsonl").contains(&id)).then_some(())
    });
    assert!(!console.sandbox.git(["ls-tree", "-r", "--name-only", BRANCH]).contains("transcripts"));
    console.ok(&["settings", "--project-only", "backup_at_end", "off"]);
    let second = started("two");
    console.ok(&["session", "pause", &second]);
    assert_eq!(console.json(&["backup", "--at-end"])["commit"], Value::Null);
    assert!(!file(&console, "sessions.jsonl").contains(&second));
    // A failed backup is reported and does not prevent the session's end.
    console.ok(&["settings", "--project-only", "backup_at_end", "on"]);
    console.sandbox.git(["worktree", "add", "-q", "../elsewhere", "beads-backup"]);
    let third = started("three");
    console.ok(&["session", "end", &third]);
    assert_eq!(console.show(&third)["status"], "closed");
    wait_for("the warning", TIMEOUT, || {
        let status = console.json(&["backup", "status"]);
        status["branch"]["problem"]
            .as_str()
            .is_some_and(|problem| problem.contains("checked out"))
            .then_some(())
    });
    assert!(console.run(&["doctor"]).out.contains("checked out"));
}

#[test]
fn a_project_without_beads_gets_them_from_the_backup() {
    let console = Console::new();
    console.bead("One", &[]);
    console.ok(&["remember", "Sessions live in Redis", "--key", "redis"]);
    // In this project, git ignores `.beads`.
    let path = remote(&console);
    console.sandbox.git(["init", "-q", "--bare", "-b", "main", path.to_str().unwrap()]);
    console.sandbox.git(["remote", "add", "origin", path.to_str().unwrap()]);
    console.sandbox.git(["push", "-q", "origin", "main"]);
    console.ok(&["backup", "--push"]);
    let clone = RemoteClone::of(&console, "bare");
    assert!(!clone.root.join(".beads").exists());
    assert_eq!(clone.json(&["backup", "restore", "--preview"])["beads"]["added"], 1);
    assert!(!clone.root.join(".beads").exists(), "a preview creates nothing");
    clone.ok(&["backup", "restore"]);
    assert_eq!(titles(&clone.json(&["bead", "list"])), ["One"]);
    assert_eq!(keys(&clone.json(&["memories"])), ["redis"]);
    let made = clone.json(&["bead", "create", "Two"]);
    assert!(made["bead"]["id"].as_str().unwrap().starts_with("BC-"), "{made}");
}

/// The complete scenario: an agent stores a memory, its machine is lost, and an agent in another clone receives it.
#[test]
fn memories_reach_another_clone_after_the_loss_of_the_machine() {
    let test = "memories_reach_another_clone_after_the_loss_of_the_machine";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, api)) = with_claude(console, test) else { return };
    with_remote(&console);
    let bead = console.bead("Write the parser", &[]);
    let id = console.start(&["--bead", &bead, "--prompt", "hello"]);
    console.wait_idle(&id);
    let learned = "The brackets are balanced by the lexer";
    let remember = format!("[[bash:'{}' remember '{learned}' --key brackets]]", program().display());
    console.ok(&["session", "send", &id, &remember]);
    allow_request(&console, &id);
    console.wait_idle(&id);
    console.ok(&["backup", "--push"]);

    // The machine is lost: no process shuts down cleanly, and the disk's data is lost.
    let live = console.show(&id)["live"].clone();
    for pid in [&live["host_pid"], &live["agent_pid"]] {
        console.sandbox.command("kill").args(["-9", &pid.to_string()]).status().unwrap();
    }
    let first = console.sandbox.project().to_owned();
    fs::rename(&first, console.sandbox.root().join("gone")).unwrap();

    let clone = RemoteClone::of(&console, "second");
    console.sandbox.seed_claude(&[&clone.root]);
    let restored = clone.json(&["backup", "restore"]);
    assert_eq!(
        (&restored["memories"]["added"], &restored["sessions"]["added"]),
        (&1.into(), &1.into()),
        "{restored:#}"
    );
    assert_eq!(titles(&clone.json(&["bead", "list"])), ["Write the parser"]);
    let recalled = clone.command(console.sandbox.bin().join("bd"), &["recall", "brackets"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&recalled.stdout).trim(), learned, "bd does not return the memory");
    let earlier = clone.json(&["session", "show", &id]);
    assert_eq!((&earlier["status"], &earlier["pause_reason"]), (&"paused".into(), &"interrupted".into()));
    assert_model_receives(&clone, &api, learned);
    assert_eq!(clone.json(&["backup", "restore"])["memories"]["added"], 0);
}

/// Asserts that the model of a new session receives this text when the session starts.
fn assert_model_receives(clone: &RemoteClone<'_>, api: &ScriptedApi, learned: &str) {
    let started = clone.json(&["session", "start", "--prompt", "what do you know here?"]);
    let id = started["session"]["id"].as_str().unwrap().to_owned();
    let first = model_input(api, "what do you know here?");
    assert!(has(&first, learned), "the model did not receive it:\n{first}");
    clone.ok(&["session", "end", &id]);
}
