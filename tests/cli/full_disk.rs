//! A full disk: saved data is kept, failed writes are reported with a reason, and all work continues once
//! space is available. The tests use a small file system in a mount namespace.

#![cfg(target_os = "linux")]

use crate::{
    claude::with_claude,
    console::{Console, finish, need_sim, program},
};
use serde_json::{Value, json};
use std::{fs, process::Command};

/// Moves `.beads` to a file system of 256 KiB, fills it, runs commands, frees space, and runs one more command.
const SCRIPT: &str = r#"
set -e
cp -a .beads ../kept
mount -t tmpfs -o size=256k,mode=0700 tmpfs .beads
cp -a ../kept/. .beads/
head -c 1M /dev/zero > .beads/filler 2>/dev/null || true
set +e
"$CONSOLE" bead create second --json > ../create.out 2> ../create.err; echo $? > ../create.code
"$CONSOLE" session start --simulated --json > ../start.out 2> ../start.err; echo $? > ../start.code
"$CONSOLE" bead list --json > ../list.out 2> ../list.err; echo $? > ../list.code
rm .beads/filler
"$CONSOLE" bead create third --json > ../third.out 2> ../third.err; echo $? > ../third.code
"#;

/// A live session whose disk is full for a while. Claude's own files are on another file system. The output
/// of its tool is long, because a short message would still fit into the tmpfs page at the end of
/// `messages.jsonl`.
const LIVE: &str = r#"
set -e
cp -a .beads ../kept
mount -t tmpfs -o size=1m,mode=0700 tmpfs .beads
cp -a ../kept/. .beads/
show() { "$CONSOLE" session show "$id" --json; }
"$CONSOLE" session start --prompt 'first [[bash:touch made && seq 1 4000]]' --json > ../start.out
id=$(sed -n 's/^    "id": "\([0-9a-f-]*\)".*/\1/p' ../start.out)
until show | grep -q '"activity": "waiting_permission"'; do :; done
until grep -q 'first' .beads/sessions/"$id"/messages.jsonl; do :; done
cp .beads/sessions/"$id"/messages.jsonl ../before.jsonl
head -c 2M /dev/zero > .beads/filler 2>/dev/null || true
request=$(show | sed -n 's/.*"id": "\(permission-[0-9a-f]*\)".*/\1/p')
"$CONSOLE" session permission "$id" "$request" --allow --json > ../permission.out
until show | grep -q 'the disk is full'; do :; done
show > ../broken.out
cp .beads/sessions/"$id"/messages.jsonl ../broken.jsonl
set +e
"$CONSOLE" session send "$id" more --json > ../send.out 2> ../send.err; echo $? > ../send.code
set -e
"$CONSOLE" session transcript "$id" --json > ../transcript.out
rm .beads/filler
until show | grep -q '"troubles": \[\]'; do :; done
until grep -q '3999' .beads/sessions/"$id"/messages.jsonl; do :; done
"$CONSOLE" session transcript "$id" --json > ../after.out
cp .beads/sessions/"$id"/messages.jsonl ../after.jsonl
"$CONSOLE" session end "$id" --json > ../end.out
"$CONSOLE" session timeline "$id" --json > ../timeline.out
"#;

/// A command that runs the script in a mount namespace. If the machine does not permit namespaces, prints a
/// warning and returns `None`.
pub(crate) fn namespace(console: &Console, test: &str, script: &str) -> Option<Command> {
    let within = |script: &str| {
        let mut command = console.sandbox.command("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("CONSOLE", program());
        command
    };
    let permitted = within("mount -t tmpfs tmpfs .beads").output().is_ok_and(|done| done.status.success());
    if !permitted {
        eprintln!("NOT RUN {test}: this system does not permit mount namespaces");
    }
    permitted.then(|| within(script))
}

#[test]
fn a_full_disk_loses_no_saved_data() {
    const TEST: &str = "a_full_disk_loses_no_saved_data";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let first = console.bead("First", &[]);
    let Some(command) = namespace(&console, TEST, SCRIPT) else { return };
    let ran = finish(command, Vec::new());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |name: &str| fs::read_to_string(console.sandbox.project().join("..").join(name)).unwrap();
    for step in ["create", "start"] {
        let error = read(&format!("{step}.err"));
        assert_eq!(read(&format!("{step}.code")).trim(), "1", "{step}: {error}");
        assert!(error.contains("\"disk_full\"") && error.contains("free some space"), "{step}: {error}");
    }
    assert!(read("list.out").contains(&first), "{} {}", read("list.out"), read("list.err"));
    assert_eq!(read("third.code").trim(), "0", "{}", read("third.err"));
}

#[test]
fn a_live_session_outlasts_a_full_disk() {
    const TEST: &str = "a_live_session_outlasts_a_full_disk";
    let Some((console, _api)) = with_claude(Console::new(), TEST) else { return };
    let Some(command) = namespace(&console, TEST, LIVE) else { return };
    let ran = finish(command, Vec::new());
    let folder = console.sandbox.project().join("..");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let json = |name: &str| serde_json::from_str::<Value>(&read(name)).unwrap_or_default();
    assert_eq!(ran.code, Some(0), "{ran:?}\n{}", read("broken.out"));
    // The session keeps running, reports the problem, and refuses prompts that it cannot save.
    let broken = json("broken.out");
    assert_eq!((&broken["status"], broken["live"].is_object()), (&json!("active"), true), "{broken:#}");
    assert!(read("send.err").contains("\"disk_full\""), "{}{}", read("send.out"), read("send.err"));
    assert_eq!(read("send.code").trim(), "1");
    assert!(read("broken.jsonl").starts_with(&read("before.jsonl")), "recorded messages are missing");
    assert!(read("transcript.out").contains("first [[bash"), "{}", read("transcript.out"));
    // Once space is available, the messages from the time without space are saved, each exactly once.
    let printed = |name: &str| read(name).matches("3999").count();
    assert_eq!((printed("transcript.out"), printed("after.out")), (0, 1), "{}", read("after.out"));
    assert!(read("after.jsonl").starts_with(&read("before.jsonl")), "recorded messages were changed");
    assert_eq!(json("end.out")["session"]["status"], "closed", "{}", read("end.out"));
    let timeline = json("timeline.out");
    assert_eq!(timeline["warnings"], json!([]), "{timeline:#}");
    let bands = timeline["bands"].as_array().unwrap();
    assert!(bands.iter().any(|band| band["kind"] == "waiting" && band["reason"] == "prompt"), "{timeline:#}");
}

/// Two live sessions on a full disk: one is paused, and the other is ended. Stopping their agents does not
/// require a write.
const STOPPING: &str = r#"
set -e
cp -a .beads ../kept
mount -t tmpfs -o size=1m,mode=0700 tmpfs .beads
cp -a ../kept/. .beads/
start() {
  "$CONSOLE" session start --simulated --mode bypassPermissions --prompt '[[bash:sleep 600]]' "$@" --json > ../start.out
  sed -n 's/^    "id": "\([0-9a-f-]*\)".*/\1/p' ../start.out
}
show() { "$CONSOLE" session show "$1" --json; }
agent() { show "$1" | sed -n 's/.*"agent_pid": \([0-9]*\),.*/\1/p'; }
first=$(start)
second=$(start --worktree --branch second)
first_agent=$(agent "$first"); second_agent=$(agent "$second")
for id in "$first" "$second"; do until show "$id" | grep -q '"activity": "working"'; do :; done; done
head -c 2M /dev/zero > .beads/filler 2>/dev/null || true
set +e
"$CONSOLE" session pause "$first" > ../pause.out 2> ../pause.err; echo $? > ../pause.code
kill -0 "$first_agent" 2>/dev/null; echo $? > ../first.alive
"$CONSOLE" session end "$second" --json > ../end.out 2> ../end.err; echo $? > ../end.code
kill -0 "$second_agent" 2>/dev/null; echo $? > ../second.alive
show "$first" > ../unsaved.out
# The session is ended while its pause is not saved yet.
"$CONSOLE" session end "$first" --json > ../late.out 2> ../late.err; echo $? > ../late.code
set -e
rm .beads/filler
until show "$first" | grep -q '"status": "closed"'; do :; done
until show "$second" | grep -q '"status": "closed"'; do :; done
show "$second" > ../after.out
"#;

#[test]
fn an_agent_is_stopped_on_a_full_disk_and_the_rest_is_saved_later() {
    const TEST: &str = "an_agent_is_stopped_on_a_full_disk_and_the_rest_is_saved_later";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let Some(command) = namespace(&console, TEST, STOPPING) else { return };
    let ran = finish(command, Vec::new());
    let read =
        |name: &str| fs::read_to_string(console.sandbox.project().join("..").join(name)).unwrap_or_default();
    let json = |name: &str| serde_json::from_str::<Value>(&read(name)).unwrap_or_default();
    assert_eq!(ran.code, Some(0), "{ran:?}\n{}{}{}", read("pause.err"), read("end.err"), read("late.err"));
    assert_eq!(read("pause.code").trim(), "0", "{}{}", read("pause.out"), read("pause.err"));
    assert!(read("pause.err").contains("not saved yet"), "{}{}", read("pause.out"), read("pause.err"));
    for (step, agent) in [("end", "second"), ("late", "first")] {
        assert_eq!(read(&format!("{step}.code")).trim(), "0", "{}", read(&format!("{step}.err")));
        let warnings = json(&format!("{step}.out"))["warnings"].to_string();
        assert!(warnings.contains("not saved yet"), "{step}: {warnings}");
        assert_eq!(read(&format!("{agent}.alive")).trim(), "1", "the {agent} agent still runs");
    }
    let unsaved = json("unsaved.out");
    assert_eq!(unsaved["live"]["activity"], "gone", "{unsaved:#}");
    assert!(unsaved["live"]["troubles"].to_string().contains("not saved yet"), "{unsaved:#}");
    assert_eq!(
        (&json("after.out")["close_reason"], &json("after.out")["live"]),
        (&json!("user"), &Value::Null)
    );
}

/// Reads a closed session while the folder for sockets has no free inode, so that no file can be created in it.
const NO_INODES: &str = r#"
set -e
mount -t tmpfs -o nr_inodes=4,mode=0700 tmpfs "$XDG_RUNTIME_DIR"
for n in 1 2 3 4; do touch "$XDG_RUNTIME_DIR/$n" 2>/dev/null || true; done
! touch "$XDG_RUNTIME_DIR/more" 2>/dev/null
set +e
for verb in list "show $1" "transcript $1" "timeline $1" "export $1 --format json"; do
  "$CONSOLE" session $verb --json > ../read.out 2> ../read.err || { echo "$verb: $(cat ../read.err)" >> ../failed; }
done
"$CONSOLE" bead list --json > ../beads.out 2> ../beads.err || echo "bead list: $(cat ../beads.err)" >> ../failed
"$CONSOLE" bead create more --json > ../create.out 2> ../create.err; echo $? > ../create.code
exit 0
"#;

#[test]
fn a_project_is_readable_without_a_free_inode() {
    const TEST: &str = "a_project_is_readable_without_a_free_inode";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let Some(mut command) = namespace(&console, TEST, NO_INODES) else { return };
    command.args(["read", &id]);
    let ran = finish(command, Vec::new());
    let folder = console.sandbox.project().join("..");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    assert_eq!((ran.code, read("failed").as_str()), (Some(0), ""), "{ran:?}");
    assert!(read("read.out").contains("hello"), "{}", read("read.out"));
    assert_eq!(read("create.code").trim(), "1");
    assert!(
        read("create.err").contains("disk_full") && read("create.err").contains("inodes"),
        "{}",
        read("create.err")
    );
}

/// Starts a session whose folder for worktrees is on a file system that is smaller than the committed files.
const SMALL: &str = r#"
set -e
head -c 1M /dev/urandom > big
git add big
git commit -qm big
mkdir ../small
mount -t tmpfs -o size=256k,mode=0700 tmpfs ../small
"$CONSOLE" fleet settings worktree_dir ../small > ../set.out
set +e
"$CONSOLE" session start --simulated --worktree --branch x --json > ../start.out 2> ../start.err; echo $? > ../start.code
"$CONSOLE" worktree list --json > ../list.out
git branch --list x > ../branch.out
ls -A ../small > ../left.out
"#;

#[test]
fn a_worktree_without_disk_space_is_refused_without_leftovers() {
    const TEST: &str = "a_worktree_without_disk_space_is_refused_without_leftovers";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let Some(command) = namespace(&console, TEST, SMALL) else { return };
    let ran = finish(command, Vec::new());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |name: &str| fs::read_to_string(console.sandbox.project().join("..").join(name)).unwrap();
    let error = read("start.err");
    assert!(error.contains("\"disk_full\"") && read("start.code").trim() == "1", "{error}");
    let list: Value = serde_json::from_str(&read("list.out")).unwrap();
    assert_eq!(
        (&list["worktrees"], read("branch.out").as_str(), read("left.out").as_str()),
        (&json!([]), "", "")
    );
}
