//! Sessions in pods of the real Kubernetes cluster that `BC_TEST_KUBECONFIG` selects (see
//! docs/CONTRIBUTING.md). The tests kill and delete the pods, as a cluster administrator would.

#![allow(clippy::disallowed_methods, reason = "the tests play the cluster's administrator")]

use crate::console::{Console, need_sim};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{path::PathBuf, time::Duration};

const PATIENCE: Duration = Duration::from_secs(120);

/// The environment variable with the size of a volume, to be set if the cluster can provide volumes.
const VOLUME: &str = "BC_TEST_KUBERNETES_VOLUME";

/// A project with the place `cluster`, which has one pod per session.
struct Pods {
    console: Console,
}

impl Pods {
    /// Without a cluster, prints a warning and returns `None`.
    fn start(test: &str, options: &[&str]) -> Option<Pods> {
        need_sim(test)?;
        let (Some(config), Ok(image)) =
            (std::env::var_os("BC_TEST_KUBECONFIG"), std::env::var("BC_TEST_KUBERNETES_IMAGE"))
        else {
            eprintln!("SKIPPED {test}: BC_TEST_KUBECONFIG and BC_TEST_KUBERNETES_IMAGE name no cluster");
            return None;
        };
        let mut console = Console::new();
        console.sandbox.set("KUBECONFIG", config);
        let fixed = ["places", "add", "cluster", "--kubernetes", "--image", &image];
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
    wait_for("the commit here", PATIENCE, || worktree.join("new").is_file().then_some(()));
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
    wait_for("the removal of the pod", PATIENCE, || pods.objects(&id).is_empty().then_some(()));
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
    wait_for("the removal of pod and claim", PATIENCE, || pods.objects(&id).is_empty().then_some(()));
}

#[test]
#[ignore = "needs a cluster"]
fn a_pod_that_cannot_start_is_refused_and_removed() {
    const TEST: &str = "a_pod_that_cannot_start_is_refused_and_removed";
    let Some(pods) = Pods::start(TEST, &[]) else { return };
    let refused = |name: &str, options: &[&str], named: &str| {
        let line = ["places", "add", name, "--kubernetes", "--image", "localhost/no-such-image:1"];
        pods.console.ok(&line.iter().chain(options).copied().collect::<Vec<_>>());
        let start = ["session", "start", "--simulated", "--on", name, "--branch", "refused"];
        let message = pods.console.fails(&start, "machine_unreachable", 1);
        assert!(message.contains(named), "{message}");
    };
    refused("unknown", &[], "no-such-image");
    refused("nowhere", &["--context", "no-such-context"], "no-such-context");
    refused("nameless", &["--namespace", "no-such-namespace"], "no-such-namespace");
    wait_for("the removal of the pods", PATIENCE, || {
        let names =
            pods.kubectl(&["get", "pods", "-l", "app.kubernetes.io/managed-by=beads-console", "-o", "name"]);
        names.is_empty().then_some(())
    });
}
