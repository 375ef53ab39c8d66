//! Sessions: lists, and one session in detail.

use super::{Cell, Style, Table, Tone, field, moment, permission_request, section, session_state, units};
use bc_core::{
    session::{CloseReason, PauseReason, Status, human_duration},
    text::{cut, one_line, plain},
};
use bc_wire::session::{Activity, ApiRetry, HeldState, Live, NextStarted, SessionView, StaleSessions};

pub(crate) fn list(sessions: &[SessionView], style: &Style) -> String {
    if sessions.is_empty() {
        return "No sessions. `beads-console session start --bead ID` starts one.\n".to_owned();
    }
    let mut table = Table::new(&["STATE", "ID", "BEAD", "ACTIVE", "STARTED", "TITLE"], 5);
    for session in sessions {
        let meta = &session.meta;
        let (state, tone) = session_state::of(session, style);
        table.row(vec![
            Cell::new(tone, &state),
            Cell::new(Tone::Strong, &meta.id.short()),
            Cell::plain(meta.bead_id.as_ref().map(|id| id.as_str()).unwrap_or_default()),
            Cell::plain(&human_duration(session.duration_ms)),
            Cell::new(Tone::Faint, &moment(style, meta.started_at.as_ref().unwrap_or(&meta.created_at))),
            Cell::plain(title(session)),
        ]);
    }
    table.print(style)
}

/// A bead's sessions, each with its author, active time and number of commits.
pub(crate) fn of_bead(sessions: &[SessionView], style: &Style) -> String {
    let mut table = Table::new(&["STATE", "ID", "BY", "ACTIVE", "COMMITS", "STARTED", "TITLE"], 6);
    for session in sessions {
        let meta = &session.meta;
        let (state, tone) = session_state::of(session, style);
        table.row(vec![
            Cell::new(tone, &state),
            Cell::new(Tone::Strong, &meta.id.short()),
            Cell::plain(meta.actor.as_deref().unwrap_or_default()),
            Cell::plain(&human_duration(session.duration_ms)),
            Cell::plain(&meta.commits.len().to_string()),
            Cell::new(Tone::Faint, &moment(style, meta.started_at.as_ref().unwrap_or(&meta.created_at))),
            Cell::plain(title(session)),
        ]);
    }
    table.print(style)
}

pub(crate) fn page(session: &SessionView, style: &Style) -> String {
    let meta = &session.meta;
    let (state, tone) = session_state::of(session, style);
    let mut text = format!("{}  {}\n", style.paint(tone, &state), one_line(title(session)));
    let mut add = |label: &str, value: String| {
        if !value.is_empty() {
            text.push_str(&field(style, label, &value));
        }
    };
    let word = |value: Option<String>| value.map(|v| one_line(&v)).unwrap_or_default();
    let at =
        |value: &Option<bc_core::Timestamp>| value.as_ref().map(|at| moment(style, at)).unwrap_or_default();
    add("Id", meta.id.to_string());
    add("Why", reason(session).unwrap_or_default().to_owned());
    add("Bead", word(meta.bead_id.as_ref().map(|id| id.to_string())));
    add("Agent", word(meta.agent_id.as_ref().map(|id| id.to_string())));
    add("Objective", cut(&word(meta.objective.clone()), 200));
    add("Branch", word(meta.branch.as_ref().map(|b| b.to_string())));
    add("Folder", word(meta.cwd.clone()) + if meta.worktree { "  (worktree)" } else { "" });
    add("Mode", meta.mode.as_str().to_owned());
    add("Model", word(meta.model.clone()));
    add("Runner", word(meta.runner.clone()));
    add("Started", at(&meta.started_at));
    add("Paused", at(&meta.paused_at));
    add("Closed", at(&meta.closed_at));
    add("Active", human_duration(session.duration_ms));
    add("Messages", meta.message_count.to_string());
    if meta.unknown_transcript_lines > 0 {
        let kinds = meta.unknown_in_words();
        add("Unknown", format!("{} transcript lines: {kinds}", meta.unknown_transcript_lines));
    }
    add("Tokens", meta.total_tokens.map(units::count).unwrap_or_default());
    add("Cost", meta.cost_usd.map(|usd| format!("${usd:.2}")).unwrap_or_default());
    let commits: Vec<String> = meta.commits.iter().map(|hash| one_line(&format!("{hash:.10}"))).collect();
    add("Commits", commits.join(" "));
    let files: Vec<String> = meta.files_touched.iter().map(|path| one_line(path)).collect();
    text.push_str(&section(style, "Files", &files.join("\n")));
    if let Some(live) = &session.live {
        text.push_str(&now(live, &meta.id.short(), style));
    }
    text
}

/// Claude's state, its requests, and queued prompts.
fn now(live: &Live, id: &str, style: &Style) -> String {
    let (activity, tone) = match live.activity {
        Activity::Starting => ("claude is starting", Tone::Attention),
        Activity::AsksAtStart => ("claude asks a question in its terminal", Tone::Attention),
        Activity::Idle => ("claude is at its prompt and waits for you", Tone::Good),
        Activity::Working => ("claude is working", Tone::Good),
        Activity::WaitingPermission => ("claude asks for permission", Tone::Attention),
        Activity::Gone => ("claude has exited", Tone::Attention),
        Activity::DialogOpen => {
            ("a dialog is open in claude's terminal; attach to close it", Tone::Attention)
        }
        Activity::Unknown => ("a dialog may be open in claude's terminal; attach to check", Tone::Attention),
    };
    let mut text = format!("\n{}  {}\n", style.paint(Tone::Strong, "Now"), style.paint(tone, activity));
    if let Some(ApiRetry { attempt, of, why }) = &live.retry {
        let why = why.as_deref().map(|why| format!(": {}", one_line(why))).unwrap_or_default();
        let says = format!("API error; claude is retrying ({attempt}/{of}){why}");
        text.push_str(&format!("  {}\n", style.paint(Tone::Attention, &says)));
    }
    if !live.hooks_seen {
        text.push_str("  no claude hook has run yet: prompts and permissions are unknown\n");
    }
    for request in &live.permissions {
        text.push_str(&permission_request::request(request, id, style));
    }
    for trouble in &live.troubles {
        text.push_str(&format!("  {}\n", style.paint(Tone::Bad, &one_line(trouble))));
    }
    if let (Some(hold), false) = (&live.hold, live.held.is_empty()) {
        text.push_str(&format!("  texts are queued: {}\n", one_line(hold)));
    }
    for held in &live.held {
        let (what, verb) = match held.state {
            HeldState::Unconfirmed => ("not confirmed", "retry"),
            HeldState::Returned => ("stopped before claude replied", "retry"),
            HeldState::Waiting => ("queued", "forget"),
        };
        let held_id = one_line(&held.id);
        text.push_str(&format!(
            "  {} {}\n    beads-console session {verb} {id} {held_id}\n",
            style.paint(Tone::Attention, what),
            cut(&one_line(&held.text), 100),
        ));
    }
    text
}

/// The state and, for a paused session, the command that resumes it.
pub(crate) fn line(session: &SessionView, style: &Style) -> String {
    let (state, tone) = session_state::of(session, style);
    let id = session.meta.id.short();
    let next = match session.meta.status {
        Status::Paused => format!("  beads-console session resume {id}\n"),
        Status::Draft | Status::Active | Status::Closed => String::new(),
    };
    format!("{}  {id}  {}\n{next}", style.paint(tone, &state), one_line(title(session)))
}

/// The session that was started automatically on the next bead.
pub(crate) fn next_started(next: &NextStarted) -> String {
    let (bead, session, left) = (&next.bead, next.session.short(), next.left);
    format!("  started {bead} in session {session}; {left} more to start automatically\n")
}

/// Sessions paused for so long that the user should decide about them.
pub(crate) fn stale(stale: &StaleSessions, style: &Style) -> String {
    if stale.sessions.is_empty() {
        return format!("no session has been paused for more than {} days\n", stale.days);
    }
    let mut text =
        format!("\n{}\n", style.paint(Tone::Strong, &format!("Paused for more than {} days", stale.days)));
    for view in &stale.sessions {
        text.push_str(&line(view, style));
        text.push_str(&format!("  beads-console session end {}\n", view.meta.id.short()));
    }
    text
}

/// The title, or a placeholder for a session without one.
pub(crate) fn title(session: &SessionView) -> &str {
    match session.meta.title.as_deref().map(str::trim) {
        Some(title) if !title.is_empty() => title,
        _ => "Untitled session",
    }
}

fn reason(session: &SessionView) -> Option<&'static str> {
    match session.meta.status {
        Status::Paused => session.meta.pause_reason.map(|reason| match reason {
            PauseReason::User => "paused by you",
            PauseReason::Inactivity => "claude was idle for too long",
            PauseReason::Exited => "claude exited",
            PauseReason::Interrupted => "its process died without a pause",
            PauseReason::Superseded => "another session was started",
        }),
        Status::Closed => session.meta.close_reason.map(|reason| match reason {
            CloseReason::User => "ended by you",
            CloseReason::InReview => "its bead moved to in review",
            CloseReason::Abandoned => "a draft that was never started",
        }),
        Status::Draft | Status::Active => None,
    }
}

/// The started session, its folder, and the next commands.
pub(crate) fn started(session: &SessionView, verb: &str, style: &Style) -> String {
    let meta = &session.meta;
    let id = meta.id.short();
    let simulated = if meta.simulated { " (simulated agent, not claude)" } else { "" };
    let mut text = format!(
        "{} {verb} {}{simulated}\n",
        style.paint(Tone::Good, "●"),
        style.paint(Tone::Strong, &one_line(title(session)))
    );
    text.push_str(&field(style, "Id", &meta.id.to_string()));
    text.extend(meta.branch.as_ref().map(|branch| field(style, "Branch", &one_line(branch.as_str()))));
    text.extend(meta.cwd.as_ref().map(|cwd| field(style, "Folder", &plain(cwd))));
    text.push_str(&format!(
        "\n  beads-console session attach {id}\n  beads-console session send {id} TEXT\n  beads-console session pause {id}\n"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles;
    use bc_wire::session::SessionState;
    use expect_test::expect;

    #[test]
    fn every_state_has_an_icon_and_a_label() {
        use SessionState as S;
        let mut sessions: Vec<SessionView> = (1..8).map(test_doubles::session).collect();
        let states = [S::Active, S::Paused, S::Closed, S::Draft, S::YourTurn, S::NeedsYou, S::Interrupted];
        for (session, state) in sessions.iter_mut().zip(states) {
            session.state = state;
        }
        sessions[3].meta.title = None;
        sessions[2].meta.simulated = true;
        expect![[r#"
            STATE                ID        BEAD    ACTIVE  STARTED           TITLE
            ● Working            00000001  BC-001  45m     2026-01-19 16:00  Implement login
            ◐ Paused             00000002  BC-001  45m     2026-01-19 16:00  Implement login
            ○ Closed, simulated  00000003  BC-001  45m     2026-01-19 16:00  Implement login
            ◌ Draft              00000004  BC-001  45m     2026-01-19 16:00  Untitled session
            ↩ Your turn          00000005  BC-001  45m     2026-01-19 16:00  Implement login
            ! Needs you          00000006  BC-001  45m     2026-01-19 16:00  Implement login
            ✗ Interrupted        00000007  BC-001  45m     2026-01-19 16:00  Implement login
        "#]]
        .assert_eq(&list(&sessions, &test_doubles::PLAIN));
    }

    #[test]
    fn page_shows_pending_requests_with_their_commands() {
        let mut session = test_doubles::session(1);
        session.live = Some(test_doubles::live_asking());
        session.state = SessionState::NeedsYou;
        expect![[r#"
            ! Needs you  Implement login
            Id         00000001-0000-4000-8000-000000000000
            Bead       BC-001
            Branch     feat/BC-001-implement-login
            Folder     /home/alice/app  (worktree)
            Mode       manual
            Started    2026-01-19 16:00
            Active     45m
            Messages   7
            Tokens     12.3k
            Commits    0123456789

            Files
              src/login.rs

            Now  claude asks for permission
              Bash requests {"command":"git push"}
                beads-console session permission 00000001 req-1 --allow
              texts are queued: claude asks for permission
              queued also fix the tests
                beads-console session forget 00000001 h-1
              not confirmed and then?
                beads-console session retry 00000001 h-2
        "#]]
        .assert_eq(&page(&session, &test_doubles::PLAIN));
    }

    #[test]
    fn started_session_lists_next_commands() {
        expect![[r#"
            ● started Implement login
            Id         00000001-0000-4000-8000-000000000000
            Branch     feat/BC-001-implement-login
            Folder     /home/alice/app

              beads-console session attach 00000001
              beads-console session send 00000001 TEXT
              beads-console session pause 00000001
        "#]]
        .assert_eq(&started(&test_doubles::session(1), "started", &test_doubles::PLAIN));
    }
}
