//! A permission request, with the commands that answer it.

use super::{Style, Tone, indented};
use bc_core::{
    question::{self, PLANS, Question},
    text::{cut, one_line, plain, visible},
};
use bc_wire::session::PermissionRequest;

/// The maximum number of characters of a plan that are printed.
const PLAN_MAX: usize = 4_000;

/// Formats a question with its numbered options, a plan, or any other request with its input.
pub(super) fn request(request: &PermissionRequest, session: &str, style: &Style) -> String {
    let who = request.subagent.as_ref().map(|name| format!("{}'s ", one_line(name))).unwrap_or_default();
    let tool = style.paint(Tone::Attention, &one_line(&request.tool));
    let command = format!("    beads-console session permission {session} {}", one_line(&request.id));
    let input = request.input.as_object().cloned().unwrap_or_default();
    let questions = question::questions(&request.tool, &input);
    if !questions.is_empty() {
        let list: String = questions.iter().enumerate().map(|(at, one)| numbered(at + 1, one)).collect();
        let choose = " --choose N".repeat(questions.len());
        let own = "    or --answer QUESTION=ANSWER with your own words\n";
        return format!("  {who}{tool} asks\n{list}{command}{choose}\n{own}");
    }
    if request.tool == PLANS {
        let plan = input.get("plan").and_then(serde_json::Value::as_str).unwrap_or_default();
        let plan = cut(plain(plan).trim(), PLAN_MAX);
        let plan = if plan.is_empty() { String::new() } else { format!("{}\n", indented(&plan, "    ")) };
        return format!(
            "  {who}{tool} proposes a plan\n{plan}{command} --allow\n    or --deny --message TEXT, to send it back\n"
        );
    }
    let mut text = format!(
        "  {who}{tool} requests {}\n{command} --allow\n",
        cut(&one_line(&visible(&request.input.to_string())), 300)
    );
    for lasting in &request.lasting {
        text.push_str(&format!(
            "    or --always: {} {}\n",
            one_line(&visible(&lasting.rule)),
            one_line(&lasting.holds)
        ));
    }
    text
}

fn numbered(number: usize, question: &Question) -> String {
    let several = if question.multiple { " (several)" } else { "" };
    let mut text = format!("    {number}. {}{several}\n", one_line(&question.text));
    for (at, (label, description)) in question.options.iter().enumerate() {
        let description =
            if description.is_empty() { String::new() } else { format!("  {}", one_line(description)) };
        text.push_str(&format!("       {}  {}{}\n", at + 1, one_line(label), cut(&description, 120)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles;
    use serde_json::json;

    fn asking(tool: &str, input: serde_json::Value) -> PermissionRequest {
        let mut live = test_doubles::live_asking();
        PermissionRequest { tool: tool.to_owned(), input, ..live.permissions.remove(0) }
    }

    #[test]
    fn question_options_are_numbered() {
        let input = json!({"questions": [
            {"question": "Which colour?", "header": "Colour", "options": [{"label": "Red", "description": "warm"}]},
            {"question": "Which fruits?", "multiSelect": true, "options": [{"label": "Apple"}, {"label": "Pear"}]},
        ]});
        let expected = [
            "  AskUserQuestion asks",
            "    1. Which colour?",
            "       1  Red  warm",
            "    2. Which fruits? (several)",
            "       1  Apple",
            "       2  Pear",
            "    beads-console session permission abc req-1 --choose N --choose N",
            "    or --answer QUESTION=ANSWER with your own words",
        ];
        let shown = request(&asking("AskUserQuestion", input), "abc", &test_doubles::PLAIN);
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn invisible_characters_of_a_command_are_named() {
        let text =
            request(&asking("Bash", json!({"command": "ls \u{202e}fdp"})), "abc", &test_doubles::PLAIN);
        assert!(text.contains("ls ⟨U+202E⟩fdp"), "{text}");
    }

    #[test]
    fn plan_is_shown_without_control_characters() {
        let input = json!({"plan": "# Plan\n\n1. do\u{1b}[2J it"});
        let text = request(&asking("ExitPlanMode", input), "abc", &test_doubles::PLAIN);
        assert!(text.contains("# Plan") && text.contains("--deny --message TEXT"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
