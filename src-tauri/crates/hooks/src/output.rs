//! Parses a hook's output, which is one JSON object: `{}` if the hook has no answer.

use bc_core::hooks::HookDecision;
use serde_json::Value;

/// A hook's answer; empty for `{}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Text for the agent.
    pub context: Option<String>,
    /// Whether the tool may run; `None` if the hook makes no decision.
    pub decision: Option<HookDecision>,
    /// The reason for the decision, for the agent and the user.
    pub reason: Option<String>,
}

/// Parses the output. The fields are at the top level, or in `hookSpecificOutput` as in the output of a
/// claude hook.
///
/// # Errors
///
/// Returns the reason if the output does not have this format.
pub(crate) fn read(stdout: &[u8]) -> Result<Output, String> {
    let expected = "print one JSON object, {} for no answer, and everything else to standard error";
    let text = stdout.trim_ascii();
    if text.is_empty() {
        return Err(format!("it printed nothing; {expected}"));
    }
    let value: Value =
        serde_json::from_slice(text).map_err(|_| format!("it printed text that is not JSON; {expected}"))?;
    if !value.is_object() {
        return Err(format!("it printed JSON that is not an object; {expected}"));
    }
    let inner = &value["hookSpecificOutput"];
    let field = |key: &str| value.get(key).or_else(|| inner.get(key)).filter(|value| !value.is_null());
    let text = |key: &str| match field(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(format!("its {key} is not text")),
    };
    let decide = |word: String| {
        HookDecision::parse(&word)
            .ok_or_else(|| format!("its permissionDecision {word:?} is none of allow, ask, deny"))
    };
    let decision = text("permissionDecision")?.map(decide).transpose()?;
    Ok(Output { context: text("additionalContext")?, decision, reason: text("permissionDecisionReason")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_parsed() {
        let flat =
            br#"{"permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"x"}"#;
        let nested = br#" {"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no",
                        "additionalContext":"x"}}
"#;
        let expect = Output {
            context: Some("x".into()),
            decision: Some(HookDecision::Deny),
            reason: Some("no".into()),
        };
        assert_eq!(read(flat), Ok(expect.clone()));
        assert_eq!(read(nested), Ok(expect));
        assert_eq!(read(b"{}\n"), Ok(Output::default()));
    }

    #[test]
    fn other_output_is_reported_with_the_reason() {
        for (printed, word) in [
            (&b""[..], "nothing"),
            (b"done", "not JSON"),
            (b"{} {}", "not JSON"),
            (b"[]", "not an object"),
            (br#"{"permissionDecision":"perhaps"}"#, "perhaps"),
            (br#"{"additionalContext":3}"#, "not text"),
        ] {
            let said = read(printed).unwrap_err();
            assert!(said.contains(word), "{said}");
        }
    }
}
