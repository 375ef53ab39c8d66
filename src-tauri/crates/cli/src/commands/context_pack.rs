//! `session context`.

use super::Context;
use crate::{args::ContextArgs, failure::Failure, output::context_pack};
use bc_wire::session::PackParams;

pub(super) fn preview(args: ContextArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = context.api.session_context_pack(PackParams {
        bead_id: args.bead,
        title: args.title,
        objective: args.objective,
        pack: args.pack.request(),
    })?;
    context.print(&shown, |shown, style| context_pack::preview(shown, args.text, style))?;
    context.warn(&shown.warnings)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::json;

    fn pack() -> serde_json::Value {
        let piece = |key: &str, state: &str| {
            json!({"key": key, "kind": "match", "path": key, "reason": "contains “x\u{1b}[2J”", "relevance": 0.5,
                "tokens": 1234, "state": state, "pinned": false,
                "excerpts": [{"first": 3, "last": 9, "whole": false, "text": "fn x() {}\n"}]})
        };
        json!({"budget": 10000, "tokens": 1234, "pieces": [piece("a.rs", "included"), piece("b.rs", "left_out")],
            "templates": [{"name": "evil", "problem": {"code": "file_refused", "message": "it leads out"}}],
            "warnings": ["slow"]})
    }

    #[test]
    fn a_pack_is_shown_with_its_reasons_and_choices() {
        let fake = || FakeProject::new().answers("session.context_pack", pack());
        let line = [
            "session",
            "context",
            "--bead",
            "bc-1",
            "--context-budget",
            "2k",
            "--context-add",
            "c.rs:1-4",
            "--context-remove",
            "d.rs",
            "--context-pin",
            "a.rs",
            "--context-template",
            "ui",
        ];
        let ran = fake().run(&line, FakeUser::away());
        let params = json!({"budget": 2000, "template": "ui", "add": ["c.rs:1-4"], "remove": ["d.rs"], "pin": ["a.rs"],
            "only": null});
        assert_eq!(ran.calls[0].1["pack"], params);
        assert!(ran.out.contains("a.rs:3-9") && ran.out.contains("1.2k of 10.0k tokens"), "{}", ran.out);
        assert!(ran.out.contains("left out") && ran.out.contains("evil: it leads out"), "{}", ran.out);
        assert!(!ran.out.contains('\u{1b}') && !ran.out.contains("fn x()"), "{}", ran.out);
        let ran = fake().run(&["session", "context", "--text"], FakeUser::away());
        assert!(ran.out.contains("fn x() {}"), "{}", ran.out);
        assert_eq!(fake().run(&["session", "context", "--context-budget", "much"], FakeUser::away()).code, 2);
    }

    #[test]
    fn an_option_of_the_pack_requests_the_pack_at_a_start() {
        let answers = || FakeProject::new().answers("session.start", json!({"code": "x"}));
        let context = |line: &[&str]| {
            let ran = answers().run(line, FakeUser::away());
            ran.calls[0].1["context"].clone()
        };
        assert_eq!(context(&["session", "start"]), "none");
        assert_eq!(context(&["session", "start", "--context"]), "automatic");
        assert_eq!(context(&["session", "start", "--context-budget", "25k"]), "automatic");
    }
}
