//! The arguments of an interactive claude. A resume passes all of them again, because claude stops applying
//! an omitted argument no later than at the next compaction.

use crate::{agents::Agent, version::Version};
use bc_core::{ids::ConversationId, mode::PermissionMode, prompt::safe_argument};
use serde_json::Value;
use std::ffi::OsString;

/// Whether claude starts a conversation or continues one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversation {
    /// A new conversation with this id. Claude refuses an id that is already in use.
    New(ConversationId),
    /// The existing conversation with this id. Claude refuses a conversation that never had a prompt.
    Resume(ConversationId),
}

/// The options from which claude's arguments are built.
#[derive(Debug, Clone)]
pub struct Launch<'a> {
    pub conversation: Conversation,
    pub mode: PermissionMode,
    /// The settings, from [`crate::settings::settings`].
    pub settings: &'a Value,
    /// The model; `None` for claude's default.
    pub model: Option<&'a str>,
    /// The agent prompt; `None` for claude's default prompt.
    pub agent: Option<&'a Agent>,
    pub append_system_prompt: Option<&'a str>,
    /// The opening prompt, which claude submits when it starts.
    pub prompt: Option<&'a str>,
}

/// The arguments, with the prompts kept separate: all users of the machine can read a process's arguments, so
/// the prompts are passed through a file and standard input. Both ways were tested with claude 2.1.121 to
/// 2.1.330.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Private {
    pub args: Vec<OsString>,
    /// The addition to the system prompt, to be written to a file: see [`SYSTEM_PROMPT_FILE`].
    pub system_prompt: Option<String>,
    /// The opening prompt, to be passed on standard input.
    pub prompt: Option<String>,
}

/// Claude's option for a file with an addition to the system prompt. `claude --help` does not list it.
pub const SYSTEM_PROMPT_FILE: &str = "--append-system-prompt-file";

impl Launch<'_> {
    /// The arguments for this version of claude, including the prompts and without the program itself. No
    /// local shell parses them, but all users of the machine can read them: prefer [`Launch::private`].
    pub fn argv(&self, version: Version) -> Vec<OsString> {
        let Private { mut args, system_prompt, prompt } = self.private(version);
        if let Some(text) = system_prompt {
            args.extend(["--append-system-prompt".into(), text.into()]);
        }
        if let Some(prompt) = prompt {
            args.extend(["--".into(), prompt.into()]);
        }
        args
    }

    /// The arguments for this version of claude, with the prompts kept separate.
    pub fn private(&self, version: Version) -> Private {
        let mut args: Vec<String> = match self.conversation {
            Conversation::New(id) => vec!["--session-id".into(), id.to_string()],
            Conversation::Resume(id) => vec!["--resume".into(), id.to_string()],
        };
        let mut option = |name: &str, value: &str| args.extend([name.to_owned(), value.to_owned()]);
        option("--permission-mode", version.mode_name(self.mode));
        option("--settings", &self.settings.to_string());
        if let Some(model) = self.model.filter(|model| is_model(model)) {
            option("--model", model);
        }
        let mut append = Vec::new();
        match self.agent.map(|agent| (agent, &agent.known_as)) {
            Some((_, Some(name))) => option("--agent", name),
            Some((agent, None)) => append.push(agent.body.as_str()),
            None => {}
        }
        append.extend(self.append_system_prompt);
        let append = safe_text(&append.join("\n\n"));
        Private {
            args: args.into_iter().map(OsString::from).collect(),
            system_prompt: Some(append).filter(|text| !text.is_empty()),
            prompt: self.prompt.map(safe_argument).filter(|prompt| !prompt.is_empty()),
        }
    }
}

/// Whether the value is a model name that cannot be mistaken for an option.
fn is_model(model: &str) -> bool {
    !model.is_empty()
        && !model.starts_with('-')
        && !model.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// Trims the text, removes NUL characters, and truncates it to [`bc_core::prompt::ARGUMENT_MAX`] bytes.
fn safe_text(text: &str) -> String {
    let mut text = text.trim().replace('\0', "");
    text.truncate(bc_core::text::head(&text, bc_core::prompt::ARGUMENT_MAX).len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(launch: &Launch<'_>) -> Vec<String> {
        launch.argv(Version::new(2, 1, 329)).into_iter().map(|arg| arg.into_string().unwrap()).collect()
    }

    fn launch<'a>(settings: &'a Value) -> Launch<'a> {
        Launch {
            conversation: Conversation::New("0daaf6e6-ef3d-4e67-a465-c1bcbce782fa".parse().unwrap()),
            mode: PermissionMode::Manual,
            settings,
            model: None,
            agent: None,
            append_system_prompt: None,
            prompt: None,
        }
    }

    #[test]
    fn the_prompt_is_the_last_argument_and_never_an_option() {
        let settings = json!({"hooks": {}});
        let mut launch = launch(&settings);
        launch.prompt = Some("--help me");
        let args = words(&launch);
        assert_eq!(
            args,
            [
                "--session-id",
                "0daaf6e6-ef3d-4e67-a465-c1bcbce782fa",
                "--permission-mode",
                "manual",
                "--settings",
                "{\"hooks\":{}}",
                "--",
                "--help me"
            ]
        );
        launch.prompt = Some("mcp");
        assert_eq!(words(&launch).last().unwrap(), "mcp ", "a bare word would be a subcommand");
        launch.prompt = Some("");
        assert!(!words(&launch).contains(&"--".to_owned()));
    }

    #[test]
    fn agents_known_to_claude_are_passed_by_name_and_others_by_text() {
        let settings = json!({});
        let mut agent = Agent {
            name: "reviewer".parse().unwrap(),
            known_as: Some("code-reviewer".to_owned()),
            description: String::new(),
            model: None,
            body: "Review.".to_owned(),
            path: "/a.md".into(),
            of_project: true,
        };
        let launch = Launch { append_system_prompt: Some("More."), ..launch(&settings) };
        let named = Launch { agent: Some(&agent), ..launch.clone() };
        assert_eq!(words(&named)[6..], ["--agent", "code-reviewer", "--append-system-prompt", "More."]);
        agent.known_as = None;
        let launch = Launch { agent: Some(&agent), ..launch };
        assert_eq!(words(&launch)[6..], ["--append-system-prompt", "Review.\n\nMore."]);
    }

    #[test]
    fn texts_can_be_passed_outside_the_arguments() {
        let settings = json!({});
        let launch = Launch {
            append_system_prompt: Some("a secret rule"),
            prompt: Some("a secret task"),
            ..launch(&settings)
        };
        let private = launch.private(Version::new(2, 1, 329));
        assert!(
            !private.args.iter().any(|arg| arg.to_string_lossy().contains("secret")),
            "{:?}",
            private.args
        );
        assert_eq!(private.system_prompt.as_deref(), Some("a secret rule"));
        assert_eq!(private.prompt.as_deref(), Some("a secret task"));
    }

    #[test]
    fn a_model_that_looks_like_an_option_is_left_out() {
        let settings = json!({});
        let mut launch = launch(&settings);
        launch.model = Some("opus");
        assert_eq!(words(&launch)[6..], ["--model", "opus"]);
        launch.model = Some("--dangerously-skip-permissions");
        assert_eq!(words(&launch).len(), 6);
    }
}
