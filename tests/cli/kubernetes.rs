//! Sessions in pods of the real Kubernetes cluster that `BC_TEST_KUBECONFIG` selects (see
//! docs/CONTRIBUTING.md). The tests kill and delete the pods, as a cluster administrator would.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests play the cluster's administrator")]

use crate::{
    claude::with_claude,
    console::{Console, need_sim, program},
    fleet_run::{assert_merged_once_and_in_order, events_of, steps},
    merging::Queue,
    places::answer_trust,
    serve::RunningServer,
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    net::{Shutdown, TcpListener, TcpStream},
    path::PathBuf,
    process::Command,
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(120);

/// The environment variable with the size of a volume, to be set if the cluster can provide volumes.
const VOLUME: &str = "BC_TEST_KUBERNETES_VOLUME";

/// A project with the place `cluster`, which has one pod per session.
struct Pods {
    console: Console,
}

impl Pods {
    /// Without an image or a cluster, prints a warning and returns `None`.
    fn start(test: &str, options: &[&str]) -> Option<Pods> {
        let Ok(image) = std::env::var("BC_TEST_KUBERNETES_IMAGE") else {
            eprintln!("SKIPPED {test}: BC_TEST_KUBERNETES_IMAGE is not set");
            return None;
        };
        Pods::of_image(test, &image, options)
    }

    fn of_image(test: &str, image: &str, options: &[&str]) -> Option<Pods> {
        need_sim(test)?;
        let Some(config) = std::env::var_os("BC_TEST_KUBECONFIG") else {
            eprintln!("SKIPPED {test}: BC_TEST_KUBECONFIG names no cluster");
            return None;
        };
        let mut console = Console::new();
        console.sandbox.set("KUBECONFIG", config);
        let fixed = ["places", "add", "cluster", "--kubernetes", "--image", image];
        console.ok(&fixed.iter().chain(options).copied().collect::<Vec<_>>());
        Some(Pods { console })
    }

    fn kubectl(&self, args: &[&str]) -> String {
        let done = self.console.sandbox.command("kubectl").args(args).output().unwrap();
        assert!(done.status.success(), "kubectl {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// The names of a session's pod and persistent volume claim, if they exist.
    fn objects(&self, id: &str) -> String {
        self.kubectl(&["get", "pods,pvc", "-l", &format!("beads-console={}", pod_of(id)), "-o", "name"])
    }

    fn start_session(&self, branch: &str) -> String {
        let line = ["--simulated", "--on", "cluster", "--mode", "bypassPermissions", "--branch", branch];
        let id = self.console.start(&line);
        self.console.wait_idle(&id);
        id
    }

    fn send(&self, id: &str, script: &str, answer: &str) {
        self.console.ok(&["session", "send", id, &format!("{script} [[say:{answer}]]")]);
        self.console.wait_message("the answer", id, |message| {
            message["role"] == "assistant" && message["content"].as_str().is_some_and(|t| t.contains(answer))
        });
        self.console.wait_idle(id);
    }

    fn wait_interrupted(&self, id: &str) {
        let session = self.console.wait("the pause", id, |session| session["status"] == "paused");
        assert_eq!(session["pause_reason"], "interrupted");
    }

    fn record(&self, id: &str) -> String {
        let folder = self.console.sandbox.project().join(".beads/sessions").join(id);
        std::fs::read_to_string(folder.join("messages.jsonl")).unwrap()
    }
}

fn pod_of(id: &str) -> String {
    format!("beads-console-{id}")
}

#[test]
#[ignore = "needs a cluster"]
fn a_session_in_a_pod_survives_its_container_and_leaves_nothing() {
    const TEST: &str = "a_session_in_a_pod_survives_its_container_and_leaves_nothing";
    let Some(pods) = Pods::start(TEST, &[]) else { return };
    let check = pods.console.run(&["places", "test", "cluster", "--json"]);
    let check: Value = serde_json::from_str(&check.out).unwrap_or_else(|e| panic!("{e}: {check:?}"));
    let is_ok = |name: &str| {
        check["parts"].as_array().unwrap().iter().any(|part| part["what"] == name && part["ok"] == true)
    };
    assert!(is_ok("program") && is_ok("git") && is_ok("folder"), "{check}");

    let id = pods.start_session("podded");
    let worktree = PathBuf::from(pods.console.show(&id)["cwd"].as_str().unwrap());
    pods.send(
        &id,
        "[[bash:echo a > new && git add new && git commit -qm there && echo later > open]]",
        "one",
    );
    wait_for("the commit on this machine", TIMEOUT, || worktree.join("new").is_file().then_some(()));
    let changes = || pods.console.json(&["session", "changes", &id])["uncommitted"].clone();
    assert_eq!(changes(), json!(["open"]));
    pods.console.json(&["session", "commit", &id, "-m", "From here"]);
    assert_eq!(pods.console.sandbox.git(["log", "-1", "--format=%s", "podded"]), "From here");
    // The main process exits, so Kubernetes restarts the container.
    pods.kubectl(&["exec", &pod_of(&id), "--", "sh", "-c", "kill -TERM 1"]);
    pods.wait_interrupted(&id);
    pods.console.json(&["session", "resume", &id]);
    pods.console.wait_idle(&id);
    pods.send(&id, "[[bash:cat open]]", "two");
    assert!(pods.record(&id).contains("later"), "the file in the pod's home folder is lost");

    pods.kubectl(&["delete", "pod", &pod_of(&id), "--wait=false"]);
    pods.wait_interrupted(&id);
    pods.console.json(&["session", "resume", &id]);
    pods.console.wait_idle(&id);
    pods.send(&id, "[[bash:git log -1 --format=%s]]", "in a new pod");
    pods.console.json(&["session", "end", &id]);
    wait_for("the removal of the pod", TIMEOUT, || pods.objects(&id).is_empty().then_some(()));
}

#[test]
#[ignore = "needs a cluster"]
fn a_session_with_a_volume_survives_its_pod() {
    const TEST: &str = "a_session_with_a_volume_survives_its_pod";
    let Ok(size) = std::env::var(VOLUME) else {
        eprintln!("SKIPPED {TEST}: {VOLUME} is not set");
        return;
    };
    let Some(pods) = Pods::start(TEST, &["--volume", &size, "--memory", "512Mi"]) else { return };
    let id = pods.start_session("kept");
    pods.send(&id, "[[bash:echo later > open]]", "one");
    pods.kubectl(&["delete", "pod", &pod_of(&id), "--wait=false"]);
    pods.wait_interrupted(&id);
    pods.console.json(&["session", "resume", &id]);
    pods.console.wait_idle(&id);
    pods.send(&id, "[[bash:cat open]]", "two");
    assert!(pods.record(&id).contains("later"), "the file on the volume is lost");
    pods.console.json(&["session", "end", &id]);
    wait_for("the removal of pod and claim", TIMEOUT, || pods.objects(&id).is_empty().then_some(()));
}

#[test]
#[ignore = "needs a cluster"]
fn a_pod_that_cannot_start_is_refused_and_removed() {
    const TEST: &str = "a_pod_that_cannot_start_is_refused_and_removed";
    let Some(pods) = Pods::start(TEST, &[]) else { return };
    let assert_refused = |name: &str, options: &[&str], part: &str| {
        let line = ["places", "add", name, "--kubernetes", "--image", "localhost/no-such-image:1"];
        pods.console.ok(&line.iter().chain(options).copied().collect::<Vec<_>>());
        let start = ["session", "start", "--simulated", "--on", name, "--branch", "refused"];
        let message = pods.console.fails(&start, "machine_unreachable", 1);
        assert!(message.contains(part), "{message}");
    };
    assert_refused("unknown", &[], "no-such-image");
    assert_refused("nowhere", &["--context", "no-such-context"], "no-such-context");
    assert_refused("nameless", &["--namespace", "no-such-namespace"], "no-such-namespace");
    wait_for("the removal of the pods", TIMEOUT, || {
        let names =
            pods.kubectl(&["get", "pods", "-l", "app.kubernetes.io/managed-by=beads-console", "-o", "name"]);
        names.is_empty().then_some(())
    });
}

/// Stops a process of the cluster until this value is dropped.
struct Stopped(String);

impl Stopped {
    fn of(variable: &str, test: &str) -> Option<Stopped> {
        let Ok(pid) = std::env::var(variable) else {
            eprintln!("SKIPPED {test}: {variable} is not set");
            return None;
        };
        signal("STOP", &pid);
        Some(Stopped(pid))
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("CONT", &self.0);
    }
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), pid]).status().unwrap().success());
}

#[test]
#[ignore = "needs a cluster"]
fn a_turn_continues_while_the_api_server_or_the_kubelet_does_not_answer() {
    const TEST: &str = "a_turn_continues_while_the_api_server_or_the_kubelet_does_not_answer";
    let Some(pods) = Pods::start(TEST, &[]) else { return };
    let id = pods.start_session("stalled");
    let agent = pods.console.show(&id)["live"]["agent_pid"].clone();
    for (n, variable) in ["BC_TEST_APISERVER_PID", "BC_TEST_KUBELET_PID"].into_iter().enumerate() {
        let answer = format!("answered during stop {n}");
        pods.console.ok(&["session", "send", &id, &format!("[[bash:sleep 20]] [[say:{answer}]]")]);
        let Some(stopped) = Stopped::of(variable, TEST) else { return };
        // This is longer than the turn and than the time after which a silent connection counts as lost.
        std::thread::sleep(Duration::from_secs(60));
        drop(stopped);
        pods.console.wait_message("the answer", &id, |message| {
            message["role"] == "assistant" && message["content"].as_str().is_some_and(|t| t.contains(&answer))
        });
        let live = pods.console.wait("a reachable pod", &id, |session| {
            session["live"].is_object() && session["live"]["unreachable_since"].is_null()
        })["live"]
            .clone();
        assert_eq!(live["agent_pid"], agent, "the agent was started again");
        pods.console.wait_idle(&id);
        let times = pods
            .console
            .messages(&id)
            .iter()
            .filter(|m| {
                m["role"] == "assistant" && m["content"].as_str().is_some_and(|text| text.contains(&answer))
            })
            .count();
        assert_eq!(times, 1, "{variable}");
    }
    pods.console.json(&["session", "end", &id]);
    wait_for("the removal of the pod", TIMEOUT, || pods.objects(&id).is_empty().then_some(()));
}

#[test]
#[ignore = "needs a cluster"]
fn an_evicted_pod_interrupts_its_turn_and_its_session_continues_on_the_volume() {
    const TEST: &str = "an_evicted_pod_interrupts_its_turn_and_its_session_continues_on_the_volume";
    let Ok(size) = std::env::var(VOLUME) else {
        eprintln!("SKIPPED {TEST}: {VOLUME} is not set");
        return;
    };
    let Some(pods) = Pods::start(TEST, &["--volume", &size]) else { return };
    let id = pods.start_session("evicted");
    pods.send(&id, "[[bash:echo later > open]]", "one");
    pods.console.ok(&["session", "send", &id, "[[bash:sleep 600]] [[say:never]]"]);
    pods.console.wait("the turn", &id, |session| session["live"]["activity"] == "working");
    let pod = pod_of(&id);
    let eviction = format!(
        r#"{{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{pod}","namespace":"default"}}}}"#
    );
    let file = pods.console.sandbox.root().join("eviction.json");
    std::fs::write(&file, eviction).unwrap();
    let path = format!("/api/v1/namespaces/default/pods/{pod}/eviction");
    pods.kubectl(&["create", "--raw", &path, "-f", file.to_str().unwrap()]);
    pods.wait_interrupted(&id);
    pods.console.json(&["session", "resume", &id]);
    pods.console.wait_idle(&id);
    pods.send(&id, "[[bash:cat open]]", "two");
    assert!(pods.record(&id).contains("later"), "the file on the volume is lost");
    pods.console.json(&["session", "end", &id]);
    wait_for("the removal of pod and claim", TIMEOUT, || pods.objects(&id).is_empty().then_some(()));
}

#[test]
#[ignore = "needs a cluster"]
fn a_fleet_in_pods_finishes_its_beads_once_despite_deleted_pods() {
    const TEST: &str = "a_fleet_in_pods_finishes_its_beads_once_despite_deleted_pods";
    const AGENTS: usize = 4;
    let Some(pods) = Pods::start(TEST, &[]) else { return };
    let queue = Queue::of(pods.console);
    let console = &queue.console;
    console.ok(&["places", "change", "cluster", "--capacity", "4"]);
    for [key, value] in [
        ["simulated", "true"],
        ["mode", "bypassPermissions"],
        ["min_free_mib", "0"],
        ["auto_dispatch", "true"],
        ["merge_review", "false"],
        ["merge_target", "main"],
        ["places", "cluster"],
    ] {
        console.ok(&["fleet", "settings", key, value]);
    }
    // In a pod, agents find this program by its name.
    let steps = steps(None, false).replace(program().to_str().unwrap(), "beads-console");
    let beads: Vec<String> =
        (0..12).map(|n| console.bead(&format!("Job {n}"), &["--description", &steps])).collect();
    let mut line = vec!["fleet", "convoy", "create", "All of it"];
    line.extend(beads.iter().map(String::as_str));
    let convoy = console.json(&line)["convoy"]["id"].as_str().unwrap().to_owned();
    for _ in 0..AGENTS {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }
    let serving = RunningServer::start(console);
    let kubectl = |args: &[&str]| console.sandbox.command("kubectl").args(args).output().unwrap();
    let mut deleted = 0;
    wait_for("every bead is merged", Duration::from_secs(900), || {
        std::thread::sleep(Duration::from_secs(2));
        let overview = console.json(&["fleet", "overview"]);
        let merged = overview["convoys"][0]["counts"]["merged"].as_u64()?;
        // The simulated agent does not remember its instructions, so a resumed agent gets them again.
        for agent in overview["agents"].as_array().unwrap() {
            let Some(session) = agent["session_id"].as_str() else { continue };
            if agent["state"] == "at_prompt"
                && console.show(session)["active_intervals"].as_array()?.len() > 1
            {
                console.run(&["session", "send", session, &steps]);
            }
        }
        if deleted < 2 && merged > 2 * deleted {
            let found =
                kubectl(&["get", "pods", "-l", "app.kubernetes.io/managed-by=beads-console", "-o", "name"]);
            if let Some(pod) = String::from_utf8_lossy(&found.stdout).lines().next() {
                deleted += u64::from(kubectl(&["delete", pod, "--wait=false"]).status.success());
            }
        }
        (merged == beads.len() as u64).then_some(())
    });
    wait_for("every agent is idle", TIMEOUT, || {
        let overview = console.json(&["fleet", "overview"]);
        overview["agents"].as_array()?.iter().all(|agent| agent["state"] == "idle").then_some(())
    });
    drop(serving);
    assert_merged_once_and_in_order(&queue, &beads, &BTreeSet::new(), &events_of(console, &convoy));
    let sessions = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    for session in &sessions {
        let pod = pod_of(session["id"].as_str().unwrap());
        wait_for("the removal of the pod", TIMEOUT, || {
            (!kubectl(&["get", "pod", &pod]).status.success()).then_some(())
        });
    }
    eprintln!("{AGENTS} agents in pods did {} beads; {deleted} pods were deleted", beads.len());
}

#[test]
#[ignore = "needs a cluster"]
fn the_real_claude_works_in_a_pod_with_its_account_from_a_secret() {
    const TEST: &str = "the_real_claude_works_in_a_pod_with_its_account_from_a_secret";
    let (Ok(image), Ok(address)) =
        (std::env::var("BC_TEST_KUBERNETES_CLAUDE_IMAGE"), std::env::var("BC_TEST_KUBERNETES_NODE"))
    else {
        eprintln!("SKIPPED {TEST}: BC_TEST_KUBERNETES_CLAUDE_IMAGE and BC_TEST_KUBERNETES_NODE are not set");
        return;
    };
    let Some(pods) = Pods::of_image(TEST, &image, &["--secret", "claude-account"]) else { return };
    let Some((console, api)) = with_claude(pods.console, TEST) else { return };
    let pods = Pods { console };
    // The scripted API listens on loopback, so connections to the node's address are forwarded to it.
    let listener = TcpListener::bind((address.as_str(), 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let target = api.url().trim_start_matches("http://").to_owned();
    std::thread::spawn(move || forward(&listener, &target));
    let env = pods.console.sandbox.env();
    let value = |name: &str| env.get(std::ffi::OsStr::new(name)).and_then(|v| v.to_str()).map(str::to_owned);
    let mut arguments: Vec<String> =
        ["create", "secret", "generic", "claude-account"].map(str::to_owned).into();
    for name in env.keys().filter_map(|name| name.to_str()) {
        if name.starts_with("ANTHROPIC_") || name.starts_with("CLAUDE_CODE_") || name == "DISABLE_AUTOUPDATER"
        {
            let literal = if name == "ANTHROPIC_BASE_URL" { url.clone() } else { value(name).unwrap() };
            arguments.push(format!("--from-literal={name}={literal}"));
        }
    }
    let borrowed: Vec<&str> = arguments.iter().map(String::as_str).collect();
    pods.kubectl(&["delete", "secret", "claude-account", "--ignore-not-found"]);
    pods.kubectl(&borrowed);
    let console = &pods.console;
    let id = console.start(&["--on", "cluster", "--branch", "real", "--prompt", "first prompt"]);
    answer_trust(console, &id);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: first prompt");
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);
    wait_for("the removal of the pod", TIMEOUT, || pods.objects(&id).is_empty().then_some(()));
    pods.kubectl(&["delete", "secret", "claude-account"]);
}

/// Passes connections on to the target, in both directions.
fn forward(listener: &TcpListener, target: &str) {
    for from in listener.incoming().flatten() {
        let Ok(to) = TcpStream::connect(target) else { continue };
        let (mut from_reader, mut to_writer) = (from.try_clone().unwrap(), to.try_clone().unwrap());
        let (mut to_reader, mut from_writer) = (to, from);
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from_reader, &mut to_writer);
            let _ = to_writer.shutdown(Shutdown::Write);
        });
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut to_reader, &mut from_writer);
            let _ = from_writer.shutdown(Shutdown::Write);
        });
    }
}
