//! The list of needs: everything that waits for the user.

use super::{Cell, Style, Table, Tone, moment};
use bc_wire::session::{Need, NeedKind, Needs, SessionState};

/// A table in the given order, followed by the commands that show or answer the needs.
pub(crate) fn list(needs: &Needs, style: &Style) -> String {
    if needs.items.is_empty() {
        return "Nothing needs you.\n".to_owned();
    }
    let mut table = Table::new(&["KIND", "SESSION", "BEAD", "SINCE", "TITLE", "WHAT"], 5);
    for need in &needs.items {
        let until = need.until.map(|end| format!("until {}: ", moment(style, &end))).unwrap_or_default();
        table.row(vec![
            Cell::new(tone(need.kind), &word(need.kind)),
            Cell::new(Tone::Strong, &need.session.map(|id| id.short()).unwrap_or_default()),
            Cell::plain(need.bead.as_ref().map(|id| id.as_str()).unwrap_or_default()),
            Cell::new(Tone::Faint, &moment(style, &need.since)),
            Cell::plain(&need.title),
            Cell::plain(&format!("{until}{}", need.text)),
        ]);
    }
    let mut text = table.print(style);
    let next: Vec<String> = needs.items.iter().filter_map(next).collect();
    if !next.is_empty() {
        text.push_str(&format!("\n{}\n", next.join("\n")));
    }
    text
}

fn word(kind: NeedKind) -> String {
    match kind {
        NeedKind::Turn => SessionState::YourTurn.word().to_owned(),
        kind => {
            let (first, rest) = kind.as_str().split_at(1);
            format!("{}{rest}", first.to_uppercase())
        }
    }
}

fn tone(kind: NeedKind) -> Tone {
    match kind {
        NeedKind::Error | NeedKind::Merge => Tone::Bad,
        _ => Tone::Attention,
    }
}

/// The command that shows or answers the need, if one exists.
fn next(need: &Need) -> Option<String> {
    let session = need.session.map(|id| id.short());
    let command = match (need.kind, session, &need.request) {
        (NeedKind::Question, Some(session), _) => format!("session show {session}"),
        (_, Some(session), Some(request)) => {
            let id = bc_core::text::one_line(&request.id);
            format!("session permission {session} {id} --allow")
        }
        (NeedKind::Login | NeedKind::Trust | NeedKind::Dialog, Some(session), None) => {
            format!("session attach {session}")
        }
        (NeedKind::Merge, ..) => format!("fleet queue retry {}", need.merge.as_ref()?),
        (NeedKind::Review, ..) => format!("fleet review {}", need.bead.as_ref()?),
        _ => return None,
    };
    Some(format!("  beads-console {command}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::PLAIN;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn each_kind_has_its_row_and_its_next_command() {
        let at = "2026-01-19T16:00:00Z";
        let session = "00000001-0000-4000-8000-000000000000";
        let need = |kind: &str, text: &str, more: serde_json::Value| {
            let mut need = json!({"id": kind, "kind": kind, "title": "Login", "text": text, "since": at});
            need.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            need
        };
        let request = json!({"id": "req-1", "tool": "Bash", "input": {}, "asked_at": at});
        let needs = json!({"items": [
            need("permission", "Bash: git push", json!({"session": session, "bead": "BC-1", "request": request})),
            need("trust", "Trust?", json!({"session": session})),
            need("limit", "5-hour limit", json!({"session": session, "until": "2026-01-19T18:30:00Z"})),
            need("turn", "Shall I push?\u{1b}[2J", json!({"session": session})),
            need("review", "", json!({"bead": "BC-2"})),
        ]});
        let needs: Needs = serde_json::from_value(needs).unwrap();
        expect![[r#"
            KIND        SESSION   BEAD  SINCE             TITLE  WHAT
            Permission  00000001  BC-1  2026-01-19 16:00  Login  Bash: git push
            Trust       00000001        2026-01-19 16:00  Login  Trust?
            Limit       00000001        2026-01-19 16:00  Login  until 2026-01-19 18:30: 5-hour limit
            Your turn   00000001        2026-01-19 16:00  Login  Shall I push?
            Review                BC-2  2026-01-19 16:00  Login

              beads-console session permission 00000001 req-1 --allow
              beads-console session attach 00000001
              beads-console fleet review BC-2
        "#]]
        .assert_eq(&list(&needs, &PLAIN));
        assert_eq!(list(&Needs::default(), &PLAIN), "Nothing needs you.\n");
    }
}
