//! Sessions in containers, with the real podman. The image contains no programs: the folders with this
//! machine's programs are mounted, and Beads Console is copied into each container.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the container's administrator")]

use crate::{
    claude::with_claude,
    console::{Console, need_sim},
    places::answer_trust,
    recovery::{has, model_input},
    simulated_sessions::wait_gone,
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(120);

/// The image of the tests. Each test has its own container storage.
const IMAGE: &str = "localhost/beads-console-test:1";

/// Podman settings that also work with the restricted privileges inside a container or virtual machine.
const SETTINGS: &str = "[engine]\nruntime = \"runc\"\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"none\"\n\
                        [containers]\nlog_driver = \"none\"\n\
                        default_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\n";

/// A project with the place `box`, which has one container per session.
struct Boxes {
    console: Console,
}

impl Boxes {
    /// If podman or runc is missing, prints a warning and returns `None`.
    fn start(test: &str) -> Option<Boxes> {
        need_sim(test)?;
        Boxes::of(Console::new(), test, &["--option=--network=none"])
    }

    fn of(mut console: Console, test: &str, options: &[&str]) -> Option<Boxes> {
        let found =
            ["podman", "runc"].iter().all(|name| Command::new(name).arg("--version").output().is_ok());
        if !found {
            assert!(
                std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
                "{test}: podman or runc is not installed"
            );
            eprintln!("SKIPPED {test}: podman or runc is not installed (Debian's podman and runc)");
            return None;
        }
        let folder = console.sandbox.root().join("containers");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("engine.conf"), SETTINGS).unwrap();
        let storage = format!(
            "[storage]\ndriver = \"vfs\"\ngraphroot = \"{0}/storage\"\nrunroot = \"{0}/run\"\n",
            folder.display()
        );
        fs::write(folder.join("storage.conf"), storage).unwrap();
        console.sandbox.set("CONTAINERS_CONF", folder.join("engine.conf"));
        console.sandbox.set("CONTAINERS_STORAGE_CONF", folder.join("storage.conf"));
        let boxes = Boxes { console };
        boxes.import(&folder.join("root"));
        let fixed =
            ["places", "add", "box", "--image", IMAGE, "--engine", "podman", "--mount", "/usr:/usr:ro"];
        boxes.console.ok(&fixed.iter().chain(options).copied().collect::<Vec<_>>());
        Some(boxes)
    }

    /// Creates the image, which contains only the folders and links around `/usr`, and a user account.
    fn import(&self, root: &Path) {
        for name in ["usr", "etc", "agent", "tmp", "var", "proc", "sys", "dev"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["bin", "lib", "lib64", "sbin"] {
            symlink(format!("usr/{name}"), root.join(name)).unwrap();
        }
        fs::write(root.join("etc/passwd"), "root:x:0:0::/agent:/bin/sh\n").unwrap();
        let archive = root.with_extension("tar");
        let packed = Command::new("tar").arg("-C").arg(root).arg("-cf").arg(&archive).arg(".").status();
        assert!(packed.unwrap().success());
        self.podman(&["import", "--quiet", archive.to_str().unwrap(), IMAGE]);
    }

    fn try_podman(&self, args: &[&str]) -> Output {
        self.console.sandbox.command("podman").args(args).output().unwrap()
    }

    #[track_caller]
    fn podman(&self, args: &[&str]) -> String {
        let done = self.try_podman(args);
        assert!(done.status.success(), "podman {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// The names of all containers.
    fn containers(&self) -> Vec<String> {
        self.podman(&["ps", "--all", "--format", "{{.Names}}"]).lines().map(str::to_owned).collect()
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        // The storage contains mounts, which would prevent the removal of the sandbox's folder.
        let done = self.try_podman(&["rm", "--all", "--force", "--time", "0"]);
        if !done.status.success() {
            eprintln!("podman rm: {}", String::from_utf8_lossy(&done.stderr));
        }
    }
}

fn container_of(id: &str) -> String {
    format!("beads-console-{id}")
}

fn text(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

#[test]
fn a_session_in_a_podman_container_is_copied_back_and_its_container_is_removed() {
    const TEST: &str = "a_session_in_a_podman_container_is_copied_back_and_its_container_is_removed";
    let Some(boxes) = Boxes::start(TEST) else { return };
    let console = &boxes.console;
    let check = console.run(&["places", "test", "box", "--json"]);
    let check: Value = serde_json::from_str(&check.out).unwrap_or_else(|e| panic!("{e}: {check:?}"));
    let part =
        |name: &str| check["parts"].as_array().unwrap().iter().find(|p| p["what"] == name).unwrap().clone();
    for name in ["program", "git", "folder"] {
        assert_eq!(part(name)["ok"], true, "{check}");
    }
    assert_eq!(part("claude")["ok"], false);
    assert_eq!(boxes.containers(), Vec::<String>::new(), "`places test` left its container behind");

    let bead = console.bead("Fix the redirect", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--on", "box", "--mode", "bypassPermissions"]);
    let session = console.wait_idle(&id);
    assert_eq!(boxes.containers(), [container_of(&id)]);
    let worktree = PathBuf::from(session["cwd"].as_str().unwrap());
    console.ok(&[
        "session",
        "send",
        &id,
        "[[bash:echo made there > new && git add new && git commit -qm there && echo later | tee uncommitted > second]]",
    ]);
    wait_for("the commit on this machine", TIMEOUT, || worktree.join("new").is_file().then_some(()));
    console.wait_idle(&id);

    // The container is stopped, as if podman had restarted. The session is paused and can be resumed in the
    // same container.
    boxes.podman(&["kill", &container_of(&id)]);
    console.wait("the pause", &id, |session| session["status"] == "paused");
    assert_eq!(console.show(&id)["pause_reason"], "interrupted");
    let changed = console.json(&["session", "changes", &id]);
    assert_eq!(changed["uncommitted"], json!(["second", "uncommitted"]), "{changed:#}");
    boxes.podman(&["kill", &container_of(&id)]);
    let done = console.json(&["session", "commit", &id, "-m", "From here", "second"]);
    assert_eq!(
        console.sandbox.git(["rev-parse", session["branch"].as_str().unwrap()]),
        done["hash"].as_str().unwrap()
    );
    let resumed = console.json(&["session", "resume", &id])["session"].clone();
    assert_eq!(resumed["claude_sessions"].as_array().unwrap().len(), 1, "the conversation did not continue");
    console.ok(&["session", "send", &id, "[[bash:cat uncommitted]] [[say:it goes on]]"]);
    console.wait_message("the answer", &id, |m| m["role"] == "assistant" && text(m).contains("it goes on"));
    let recorded = fs::read_to_string(
        console.sandbox.project().join(".beads/sessions").join(&id).join("messages.jsonl"),
    );
    assert!(recorded.unwrap().contains("later"), "the file in the container was lost");
    console.wait_idle(&id);

    console.json(&["session", "end", &id]);
    wait_for("the removal of the container", TIMEOUT, || boxes.containers().is_empty().then_some(()));
    // The last checkpoint on this machine contains the container's uncommitted work.
    let kept = console.json(&["session", "checkpoints", &id]);
    let last =
        kept["checkpoints"].as_array().unwrap().last().unwrap()["reference"].as_str().unwrap().to_owned();
    assert_eq!(console.sandbox.git(["show", &format!("{last}:uncommitted")]), "later");
}

#[test]
fn a_session_whose_container_was_removed_is_interrupted_and_starts_again_in_a_new_one() {
    const TEST: &str = "a_session_whose_container_was_removed_is_interrupted_and_starts_again_in_a_new_one";
    let Some(boxes) = Boxes::start(TEST) else { return };
    let console = &boxes.console;
    let id =
        console.start(&["--simulated", "--on", "box", "--mode", "bypassPermissions", "--branch", "boxed"]);
    console.wait_idle(&id);
    console.ok(&[
        "session",
        "send",
        &id,
        "[[bash:git commit -q --allow-empty -m 'before the end']] [[say:done]]",
    ]);
    console.wait_message("the answer", &id, |m| m["role"] == "assistant" && text(m).contains("done"));
    console.wait_idle(&id);
    wait_for("the commit on this machine", TIMEOUT, || {
        (console.sandbox.git(["log", "-1", "--format=%s", "boxed"]) == "before the end").then_some(())
    });
    let link =
        fs::read(console.sandbox.project().join(".beads/sessions").join(&id).join("host.json")).unwrap();
    let link = serde_json::from_slice::<Value>(&link).unwrap()["pid"].clone();
    boxes.podman(&["rm", "--force", "--time", "0", &container_of(&id)]);
    let session = console.wait("the end", &id, |session| session["status"] == "paused");
    assert_eq!(session["pause_reason"], "interrupted");
    wait_gone(&link);

    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[bash:git log -1 --format=%s]] [[say:in a new one]]"]);
    console.wait_message("the answer", &id, |m| m["role"] == "assistant" && text(m).contains("in a new one"));
    // Ending a paused session also removes its container.
    console.json(&["session", "pause", &id]);
    assert_eq!(boxes.containers(), [container_of(&id)]);
    console.json(&["session", "end", &id]);
    assert_eq!(boxes.containers(), Vec::<String>::new());
}

#[test]
fn a_container_with_work_that_could_not_be_fetched_is_kept() {
    const TEST: &str = "a_container_with_work_that_could_not_be_fetched_is_kept";
    let Some(boxes) = Boxes::start(TEST) else { return };
    let console = &boxes.console;
    let start = |branch: &str| {
        let id =
            console.start(&["--simulated", "--on", "box", "--mode", "bypassPermissions", "--branch", branch]);
        console.wait_idle(&id);
        console.ok(&["session", "send", &id, "[[bash:mv ../../repository ../../moved]] [[say:done]]"]);
        console.wait_message("the answer", &id, |m| m["role"] == "assistant" && text(m).contains("done"));
        console.wait_idle(&id);
        id
    };
    let ended = start("ended");
    console.json(&["session", "end", &ended]);
    let paused = start("paused");
    console.json(&["session", "pause", &paused]);
    console.json(&["session", "end", &paused]);
    let mut kept = [container_of(&ended), container_of(&paused)];
    kept.sort();
    let mut found = boxes.containers();
    found.sort();
    assert_eq!(found, kept);
}

#[test]
fn a_container_that_cannot_be_used_is_refused_and_leaves_nothing() {
    const TEST: &str = "a_container_that_cannot_be_used_is_refused_and_leaves_nothing";
    let Some(boxes) = Boxes::start(TEST) else { return };
    let console = &boxes.console;
    let start = |on: &str, code: &str, exit: i32| {
        console.fails(&["session", "start", "--simulated", "--on", on, "--branch", "refused"], code, exit)
    };
    let add = |name: &str, image: &str, more: &[&str]| {
        let line = ["places", "add", name, "--image", image, "--engine", "podman", "--option=--network=none"];
        console.ok(&line.iter().chain(more).copied().collect::<Vec<_>>());
    };
    add("unknown", "localhost/no-such-image:1", &[]);
    let message = start("unknown", "machine_unreachable", 1);
    assert!(message.contains("no-such-image"), "{message}");
    // Without the mount of `/usr`, the image has no shell.
    add("empty", IMAGE, &[]);
    start("empty", "machine_unreachable", 1);
    add("odd", IMAGE, &["--mount", "/usr:/usr:ro", "--option=--no-such-option"]);
    let message = start("odd", "machine_unreachable", 1);
    assert!(message.contains("no-such-option"), "{message}");
    console.ok(&["places", "add", "none", "--image", IMAGE, "--engine", "docker"]);
    if Command::new("docker").arg("--version").output().is_err() {
        let message = start("none", "machine_unreachable", 1);
        assert!(message.contains("docker"), "{message}");
    }
    for bad in
        [["places", "add", "bad", "--image", "--privileged"], ["places", "add", "bad", "far", "--memory=4g"]]
    {
        assert_eq!(console.run(&bad).code, Some(2), "{bad:?}");
    }
    console.fails(&["places", "add", "bad", "--image", IMAGE, "--option=--env=KEY=secret"], "usage", 2);
    assert_eq!(boxes.containers(), Vec::<String>::new());
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
}

#[test]
fn the_real_claude_works_in_a_container() {
    const TEST: &str = "the_real_claude_works_in_a_container";
    let Some((console, api)) = with_claude(Console::new(), TEST) else { return };
    let claude = console.sandbox.bin().join("claude").canonicalize().unwrap();
    let account = console.sandbox.claude_dir();
    // `--env=NAME` takes the value from the user's environment. The host's network is required to reach the
    // scripted API on this machine's loopback interface.
    let names = console.sandbox.env().keys().filter_map(|name| name.to_str());
    let names = names.filter(|name| name.starts_with("ANTHROPIC_") || name.starts_with("CLAUDE_"));
    let mut options: Vec<String> = names.map(|name| format!("--option=--env={name}")).collect();
    options.push("--option=--env=DISABLE_AUTOUPDATER".to_owned());
    options.push("--option=--network=host".to_owned());
    options.push(format!("--mount={}:/agent/.local/bin/claude:ro", claude.display()));
    options.push(format!("--mount={0}:{0}", account.display()));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let Some(boxes) = Boxes::of(console, TEST, &options) else { return };
    let console = &boxes.console;
    let id = console.start(&["--on", "box", "--branch", "real", "--prompt", "first prompt"]);
    answer_trust(console, &id);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: first prompt");
    assert!(has(&model_input(&api, "first prompt"), "first prompt"));
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);
}
