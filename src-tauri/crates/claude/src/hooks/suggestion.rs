//! Describes in words the lasting permission rules that claude suggests.
//!
//! An answer can only return all of a request's suggestions together. Suggestions are therefore offered only
//! if this program understands all of them. Otherwise, the user could allow a rule that was not shown.

use bc_core::mode::{LastingRule, PermissionMode};
use serde_json::Value;

/// All rules in a request's suggestions. Empty if the request has no suggestions or if one of them is not
/// supported.
pub fn lasting_rules(suggestions: &[Value]) -> Vec<LastingRule> {
    let read: Option<Vec<Vec<LastingRule>>> = suggestions.iter().map(one).collect();
    read.unwrap_or_default().into_iter().flatten().collect()
}

fn one(suggestion: &Value) -> Option<Vec<LastingRule>> {
    let text = |key: &str| suggestion.get(key).and_then(Value::as_str);
    let holds = match text("destination")? {
        "session" => "for this session",
        "localSettings" => "in this project, for you",
        "projectSettings" => "in this project, for everyone",
        "userSettings" => "in all your projects",
        _ => return None,
    };
    let list = |key: &str| suggestion.get(key).and_then(Value::as_array);
    let rules: Option<Vec<String>> = match text("type")? {
        "addRules" if text("behavior") == Some("allow") => list("rules")?.iter().map(rule).collect(),
        "addDirectories" => list("directories")?
            .iter()
            .map(|folder| Some(format!("access to {}", folder.as_str()?)))
            .collect(),
        "setMode" => match text("mode")?.parse().ok()? {
            // The user must choose Bypass explicitly, not as a side effect.
            PermissionMode::BypassPermissions => None,
            mode => Some(vec![format!("{} mode", mode.title())]),
        },
        _ => None,
    };
    let rules = rules.filter(|rules| !rules.is_empty())?;
    Some(rules.into_iter().map(|rule| LastingRule { rule, holds: holds.to_owned() }).collect())
}

/// A rule in the syntax of claude's settings, such as `Bash(git push *)`.
fn rule(rule: &Value) -> Option<String> {
    let tool = rule.get("toolName")?.as_str()?;
    Some(match rule.get("ruleContent").and_then(Value::as_str) {
        Some(content) => format!("{tool}({content})"),
        None => tool.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(given: Value, expect: &[(&str, &str)]) {
        let read = lasting_rules(given.as_array().unwrap());
        let read: Vec<(&str, &str)> = read.iter().map(|s| (s.rule.as_str(), s.holds.as_str())).collect();
        assert_eq!(read, expect);
    }

    #[test]
    fn rules_modes_and_folders_have_descriptions() {
        check(
            json!([{"type": "addRules", "behavior": "allow", "destination": "localSettings",
                    "rules": [{"toolName": "Bash", "ruleContent": "git push *"}, {"toolName": "WebSearch"}]}]),
            &[("Bash(git push *)", "in this project, for you"), ("WebSearch", "in this project, for you")],
        );
        check(
            json!([{"type": "setMode", "mode": "acceptEdits", "destination": "session"},
                   {"type": "addDirectories", "directories": ["/tmp/x"], "destination": "session"}]),
            &[("Accept edits mode", "for this session"), ("access to /tmp/x", "for this session")],
        );
    }

    #[test]
    fn an_unknown_suggestion_disables_all() {
        let known = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
        check(json!([]), &[]);
        check(json!([known, {"type": "other", "destination": "session"}]), &[]);
        check(
            json!([known, {"type": "addRules", "behavior": "deny", "destination": "session", "rules": []}]),
            &[],
        );
        check(json!([{"type": "setMode", "mode": "bypassPermissions", "destination": "session"}]), &[]);
        check(json!([{"type": "setMode", "mode": "acceptEdits", "destination": "elsewhere"}]), &[]);
        check(json!(["text"]), &[]);
    }
}
