//! Session hosts with the real claude and a scripted API.

use crate::{
    attached_terminal::Terminal,
    support::{Live, TIMEOUT, exe},
};
use bc_claude::{
    argv::{Conversation, Launch},
    settings::{Relay, settings},
};
use bc_core::{
    message::{MessageKind, Role},
    session::{PauseReason, Status},
};
use bc_host::{
    Activity,
    protocol::{Delivery, HeldState, Readiness, StopKind, Verdict},
    read_exit_note,
};
use bc_process::descendants;
use bc_testkit::{Sandbox, ScriptedApi, need_claude, wait_until};
use std::path::Path;

/// A prompt that calls a tool that needs permission and never ends. Claude itself refuses a long `sleep`.
const ENDLESS: &str = "[[bash:tail -f /dev/null]]";

const PAUSE: StopKind = StopKind::Pause(PauseReason::User);

/// A session with the real claude in a sandbox project.
pub(crate) struct RealSession {
    pub(crate) live: Live,
    pub(crate) sandbox: Sandbox,
    pub(crate) api: ScriptedApi,
    append: Option<&'static str>,
}

impl RealSession {
    pub(crate) fn new(test: &str) -> Option<RealSession> {
        let claude = need_claude(test)?;
        let mut sandbox = Sandbox::new();
        let api = ScriptedApi::start();
        sandbox.use_api(&api.url());
        let mut live = Live::new();
        live.spec.program = claude;
        live.spec.cwd = sandbox.project().to_owned();
        live.spec.env = std::env::vars().map(|(name, _)| (name, None)).collect();
        let sandbox_env = sandbox.env().iter();
        live.spec.env.extend(sandbox_env.map(|(name, value)| {
            let text = |s: &std::ffi::OsString| s.to_str().unwrap().to_owned();
            (text(name), Some(text(value)))
        }));
        Some(RealSession { live, sandbox, api, append: None })
    }

    /// Sets the arguments as the engine would.
    fn arguments(&mut self, resume: bool, prompt: Option<&str>) {
        let program = exe();
        let relay = Relay { program: &program, args: &["hook"] };
        let settings =
            settings(&relay, bc_claude::version::Version::NEWEST, self.live.spec.context.len(), None);
        let id = self.live.spec.conversation;
        let launch = Launch {
            conversation: if resume { Conversation::Resume(id) } else { Conversation::New(id) },
            mode: self.live.meta().mode,
            settings: &settings,
            model: None,
            agent: None,
            append_system_prompt: self.append,
            prompt,
        };
        let version = bc_claude::version::Version::new(2, 1, 329);
        let private = launch.private(version);
        self.live.spec.args = private.args.into_iter().map(|arg| arg.into_string().unwrap()).collect();
        self.live.spec.prompt = private.prompt;
        self.live.spec.system_prompt = private.system_prompt;
        self.live.spec.opening_prompt = prompt.is_some();
    }

    pub(crate) fn started(test: &str, prompt: Option<&str>) -> Option<RealSession> {
        let mut real = RealSession::new(test)?;
        real.arguments(false, prompt);
        real.live.start();
        assert_eq!(real.live.client().wait_ready(TIMEOUT).unwrap(), Readiness::Ready);
        Some(real)
    }

    pub(crate) fn resumed(&mut self, prompt: Option<&str>) {
        self.live.wait_ended();
        self.arguments(true, prompt);
        self.live.resume();
        assert_eq!(self.live.client().wait_ready(TIMEOUT).unwrap(), Readiness::Ready);
    }

    fn start_endless_tool(&self) {
        self.live.wait_activity(Activity::WaitingPermission);
        let card = self.live.status().permissions[0].clone();
        self.live.client().permission(&card.id, Verdict::Allow).unwrap();
        let family = self.live.family();
        wait_until("the tool", TIMEOUT, || {
            descendants::members(&family).unwrap().iter().any(|member| member.name == "tail")
        });
    }

    #[track_caller]
    pub(crate) fn send(&self, text: &str) {
        let sent = self.live.client().send(text).unwrap();
        assert_eq!(sent.delivery, Delivery::Sent, "{sent:?}\n{}", self.live.client().screen().unwrap());
    }
}

#[test]
fn a_session_is_recorded_paused_and_resumed() {
    let Some(mut real) =
        RealSession::started("a_session_is_recorded_paused_and_resumed", Some("[[say:hello there]]"))
    else {
        return;
    };
    real.live.wait_recorded("hello there");
    real.live.wait_activity(Activity::Idle);
    real.send("second prompt\nof two lines");
    real.live.wait_recorded("Reply to: second prompt");
    real.live.wait_activity(Activity::Idle);
    let first = real.api.conversation();
    assert!(first[0].seen().contains("what to know"), "the context did not reach the model");
    assert_eq!(real.live.client().stop(PAUSE).unwrap().status, Status::Paused);

    let meta = real.live.meta();
    // The input, cache creation and output tokens of two answers.
    assert_eq!(meta.total_tokens, Some(2 * (100 + 50 + 42)));
    assert_eq!(meta.title.as_deref(), Some("[[say:hello there]]"));
    assert!(meta.cost_usd.unwrap() > 0.0);
    assert_eq!(meta.claude_sessions.len(), 1);
    assert!(meta.claude_sessions[0].prompted && meta.claude_sessions[0].transcript_path.is_some());
    let note = read_exit_note(&real.live.session()).unwrap();
    assert!(note.asked, "{note:?}");

    real.resumed(Some("[[say:and on]]"));
    real.live.wait_recorded("and on");
    real.live.wait_activity(Activity::Idle);
    real.live.client().stop(PAUSE).unwrap();
    let roles: Vec<Role> = real.live.messages().iter().map(|m| m.role).collect();
    assert_eq!(
        roles,
        [Role::User, Role::Assistant, Role::User, Role::Assistant, Role::User, Role::Assistant]
    );
    assert_eq!(real.live.meta().total_tokens, Some(3 * (100 + 50 + 42)));
}

/// Returns the command lines of all processes, and the permission bits of `/proc/{of}/environ`.
#[cfg(target_os = "linux")]
fn public_and_private(of: u32) -> (String, u32) {
    use std::os::unix::fs::PermissionsExt;
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let all: Vec<String> = lines.map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
    let environ = std::fs::metadata(format!("/proc/{of}/environ")).unwrap();
    (all.join("\n"), environ.permissions().mode() & 0o777)
}

#[cfg(target_os = "linux")]
#[test]
fn the_prompts_of_a_session_are_in_no_list_of_processes() {
    let test = "the_prompts_of_a_session_are_in_no_list_of_processes";
    let Some(mut real) = RealSession::new(test) else { return };
    // All processes are checked, so the text must not be in the command line of this process either.
    let (task, rule) = (["[[say:done]] a task", "is private"].join(" "), "a rule that is private");
    real.append = Some(rule);
    real.arguments(false, Some(&task));
    let file = real.live.spec.socket.with_extension("prompt");
    real.live.start();
    let agent = real.live.status().agent.unwrap();
    let (public, environ) = public_and_private(agent.pid);
    assert!(!public.contains("is private"), "{public}");
    assert_eq!(environ, 0o400, "other users can read the environment");
    let request = real.api.wait_for("a task is private", TIMEOUT);
    assert!(request.body["system"].to_string().contains(rule), "{}", request.body["system"]);
    real.live.wait_recorded("done");
    real.live.wait_activity(Activity::Idle);
    assert!(!file.exists(), "the prompt's file was not removed");
    assert_eq!(real.live.session().outbox().unwrap().items, []);

    // The same holds for a resumed conversation.
    real.live.client().stop(PAUSE).unwrap();
    real.resumed(Some("and on, is private"));
    assert!(!public_and_private(real.live.status().agent.unwrap().pid).0.contains("is private"));
    real.live.wait_recorded("Reply to: and on");
    let mut terminal = Terminal::attach(&real.live);
    real.live.wait_activity(Activity::Idle);
    terminal.keys(b"typed");
    real.live.wait_shown("❯\u{a0}typed");
}

#[test]
fn an_opening_prompt_that_claude_never_read_is_saved_and_not_sent_twice() {
    let test = "an_opening_prompt_that_claude_never_read_is_saved_and_not_sent_twice";
    let Some(mut real) = RealSession::new(test) else { return };
    real.sandbox.seed_claude(&[]);
    real.arguments(false, Some("a task"));
    real.live.start();
    // Claude asks whether the folder is trusted, and is killed while it waits for the answer.
    real.live.wait_shown("trust");
    real.live.status().agent.unwrap().signal(bc_process::descendants::Signal::Kill).unwrap();
    real.live.wait_ended();
    let kept = real.live.session().outbox().unwrap().items;
    assert_eq!(kept.iter().map(|item| item.text.as_str()).collect::<Vec<_>>(), ["a task"]);
    let (project, id) = (real.sandbox.project().to_owned(), kept[0].id.clone());
    real.sandbox.seed_claude(&[&project]);
    real.arguments(false, None);
    real.live.resume();
    real.live.wait_activity(Activity::Idle);
    assert_eq!(real.live.status().held[0].state, HeldState::Unconfirmed);
    real.live.client().retry(&id).unwrap();
    real.live.wait_recorded("Reply to: a task");
    assert_eq!(real.api.conversation().len(), 1);
}

#[test]
fn a_tool_is_allowed_by_a_client_and_its_file_and_commit_are_recorded() {
    let Some(mut real) =
        RealSession::new("a_tool_is_allowed_by_a_client_and_its_file_and_commit_are_recorded")
    else {
        return;
    };
    real.live.spec.base_commit = Some(real.sandbox.git(["rev-parse", "HEAD"]));
    real.arguments(false, Some("[[write:made.txt:content]]"));
    real.live.start();
    real.live.wait_activity(Activity::WaitingPermission);
    let card = real.live.status().permissions[0].clone();
    assert_eq!((card.tool.as_str(), card.input["content"].as_str()), ("Write", Some("content")));
    let held = real.live.client().send("while the dialog is open").unwrap();
    assert_eq!(held.delivery, Delivery::Held);
    real.live.client().permission(&card.id, Verdict::Allow).unwrap();
    real.live.wait_recorded("Reply to: while the dialog is open");
    assert_eq!(real.sandbox.read("made.txt"), "content");
    real.sandbox.git(["add", "made.txt"]);
    real.sandbox.git(["commit", "-q", "-m", "made"]);
    real.live.wait_activity(Activity::Idle);
    real.live.client().stop(PAUSE).unwrap();
    let meta = real.live.meta();
    assert_eq!(meta.files_touched, ["made.txt"]);
    assert_eq!(meta.commits, [real.sandbox.git(["rev-parse", "HEAD"])]);
    let calls: Vec<_> = real.live.messages().into_iter().filter_map(|m| m.tool_calls).flatten().collect();
    assert_eq!(calls.len(), 1);
    assert!(calls[0].output.is_some() && calls[0].duration_ms.is_some(), "{calls:?}");
}

#[test]
fn a_refusal_in_the_terminal_withdraws_the_card_without_any_hook() {
    let Some(real) = RealSession::started(
        "a_refusal_in_the_terminal_withdraws_the_card_without_any_hook",
        Some("[[write:made.txt:x]]"),
    ) else {
        return;
    };
    real.live.wait_activity(Activity::WaitingPermission);
    let mut terminal = Terminal::attach(&real.live);
    real.live.wait_shown("Do you want to create");
    terminal.keys(b"\x1b");
    wait_until("the card's withdrawal", TIMEOUT, || real.live.status().permissions.is_empty());
    wait_until("the interruption", TIMEOUT, || {
        real.live.messages().iter().any(|m| m.kind == Some(MessageKind::Interrupted))
    });
    assert!(!Path::new(real.sandbox.project()).join("made.txt").exists());
}

#[test]
fn a_model_dialog_is_never_answered_by_a_text() {
    let Some(real) = RealSession::started("a_model_dialog_is_never_answered_by_a_text", None) else { return };
    real.live.wait_activity(Activity::Idle);
    real.send("/model");
    real.live.wait_shown("Select model");
    assert_eq!(real.live.client().send("a text").unwrap().delivery, Delivery::Held);
    real.live.client().interrupt().unwrap();
    real.live.wait_recorded("Reply to: a text");
    assert_eq!(real.api.conversation().len(), 1, "the dialog was answered");
}

#[test]
fn a_draft_started_during_a_turn_holds_a_text_until_it_is_deleted() {
    let test = "a_draft_started_during_a_turn_holds_a_text_until_it_is_deleted";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    real.send("[[slow:60]]");
    real.live.wait_activity(Activity::Working);
    let mut terminal = Terminal::attach(&real.live);
    terminal.keys(b"a draft");
    real.live.wait_shown("❯\u{a0}a draft");
    assert_eq!(real.live.client().send("next").unwrap().delivery, Delivery::Held);
    real.live.wait_activity(Activity::Unknown);
    real.live.wait_shown("❯\u{a0}a draft\n");
    terminal.keys(&[0x15; 2]);
    real.live.wait_recorded("Reply to: next");
    assert!(real.live.messages().iter().all(|message| !message.content.contains("a draft")));
}

#[test]
fn a_clear_is_followed_into_the_new_conversation() {
    let Some(real) = RealSession::started("a_clear_is_followed_into_the_new_conversation", Some("before"))
    else {
        return;
    };
    real.live.wait_recorded("Reply to: before");
    real.live.wait_activity(Activity::Idle);
    let before = real.live.status().conversation;
    real.send("/clear");
    wait_until("another conversation", TIMEOUT, || real.live.status().conversation != before);
    real.send("after");
    real.live.wait_recorded("Reply to: after");
    real.live.wait_activity(Activity::Idle);
    real.live.client().stop(PAUSE).unwrap();
    let meta = real.live.meta();
    assert_eq!(meta.claude_sessions.len(), 2);
    assert_eq!(meta.claude_sessions[0].id, before);
    assert!(meta.claude_sessions.iter().all(|c| c.prompted), "{:?}", meta.claude_sessions);
}

#[test]
fn an_interrupted_turn_is_over_and_the_next_text_is_sent() {
    let Some(real) =
        RealSession::started("an_interrupted_turn_is_over_and_the_next_text_is_sent", Some(ENDLESS))
    else {
        return;
    };
    real.start_endless_tool();
    real.live.client().interrupt().unwrap();
    real.live.wait_activity(Activity::Idle);
    wait_until("the interruption", TIMEOUT, || {
        real.live.messages().iter().any(|m| m.kind == Some(MessageKind::Interrupted))
    });
    real.send("next");
    real.live.wait_recorded("Reply to: next");
}

#[test]
fn a_text_of_100_kilobytes_and_unusual_texts_arrive_completely() {
    let Some(real) =
        RealSession::started("a_text_of_100_kilobytes_and_unusual_texts_arrive_completely", None)
    else {
        return;
    };
    real.live.wait_activity(Activity::Idle);
    for text in ["!echo hi", "# heading", "ends with a backslash\\", "see @READ", "tab\there", "👩‍💻 größe"]
    {
        real.send(text);
        real.live.wait_activity(Activity::Idle);
    }
    let long: String = (0..3000).map(|n| format!("line {n} of a long text\n")).collect();
    real.send(&long);
    let seen = real.api.wait_for("line 2999 of a long text", TIMEOUT);
    assert!(seen.seen().contains("line 0 of a long text"));
}

#[test]
fn a_subagents_messages_are_recorded_as_its_own() {
    let Some(real) =
        RealSession::started("a_subagents_messages_are_recorded_as_its_own", Some("[[agent:say something]]"))
    else {
        return;
    };
    wait_until("a subagent's message", TIMEOUT, || {
        real.live.messages().iter().any(|m| m.subagent.is_some() && m.role == Role::Assistant)
    });
    real.live.wait_activity(Activity::Idle);
}

#[test]
fn resuming_a_conversation_without_a_prompt_exits_with_a_message() {
    let Some(mut real) = RealSession::new("resuming_a_conversation_without_a_prompt_exits_with_a_message")
    else {
        return;
    };
    real.arguments(true, None);
    real.live.start();
    real.live.wait_ended();
    let note = read_exit_note(&real.live.session()).unwrap();
    assert_eq!(note.exit.code, Some(1));
    assert!(note.screen.contains("No conversation found"), "{}", note.screen);
}

#[test]
fn an_untrusted_folder_shows_its_dialog_and_nothing_answers_it() {
    let Some(mut real) = RealSession::new("an_untrusted_folder_shows_its_dialog_and_nothing_answers_it")
    else {
        return;
    };
    real.sandbox.seed_claude(&[]);
    real.arguments(false, Some("hello"));
    real.live.start();
    let Readiness::Quiet { screen } = real.live.client().wait_ready(TIMEOUT).unwrap() else {
        panic!("the start is not reported as quiet")
    };
    assert!(screen.contains("trust"), "{screen}");
    assert_eq!(real.live.client().send("a text").unwrap().delivery, Delivery::Held);
}

#[test]
fn the_processes_of_a_tool_have_ended_after_a_pause() {
    let test = "the_processes_of_a_tool_have_ended_after_a_pause";
    let Some(real) = RealSession::started(test, Some(ENDLESS)) else { return };
    real.start_endless_tool();
    let stopped = real.live.client().stop(PAUSE).unwrap();
    assert_eq!((stopped.status, stopped.left), (Status::Paused, vec![]));
    assert_eq!(descendants::members(&real.live.family()).unwrap(), []);
}
