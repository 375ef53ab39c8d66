//! The steps of a session with one version of claude. `cargo xtask test --full` runs them with each version in
//! `tests/tools/claude-versions.txt` and prints the table.

use crate::{claude::with_claude, console::Console};
use bc_testkit::ScriptedApi;
use serde_json::{Value, json};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(60);

const QUESTIONS: &str = r#"[[tool:AskUserQuestion:{"questions":[
    {"question":"Which colour?","header":"Colour","multiSelect":false,"options":[
        {"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},
    {"question":"Which fruits?","header":"Fruits","multiSelect":true,"options":[
        {"label":"Apple","description":"a"},{"label":"Pear","description":"p"}]} ]}]]"#;

/// The first version that reports replies while they are streamed.
const STREAMING: (u32, u32, u32) = (2, 1, 152);

/// The first tested version that reads the plan from a file instead of the tool call's input.
const PLAN_IN_FILE: (u32, u32, u32) = (2, 1, 220);

struct Journey {
    console: Console,
    api: ScriptedApi,
    version: String,
    id: String,
}

type Step = (&'static str, fn(&mut Journey));

/// The steps in order. Each step begins in the state after the previous one.
const STEPS: [Step; 29] = [
    ("doctor accepts the version", Journey::doctor),
    ("start with a prompt", Journey::start),
    ("the prompt's answer is recorded", Journey::answer),
    ("tokens and cost are counted", Journey::cost),
    ("a text is sent", Journey::send),
    ("a tool is allowed", Journey::allow),
    ("the tool's file is removed and restored", Journey::restore),
    ("a tool is denied with a reason", Journey::deny),
    ("a fork continues before that prompt", Journey::fork),
    ("a subagent's messages are its own", Journey::subagent),
    ("a plain Allow does not answer a question", Journey::plain_yes),
    ("questions are answered", Journey::questions),
    ("Plan mode is selected", Journey::plan_mode),
    ("a plan is rejected with a reason", Journey::plan_back),
    ("pending needs are listed", Journey::needs),
    ("an approved plan continues in Manual", Journey::plan_approved),
    ("each mode is selected, Manual last", Journey::modes),
    ("a text is held during a turn", Journey::held),
    ("a turn is interrupted", Journey::interrupt),
    ("a turn recovers from status 429", Journey::rate_limit),
    ("status 401 is shown with its attempt", Journey::unauthorized),
    ("/compact", Journey::compact),
    ("/clear starts another conversation", Journey::clear),
    ("pause", Journey::pause),
    ("resume in the recorded mode", Journey::resume),
    ("claude is killed during a reply", Journey::kill),
    ("the partial reply is recorded", Journey::partial),
    ("resume after the kill", Journey::resume_again),
    ("end without unknown transcript lines", Journey::end),
];

#[test]
#[ignore = "two minutes for each version"]
fn a_session_works_with_this_version() {
    let test = "a_session_works_with_this_version";
    let Some((mut console, api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.set("CLAUDE_CODE_MAX_RETRIES", "3");
    let mut journey = Journey { console, api, version: String::new(), id: String::new() };
    let mut failed = Vec::new();
    for (number, (name, step)) in STEPS.iter().enumerate() {
        let ended = catch_unwind(AssertUnwindSafe(|| step(&mut journey)));
        let word = if ended.is_ok() { "ok" } else { "FAILED" };
        println!("JOURNEY {} {} {word} {name}", journey.version, number + 1);
        if ended.is_err() {
            failed.push(*name);
        }
        // If the start failed, the later steps have no session.
        if journey.id.is_empty() && number > 0 {
            break;
        }
    }
    assert!(failed.is_empty(), "claude {}: {failed:#?}", journey.version);
}

impl Journey {
    fn doctor(&mut self) {
        let report = self.console.json(&["doctor"]);
        let checks = report["checks"].as_array().unwrap();
        let claude = checks.iter().find(|check| check["name"] == "claude").unwrap();
        self.version = claude["found"].as_str().unwrap().split(' ').next().unwrap().to_owned();
        assert_eq!(claude["state"], "ok", "{claude:#}");
    }

    fn start(&mut self) {
        self.id = self.console.start(&["--title", "Journey", "--prompt", "[[say:hello there]]"]);
    }

    fn answer(&mut self) {
        self.recorded("hello there");
        self.console.wait_idle(&self.id);
        assert!(self.api.conversation()[0].seen().contains("[[say:hello there]]"));
    }

    fn cost(&mut self) {
        self.console.wait("the cost", &self.id, |session| session["cost_usd"].as_f64() > Some(0.0));
        assert_eq!(self.show()["total_tokens"], 100 + 50 + 42);
    }

    fn send(&mut self) {
        self.say("second prompt\nof two lines");
        self.recorded("Reply to: second prompt");
        self.console.wait_idle(&self.id);
    }

    fn allow(&mut self) {
        self.say("[[write:made.txt:content]]");
        let request = self.asked("Write");
        self.permission(&request, &["--allow"]);
        self.console.wait_idle(&self.id);
        assert_eq!(self.console.sandbox.read("made.txt"), "content");
    }

    fn restore(&mut self) {
        let listed = self.console.json(&["session", "checkpoints", &self.id]);
        let last = listed["checkpoints"].as_array().unwrap().last().unwrap()["number"].to_string();
        let back = self.console.json(&["session", "restore", &self.id, "--checkpoint", &last]);
        assert_eq!(back["deleted"], json!(["made.txt"]), "{back:#}");
        assert!(!self.console.sandbox.project().join("made.txt").exists());
        let undo = back["undo"].to_string();
        self.console.ok(&["session", "restore", &self.id, "--checkpoint", &undo]);
        assert_eq!(self.console.sandbox.read("made.txt"), "content");
    }

    fn deny(&mut self) {
        self.say("[[write:other.txt:content]]");
        let request = self.asked("Write");
        self.permission(&request, &["--deny", "--message", "not on a Friday"]);
        self.api.wait_for("not on a Friday", TIMEOUT);
        self.console.wait_idle(&self.id);
        assert!(!self.console.sandbox.project().join("other.txt").exists());
    }

    fn fork(&mut self) {
        let listed = self.console.json(&["session", "checkpoints", &self.id]);
        let turn = listed["checkpoints"].as_array().unwrap().last().unwrap()["turns"][0]["turn"].to_string();
        let line = ["session", "fork", &self.id, "--turn", &turn, "--prompt", "[[say:forked]]"];
        let fork = self.console.json(&line);
        assert_eq!(fork["warnings"], json!([]), "{fork:#}");
        let id = fork["session"]["id"].as_str().unwrap();
        self.console.wait_message("the fork's answer", id, |message| message["content"] == "forked");
        let request = self.api.wait_for("[[say:forked]]", TIMEOUT).body.to_string();
        assert!(request.contains("made.txt") && !request.contains("not on a Friday"), "{request}");
        self.console.ok(&["session", "end", id]);
    }

    fn subagent(&mut self) {
        self.say("[[agent:say something]]");
        self.console
            .wait_message("a subagent's message", &self.id, |message| message["subagent"].is_string());
        let call = self.console.wait_message("the result", &self.id, |message| {
            message["tool_calls"][0]["tool"] == "Agent" && message["tool_calls"][0]["output"].is_string()
        });
        if call["tool_calls"][0]["output"].as_str().unwrap().contains("Async agent launched") {
            // The end of the background task begins another turn.
            bc_testkit::wait_until("the notification's turn", TIMEOUT, || {
                let messages = self.console.messages(&self.id);
                let is_notification = |message: &Value| {
                    message["role"] == "system"
                        && message["content"]
                            .as_str()
                            .is_some_and(|text| text.contains("<task-notification>"))
                };
                let after = messages.iter().skip_while(|message| !is_notification(message));
                after
                    .into_iter()
                    .any(|message| message["role"] == "assistant" && message["subagent"].is_null())
            });
        }
        self.console.wait_idle(&self.id);
    }

    fn plain_yes(&mut self) {
        self.say(QUESTIONS);
        let request = self.asked("AskUserQuestion");
        let refused = self.console.run(&["session", "permission", &self.id, &request, "--allow"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("answer every question"), "{refused:?}");
        assert_eq!(self.asked("AskUserQuestion"), request);
    }

    fn questions(&mut self) {
        let request = self.asked("AskUserQuestion");
        self.permission(&request, &["--choose", "2", "--choose", "1,2"]);
        // Only the answers are compared, because the text around them differs between versions.
        let request = self.api.wait_for("Apple, Pear", TIMEOUT);
        assert!(request.seen().contains("Blue"), "{}", request.seen());
        self.console.wait_idle(&self.id);
    }

    fn plan_mode(&mut self) {
        self.mode("plan");
    }

    fn plan_back(&mut self) {
        let request = self.plan("Move it");
        self.permission(&request, &["--deny", "--message", "tests first"]);
        self.api.wait_for("tests first", TIMEOUT);
        self.console.wait_idle(&self.id);
        assert_eq!(self.show()["mode"], "plan");
    }

    fn needs(&mut self) {
        let request = self.plan("Test it first");
        let needs = self.console.json(&["session", "needs"]);
        assert_eq!(needs["items"][0]["request"]["id"], request.as_str(), "{needs:#}");
        assert_eq!(
            (&needs["items"][0]["kind"], &needs["items"][0]["text"]),
            (&json!("plan"), &json!("Test it first"))
        );
    }

    fn plan_approved(&mut self) {
        let request = self.asked("ExitPlanMode");
        self.permission(&request, &["--allow"]);
        self.console.wait_idle(&self.id);
        self.console.wait("Manual", &self.id, |session| session["mode"] == "manual");
    }

    /// Makes claude propose a plan with this heading. Returns the id of the request.
    fn plan(&mut self, heading: &str) -> String {
        if self.since(PLAN_IN_FILE) {
            self.say(&format!(
                r##"[[say:I write {heading}]] [[tool:Write:{{"file_path":"PLAN_FILE","content":"# {heading}\n\n1. a"}}]]"##
            ));
            self.recorded(&format!("I write {heading}"));
            self.console.wait_idle(&self.id);
            self.say("[[tool:ExitPlanMode:{}]]");
        } else {
            self.say(&format!(r##"[[tool:ExitPlanMode:{{"plan":"# {heading}\n\n1. a"}}]]"##));
        }
        self.asked("ExitPlanMode")
    }

    fn modes(&mut self) {
        for mode in ["acceptEdits", "plan", "manual"] {
            self.mode(mode);
        }
    }

    fn held(&mut self) {
        self.say("[[slow:20]]");
        self.console.wait("a turn", &self.id, |session| session["live"]["activity"] == "working");
        let sent = self.console.json(&["session", "send", &self.id, "[[say:after the turn]]"]);
        assert_eq!(sent["delivery"], "held", "{sent:#}");
        self.recorded("after the turn");
        self.console.wait_idle(&self.id);
    }

    fn interrupt(&mut self) {
        self.say("[[slow:600]]");
        self.console.wait("a turn", &self.id, |session| session["live"]["activity"] == "working");
        self.api.wait_for("[[slow:600]]", TIMEOUT);
        self.console.ok(&["session", "interrupt", &self.id]);
        let idle = self.console.wait("the end", &self.id, |session| session["live"]["activity"] == "idle");
        // If claude did not begin to answer, the prompt is returned to the user.
        for returned in idle["live"]["held"].as_array().into_iter().flatten() {
            assert_eq!(returned["state"], "returned", "{returned:#}");
            self.console.ok(&["session", "forget", &self.id, returned["id"].as_str().unwrap()]);
        }
        self.say("[[say:after the interruption]]");
        self.recorded("after the interruption");
        self.console.wait_idle(&self.id);
    }

    fn rate_limit(&mut self) {
        self.say("[[status:429:1]]");
        self.recorded("Succeeded after 1 failures.");
        self.console.wait_idle(&self.id);
    }

    fn unauthorized(&mut self) {
        self.say("[[status:401]]");
        let retrying =
            self.console.wait("a retry", &self.id, |session| session["live"]["retry"]["attempt"].is_u64());
        assert_eq!(retrying["live"]["retry"]["of"], 3, "{:#}", retrying["live"]);
        self.console.wait_message("the failure", &self.id, |message| message["kind"] == "api_error");
        let idle = self.console.wait_idle(&self.id);
        assert_eq!(idle["live"]["retry"], Value::Null);
    }

    fn compact(&mut self) {
        self.say("/compact");
        self.console.wait_message("the compaction", &self.id, |message| message["kind"] == "compaction");
        self.console.wait_idle(&self.id);
    }

    fn clear(&mut self) {
        self.say("/clear");
        self.console.wait("another conversation", &self.id, |session| {
            session["claude_sessions"].as_array().is_some_and(|all| all.len() == 2)
        });
        self.say("[[say:after the clearing]]");
        self.recorded("after the clearing");
        self.console.wait_idle(&self.id);
    }

    fn pause(&mut self) {
        self.console.ok(&["session", "pause", &self.id]);
        assert_eq!(self.show()["status"], "paused");
    }

    fn resume(&mut self) {
        assert_eq!(self.show()["mode"], "manual");
        self.console.ok(&["session", "resume", &self.id, "--prompt", "[[say:and on]]"]);
        self.recorded("and on");
        let idle = self.console.wait_idle(&self.id);
        assert_eq!(idle["mode"], "manual");
    }

    fn kill(&mut self) {
        self.say("[[slow:600]]");
        self.console.wait("a turn", &self.id, |session| session["live"]["activity"] == "working");
        let partial = self.folder().join("partial.json");
        if self.streams() {
            bc_testkit::wait_until("some of the reply", TIMEOUT, || {
                std::fs::read_to_string(&partial).is_ok_and(|text| text.contains("word3"))
            });
        }
        let claude = self.show()["live"]["agent_pid"].to_string();
        self.console.sandbox.command("kill").args(["-9", &claude]).status().unwrap();
        self.console.wait("the end", &self.id, |session| session["status"] == "paused");
    }

    fn partial(&mut self) {
        let messages = self.console.messages(&self.id);
        let partial: Vec<&Value> = messages.iter().filter(|message| message["partial"] == true).collect();
        match self.streams() {
            true => assert!(partial.len() == 1 && partial[0]["content"].as_str().unwrap().contains("word3")),
            false => assert!(partial.is_empty()),
        }
    }

    fn resume_again(&mut self) {
        self.console.ok(&["session", "resume", &self.id, "--prompt", "[[say:back again]]"]);
        self.recorded("back again");
        self.console.wait_idle(&self.id);
    }

    fn end(&mut self) {
        self.console.ok(&["session", "end", &self.id]);
        let session = self.show();
        assert_eq!(session["status"], "closed");
        assert_eq!(session["unknown_kinds"], Value::Null, "{:#}", session["unknown_kinds"]);
    }

    fn show(&self) -> Value {
        self.console.show(&self.id)
    }

    fn folder(&self) -> std::path::PathBuf {
        self.console.sandbox.project().join(".beads/sessions").join(&self.id)
    }

    fn streams(&self) -> bool {
        self.since(STREAMING)
    }

    fn since(&self, first: (u32, u32, u32)) -> bool {
        let mut parts = self.version.split('.').map(|part| part.parse().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        (next(), next(), next()) >= first
    }

    /// Sends a prompt. The host may hold it until claude has drawn an empty input box.
    #[track_caller]
    fn say(&self, text: &str) {
        let sent = self.console.json(&["session", "send", &self.id, text]);
        assert!(sent["delivery"] == "sent" || sent["delivery"] == "held", "{sent:#}");
    }

    #[track_caller]
    fn recorded(&self, text: &str) {
        let says = |message: &Value| {
            message["role"] == "assistant"
                && message["content"].as_str().is_some_and(|content| content.contains(text))
        };
        self.console.wait_message(text, &self.id, says);
    }

    #[track_caller]
    fn asked(&self, tool: &str) -> String {
        let asks = self.console.wait(&format!("a request for {tool}"), &self.id, |session| {
            session["live"]["permissions"][0]["tool"] == tool
        });
        asks["live"]["permissions"][0]["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn permission(&self, request: &str, answer: &[&str]) {
        let line: Vec<&str> =
            ["session", "permission", &self.id, request].iter().chain(answer).copied().collect();
        self.console.ok(&line);
    }

    #[track_caller]
    fn mode(&self, mode: &str) {
        self.console.ok(&["session", "mode", &self.id, mode]);
        self.console.wait(mode, &self.id, |session| session["mode"] == mode);
    }
}
