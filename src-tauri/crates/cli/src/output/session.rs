//! Sessions as lists and as a page.

use super::{Cell, Looks, Table, Tone, field, figures, indented, moment};
use bc_core::{
    session::{CloseReason, PauseReason, Status, human_duration},
    text::{cut, one_line, plain},
};
use bc_wire::session::{Activity, HeldState, Live, SessionView, StaleSessions};

/// The sessions as a table.
pub(crate) fn list(sessions: &[SessionView], looks: &Looks) -> String {
    if sessions.is_empty() {
        return "No sessions. `beads-console session start --bead ID` starts one.\n".to_owned();
    }
    let mut table = Table::new(&["STATE", "ID", "BEAD", "ACTIVE", "STARTED", "TITLE"], 5);
    for session in sessions {
        let meta = &session.meta;
        let (state, tone) = state(session);
        table.row(vec![
            Cell::new(tone, &state),
            Cell::new(Tone::Strong, &meta.id.short()),
            Cell::plain(meta.bead_id.as_ref().map(|id| id.as_str()).unwrap_or_default()),
            Cell::plain(&human_duration(session.duration_ms)),
            Cell::new(Tone::Faint, &moment(looks, meta.started_at.as_ref().unwrap_or(&meta.created_at))),
            Cell::plain(title(session)),
        ]);
    }
    table.print(looks)
}

/// A bead's sessions over time: who claimed it, how long, with how many commits.
pub(crate) fn of_bead(sessions: &[SessionView], looks: &Looks) -> String {
    let mut table = Table::new(&["STATE", "ID", "BY", "ACTIVE", "COMMITS", "STARTED", "TITLE"], 6);
    for session in sessions {
        let meta = &session.meta;
        let (state, tone) = state(session);
        table.row(vec![
            Cell::new(tone, &state),
            Cell::new(Tone::Strong, &meta.id.short()),
            Cell::plain(meta.actor.as_deref().unwrap_or_default()),
            Cell::plain(&human_duration(session.duration_ms)),
            Cell::plain(&meta.commits.len().to_string()),
            Cell::new(Tone::Faint, &moment(looks, meta.started_at.as_ref().unwrap_or(&meta.created_at))),
            Cell::plain(title(session)),
        ]);
    }
    table.print(looks)
}

/// One session: what it is and what it does right now.
pub(crate) fn page(session: &SessionView, looks: &Looks) -> String {
    let meta = &session.meta;
    let (state, tone) = state(session);
    let mut text = format!("{}  {}\n", looks.paint(tone, &state), one_line(title(session)));
    let mut add = |label: &str, value: String| {
        if !value.is_empty() {
            text.push_str(&field(looks, label, &value));
        }
    };
    let word = |value: Option<String>| value.map(|v| one_line(&v)).unwrap_or_default();
    let at =
        |value: &Option<bc_core::Timestamp>| value.as_ref().map(|at| moment(looks, at)).unwrap_or_default();
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
    add("Messages", session.meta.message_count.to_string());
    add("Tokens", meta.total_tokens.map(figures::count).unwrap_or_default());
    add("Cost", meta.cost_usd.map(|usd| format!("${usd:.2}")).unwrap_or_default());
    add(
        "Commits",
        meta.commits
            .iter()
            .map(|hash| one_line(&hash.chars().take(10).collect::<String>()))
            .collect::<Vec<_>>()
            .join(" "),
    );
    if !meta.files_touched.is_empty() {
        let files: Vec<String> = meta.files_touched.iter().map(|path| one_line(path)).collect();
        text.push_str(&format!(
            "\n{}\n{}\n",
            looks.paint(Tone::Strong, "Files"),
            indented(&files.join("\n"), "  ")
        ));
    }
    if let Some(live) = &session.live {
        text.push_str(&now(live, &meta.id.short(), looks));
    }
    text
}

/// What claude does, what it asks, what waits for it.
fn now(live: &Live, id: &str, looks: &Looks) -> String {
    let (activity, tone) = match live.activity {
        Activity::Starting => ("claude is starting", Tone::Attention),
        Activity::AsksAtStart => ("claude asks something in its terminal", Tone::Attention),
        Activity::Idle => ("claude is at its prompt", Tone::Good),
        Activity::Working => ("claude is working", Tone::Good),
        Activity::WaitingPermission => ("claude asks for a permission", Tone::Attention),
        Activity::Gone => ("claude has ended", Tone::Attention),
        Activity::Unknown => ("a dialog may be open in its terminal; attach to see", Tone::Attention),
    };
    let mut text = format!("\n{}  {}\n", looks.paint(Tone::Strong, "Now"), looks.paint(tone, activity));
    if !live.hooks_seen {
        text.push_str("  claude's hooks were not heard yet: prompts and permissions are not known\n");
    }
    for request in &live.permissions {
        let input = cut(&one_line(&request.input.to_string()), 300);
        let by = request.subagent.as_ref().map(|name| format!("{}'s ", one_line(name))).unwrap_or_default();
        text.push_str(&format!(
            "  {by}{} wants {input}\n    beads-console session permission {id} {} --allow\n",
            looks.paint(Tone::Attention, &one_line(&request.tool)),
            one_line(&request.id),
        ));
        for lasting in &request.lasting {
            text.push_str(&format!(
                "    or --always: {} {}\n",
                one_line(&lasting.rule),
                one_line(&lasting.holds)
            ));
        }
    }
    for trouble in &live.troubles {
        text.push_str(&format!("  {}\n", looks.paint(Tone::Bad, &one_line(trouble))));
    }
    if let (Some(hold), false) = (&live.hold, live.held.is_empty()) {
        text.push_str(&format!("  texts are held: {}\n", one_line(hold)));
    }
    for held in &live.held {
        let (what, verb) = match held.state {
            HeldState::Unconfirmed => ("not confirmed", "retry"),
            HeldState::Returned => ("stopped before claude answered", "retry"),
            HeldState::Waiting => ("held", "forget"),
        };
        let held_id = one_line(&held.id);
        text.push_str(&format!(
            "  {} {}\n    beads-console session {verb} {id} {held_id}\n",
            looks.paint(Tone::Attention, what),
            cut(&one_line(&held.text), 100),
        ));
    }
    text
}

/// How it stands, and for a paused one how to go on.
pub(crate) fn line(session: &SessionView, looks: &Looks) -> String {
    let (state, tone) = state(session);
    let id = session.meta.id.short();
    let next = match session.meta.status {
        Status::Paused => format!("  beads-console session resume {id}\n"),
        Status::Draft | Status::Active | Status::Closed => String::new(),
    };
    format!("{}  {id}  {}\n{next}", looks.paint(tone, &state), one_line(title(session)))
}

/// What was paused so long ago that somebody should decide.
pub(crate) fn stale(stale: &StaleSessions, looks: &Looks) -> String {
    if stale.sessions.is_empty() {
        return format!("no session is paused for longer than {} days\n", stale.days);
    }
    let mut text =
        format!("\n{}\n", looks.paint(Tone::Strong, &format!("Paused for longer than {} days", stale.days)));
    for view in &stale.sessions {
        text.push_str(&line(view, looks));
        text.push_str(&format!("  beads-console session end {}\n", view.meta.id.short()));
    }
    text
}

/// Icon and word.
pub(crate) fn state(session: &SessionView) -> (String, Tone) {
    let (icon, word, tone) = match session.meta.status {
        Status::Draft => ("◌", "draft", Tone::Faint),
        Status::Active => ("●", "active", Tone::Good),
        Status::Paused => ("◐", "paused", Tone::Attention),
        Status::Closed => ("○", "closed", Tone::Faint),
    };
    let asks = session.live.as_ref().is_some_and(|live| !live.permissions.is_empty());
    let simulated = if session.meta.simulated { ", simulated" } else { "" };
    match asks {
        true => (format!("{icon} {word}, asks{simulated}"), Tone::Attention),
        false => (format!("{icon} {word}{simulated}"), tone),
    }
}

/// What it is called.
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
            PauseReason::Exited => "claude ended by itself",
            PauseReason::Interrupted => "its process died without a pause",
            PauseReason::Superseded => "another session was started",
        }),
        Status::Closed => session.meta.close_reason.map(|reason| match reason {
            CloseReason::User => "ended by you",
            CloseReason::InReview => "its bead moved to in review",
            CloseReason::Abandoned => "a draft that nobody started",
        }),
        Status::Draft | Status::Active => None,
    }
}

/// What was started, where, and what can be done with it.
pub(crate) fn started(session: &SessionView, verb: &str, looks: &Looks) -> String {
    let meta = &session.meta;
    let id = meta.id.short();
    let simulated = if meta.simulated { " (simulated agent, not claude)" } else { "" };
    let mut text = format!(
        "{} {verb} {}{simulated}\n",
        looks.paint(Tone::Good, "●"),
        looks.paint(Tone::Strong, &one_line(title(session)))
    );
    text.push_str(&field(looks, "Id", &meta.id.to_string()));
    if let Some(branch) = &meta.branch {
        text.push_str(&field(looks, "Branch", &one_line(branch.as_str())));
    }
    if let Some(cwd) = &meta.cwd {
        text.push_str(&field(looks, "Folder", &plain(cwd)));
    }
    text.push_str(&format!(
        "\n  beads-console session attach {id}\n  beads-console session send {id} TEXT\n  beads-console session pause {id}\n"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;
    use expect_test::expect;

    #[test]
    fn every_state_is_an_icon_and_a_word() {
        let mut sessions: Vec<SessionView> = (1..5).map(fake::session).collect();
        let states = [Status::Active, Status::Paused, Status::Closed, Status::Draft];
        for (session, status) in sessions.iter_mut().zip(states) {
            session.meta.status = status;
        }
        sessions[3].meta.title = None;
        sessions[2].meta.simulated = true;
        expect![[r#"
            STATE                ID        BEAD    ACTIVE  STARTED           TITLE
            ● active             00000001  BC-001  45m     2026-01-19 16:00  Implement login
            ◐ paused             00000002  BC-001  45m     2026-01-19 16:00  Implement login
            ○ closed, simulated  00000003  BC-001  45m     2026-01-19 16:00  Implement login
            ◌ draft              00000004  BC-001  45m     2026-01-19 16:00  Untitled session
        "#]]
        .assert_eq(&list(&sessions, &fake::LOOKS));
    }

    #[test]
    fn a_page_names_what_waits_for_an_answer_and_how_to_give_it() {
        let mut session = fake::session(1);
        session.live = Some(fake::live_asking());
        expect![[r#"
            ● active, asks  Implement login
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

            Now  claude asks for a permission
              Bash wants {"command":"git push"}
                beads-console session permission 00000001 req-1 --allow
              texts are held: claude asks for a permission
              held also fix the tests
                beads-console session forget 00000001 h-1
              not confirmed and then?
                beads-console session retry 00000001 h-2
        "#]]
        .assert_eq(&page(&session, &fake::LOOKS));
    }

    #[test]
    fn a_started_session_says_what_can_be_done_with_it() {
        expect![[r#"
            ● started Implement login
            Id         00000001-0000-4000-8000-000000000000
            Branch     feat/BC-001-implement-login
            Folder     /home/alice/app

              beads-console session attach 00000001
              beads-console session send 00000001 TEXT
              beads-console session pause 00000001
        "#]]
        .assert_eq(&started(&fake::session(1), "started", &fake::LOOKS));
    }
}
