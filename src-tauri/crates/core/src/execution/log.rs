//! Renders a session's entry of the execution log as Markdown.

use super::{CommandKind, ExecutionFacts};
use crate::{
    export::inline_code,
    message::{Message, Role},
    session::human_duration,
    text::{cut, one_line, plain},
    work::FileChange,
};
use std::fmt::Write;

/// The maximum number of files, commits and commands to list.
const ITEMS_MAX: usize = 40;
/// The maximum length of a command, path or commit subject, in characters.
const LINE_MAX: usize = 200;
/// The maximum length of the summary, in characters.
const SUMMARY_MAX: usize = 1_500;

/// The agent's last text in the main conversation, cut to 1,500 characters; `None` if there is none.
pub fn last_summary(messages: &[Message]) -> Option<String> {
    let spoken = |message: &&Message| {
        message.role == Role::Assistant
            && message.subagent.is_none()
            && message.kind.is_none()
            && !message.content.trim().is_empty()
    };
    messages.iter().rev().find(spoken).map(|message| cut(plain(&message.content).trim(), SUMMARY_MAX))
}

/// One session's entry of the execution log. A missing start time, branch or summary is omitted. No value can
/// start its own heading.
pub fn render(facts: &ExecutionFacts) -> String {
    let mut out = heading(facts);
    let mut line = |label: &str, value: String| {
        writeln!(out, "- {label}: {value}").expect("writing to a String cannot fail");
    };
    let agent = match (&facts.agent, facts.simulated) {
        (Some(agent), false) => agent.to_string(),
        (Some(agent), true) => format!("{agent} (simulated)"),
        (None, false) => "Claude Code".to_owned(),
        (None, true) => "the simulated agent".to_owned(),
    };
    line("Agent", agent);
    if let Some(branch) = &facts.branch {
        line("Branch", format!("`{branch}`"));
    }
    line("Active time", human_duration(facts.active_ms));
    line("Files", files(facts));
    line("Commits", commits(facts));
    line("Tests and builds", commands(facts));
    if let Some(summary) = facts.summary.as_deref().filter(|text| !text.trim().is_empty()) {
        let text = plain(summary);
        let quoted: Vec<String> = text
            .trim()
            .lines()
            .map(|line| format!("  > {}", line.trim_end()).trim_end().to_owned())
            .collect();
        line("Summary", format!("\n{}", quoted.join("\n")));
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
}

/// `### 2026-01-19 10:00 · session 3f25abcd`, which identifies an entry.
fn heading(facts: &ExecutionFacts) -> String {
    let when = facts.started_at.map(|at| at.format("%Y-%m-%d %H:%M · ").to_string()).unwrap_or_default();
    format!("### {when}session {}\n\n", facts.session.short())
}

fn files(facts: &ExecutionFacts) -> String {
    let count = |change| facts.files.iter().filter(|file| file.change == change).count();
    let counts: Vec<String> = [FileChange::New, FileChange::Modified, FileChange::Deleted]
        .into_iter()
        .filter(|change| count(*change) > 0)
        .map(|change| format!("{} {}", count(change), change.as_str()))
        .collect();
    let named = facts.files.iter().map(|f| format!("{}: {}", f.change.as_str(), code(&f.path)));
    list(if counts.is_empty() { "none".into() } else { counts.join(", ") }, named, facts.files.len())
}

fn commits(facts: &ExecutionFacts) -> String {
    let named =
        facts.commits.iter().map(|c| format!("{} {}", c.short(), cut(&one_line(&c.subject), LINE_MAX)));
    let count = facts.commits.len();
    list(if count == 0 { "none".into() } else { count.to_string() }, named, count)
}

fn commands(facts: &ExecutionFacts) -> String {
    let named = facts.commands.iter().map(|ran| {
        let end = match ran.exit {
            Some(code) => format!("exit {code}"),
            None => "exit code not known".to_owned(),
        };
        let kind = match ran.kind {
            CommandKind::Test => "test",
            CommandKind::Build => "build",
        };
        format!("{kind}: {} → {end}", code(&ran.command))
    });
    let count = facts.commands.len();
    list(if count == 0 { "none ran".into() } else { count.to_string() }, named, count)
}

/// A line with a nested list below it. A list longer than [`ITEMS_MAX`] shows only its last items.
fn list(head: String, items: impl Iterator<Item = String>, count: usize) -> String {
    let left_out = count.saturating_sub(ITEMS_MAX);
    let mut out = head;
    if left_out > 0 {
        write!(out, "\n  - ({left_out} more before these)").expect("writing to a String cannot fail");
    }
    for item in items.skip(left_out) {
        write!(out, "\n  - {item}").expect("writing to a String cannot fail");
    }
    out
}

/// Text as inline code on one line, shortened.
fn code(text: &str) -> String {
    inline_code(&cut(&one_line(text), LINE_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Timestamp,
        execution::RanCommand,
        ids::SessionId,
        work::{CommitLine, FileLine},
    };
    use expect_test::expect;

    fn at() -> Timestamp {
        Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
    }

    fn bare() -> ExecutionFacts {
        ExecutionFacts {
            session: SessionId(uuid::Uuid::from_u128(0x3f25_abcd << 96)),
            started_at: None,
            agent: None,
            branch: None,
            active_ms: 0,
            files: vec![],
            commits: vec![],
            commands: vec![],
            summary: None,
            simulated: false,
        }
    }

    #[test]
    fn the_log_contains_all_facts() {
        let file = |path: &str, change| FileLine { path: path.into(), change };
        let ran = |command: &str, kind, exit| RanCommand { command: command.into(), kind, exit, at: at() };
        let facts = ExecutionFacts {
            started_at: Some(at()),
            agent: Some("hlstc-executor".parse().unwrap()),
            branch: Some("feat/BC-001-login".parse().unwrap()),
            active_ms: 45 * 60_000,
            files: vec![
                file("src/login.rs", FileChange::New),
                file("odd`name", FileChange::Modified),
                file("old.rs", FileChange::Deleted),
            ],
            commits: vec![CommitLine {
                hash: "1e81ae8f00112233".into(),
                subject: "login\u{1b}[2J validation".into(),
                author: "Ann".into(),
                at: None,
            }],
            commands: vec![
                ran("cargo test", CommandKind::Test, Some(0)),
                ran("npm run build |\n tail", CommandKind::Build, None),
            ],
            summary: Some("Done.\n\n## Execution Log\nnot ours".into()),
            ..bare()
        };
        expect![[r#"
            ### 2026-01-19 10:00 · session 3f25abcd

            - Agent: hlstc-executor
            - Branch: `feat/BC-001-login`
            - Active time: 45m
            - Files: 1 new, 1 modified, 1 deleted
              - new: `src/login.rs`
              - modified: ``odd`name``
              - deleted: `old.rs`
            - Commits: 1
              - 1e81ae8f login validation
            - Tests and builds: 2
              - test: `cargo test` → exit 0
              - build: `npm run build | tail` → exit code not known
            - Summary:
              > Done.
              >
              > ## Execution Log
              > not ours
        "#]]
        .assert_eq(&render(&facts));
    }

    #[test]
    fn missing_facts_are_stated() {
        expect![[r#"
            ### session 3f25abcd

            - Agent: Claude Code
            - Active time: 0s
            - Files: none
            - Commits: none
            - Tests and builds: none ran
        "#]]
        .assert_eq(&render(&bare()));
    }

    #[test]
    fn only_the_last_of_many_files_are_named() {
        let files = (0..60).map(|n| FileLine { path: format!("f{n}"), change: FileChange::New }).collect();
        let log = render(&ExecutionFacts { files, ..bare() });
        assert!(
            log.contains("(20 more before these)") && log.contains("`f59`") && !log.contains("`f19`"),
            "{log}"
        );
    }

    #[test]
    fn the_summary_is_the_agents_last_message() {
        let message = |role, text: &str| Message::new("id", role, text, at());
        let mut sub = message(Role::Assistant, "sub");
        sub.subagent = Some("x".into());
        let messages = [message(Role::Assistant, " All done. "), message(Role::User, "thanks"), sub];
        assert_eq!(last_summary(&messages).as_deref(), Some("All done."));
        assert_eq!(last_summary(&messages[1..]), None);
    }
}
