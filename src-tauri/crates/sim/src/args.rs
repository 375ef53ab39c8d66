//! Parses the part of claude's command line that the simulated agent uses.

use crate::settings::{Settings, SettingsError};
use bc_core::{ids::InvalidId, mode::PermissionMode};
use uuid::Uuid;

/// The output of `--version`, which cannot be mistaken for a version of claude.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (Beads Console simulated agent)");

pub(crate) const USAGE: &str = "\
usage: beads-console-sim [OPTIONS] [--] [PROMPT]
       beads-console-sim auth status

  --session-id UUID             start a conversation with this id
  --resume UUID                 resume the conversation with this id
  --permission-mode MODE        manual, acceptEdits, plan, auto, bypassPermissions
  --settings JSON               hooks, as JSON or as the path of a file
  --model NAME                  only shown
  --append-system-prompt TEXT   only its length is shown
  --flood N                     answer every prompt with N lines
  --version, --help

In a prompt: [[say:TEXT]] [[bash:COMMAND]] [[read:PATH]] [[write:PATH:TEXT]] [[edit:PATH:OLD:NEW]]
             [[ask]] [[slow:N]] [[hang]] [[flood:N]]";

#[derive(Debug)]
pub(crate) enum Invocation {
    Version,
    Help,
    AuthStatus,
    Run(Box<Options>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversation {
    New(Uuid),
    Resume(Uuid),
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) conversation: Conversation,
    pub(crate) mode: PermissionMode,
    pub(crate) settings: Settings,
    pub(crate) model: Option<String>,
    pub(crate) system_prompt: Option<String>,
    pub(crate) prompt: Option<String>,
    pub(crate) flood: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("unknown option {0}; --help lists the options of the simulated agent")]
    Unknown(String),
    #[error("{0} requires a value")]
    NoValue(String),
    #[error("invalid value {value:?} for {option}: expected {expected}")]
    Value { option: String, value: String, expected: &'static str },
    #[error(transparent)]
    Mode(InvalidId),
    #[error("--settings cannot be used: {0}")]
    Settings(SettingsError),
    #[error("only one prompt is accepted, but {0:?} follows it")]
    TwoPrompts(String),
}

pub(crate) fn parse(args: &[String]) -> Result<Invocation, UsageError> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--version" | "-v", ..] => return Ok(Invocation::Version),
        ["--help" | "-h", ..] => return Ok(Invocation::Help),
        ["auth", "status", ..] => return Ok(Invocation::AuthStatus),
        _ => {}
    }
    let mut options = Options {
        conversation: Conversation::New(Uuid::new_v4()),
        mode: PermissionMode::Manual,
        settings: Settings::default(),
        model: None,
        system_prompt: None,
        prompt: None,
        flood: None,
    };
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            for prompt in rest.by_ref() {
                set_prompt(&mut options, prompt)?;
            }
            break;
        }
        if !word.starts_with("--") {
            set_prompt(&mut options, word)?;
            continue;
        }
        let (name, joined) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let value = joined.or_else(|| rest.next()).ok_or_else(|| UsageError::NoValue(name.to_owned()));
        set(&mut options, name, value)?;
    }
    Ok(Invocation::Run(Box::new(options)))
}

fn set_prompt(options: &mut Options, prompt: &str) -> Result<(), UsageError> {
    match options.prompt.replace(prompt.to_owned()) {
        Some(_) => Err(UsageError::TwoPrompts(prompt.chars().take(40).collect())),
        None => Ok(()),
    }
}

fn set(options: &mut Options, name: &str, value: Result<&str, UsageError>) -> Result<(), UsageError> {
    match name {
        "--session-id" => options.conversation = Conversation::New(uuid(name, value?)?),
        "--resume" => options.conversation = Conversation::Resume(uuid(name, value?)?),
        "--permission-mode" => options.mode = value?.parse().map_err(UsageError::Mode)?,
        "--settings" => options.settings = Settings::read(value?).map_err(UsageError::Settings)?,
        "--model" => options.model = Some(value?.to_owned()),
        "--append-system-prompt" => options.system_prompt = Some(value?.to_owned()),
        "--flood" => {
            let value = value?;
            options.flood = Some(value.parse().map_err(|_| invalid(name, value, "a number of lines"))?);
        }
        _ => return Err(UsageError::Unknown(name.to_owned())),
    }
    Ok(())
}

fn uuid(option: &str, value: &str) -> Result<Uuid, UsageError> {
    Uuid::try_parse(value).map_err(|_| invalid(option, value, "a UUID"))
}

fn invalid(option: &str, value: &str, expected: &'static str) -> UsageError {
    UsageError::Value { option: option.into(), value: value.into(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0daaf6e6-ef3d-4e67-a465-c1bcbce782fa";

    fn run(args: &[&str]) -> Result<Options, UsageError> {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        match parse(&args)? {
            Invocation::Run(options) => Ok(*options),
            other => panic!("{other:?} is no run"),
        }
    }

    #[test]
    fn claudes_command_line_is_parsed() {
        let options = run(&[
            "--session-id",
            ID,
            "--permission-mode",
            "acceptEdits",
            "--settings",
            "{}",
            "--append-system-prompt=be kind",
            "--",
            "--a prompt that begins with dashes",
        ])
        .unwrap();
        assert_eq!(options.conversation, Conversation::New(ID.parse().unwrap()));
        assert_eq!(options.mode, PermissionMode::AcceptEdits);
        assert_eq!(options.system_prompt.as_deref(), Some("be kind"));
        assert_eq!(options.prompt.as_deref(), Some("--a prompt that begins with dashes"));
        assert_eq!(run(&["--resume", ID]).unwrap().conversation, Conversation::Resume(ID.parse().unwrap()));
    }

    #[test]
    fn invalid_arguments_are_refused_by_name() {
        for bad in [
            vec!["--wings"],
            vec!["--session-id"],
            vec!["--session-id", "x"],
            vec!["--permission-mode", "hard"],
            vec!["--settings", "{"],
            vec!["--flood", "many"],
            vec!["one", "two"],
        ] {
            assert!(run(&bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn version_and_status_queries_are_answered() {
        let ask = |words: &[&str]| parse(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>()).unwrap();
        assert!(matches!(ask(&["--version"]), Invocation::Version));
        assert!(matches!(ask(&["auth", "status"]), Invocation::AuthStatus));
        assert!(matches!(ask(&["--help"]), Invocation::Help));
    }
}
