//! Checks text values that start with `-`. If such values are allowed, clap also accepts a misspelled option
//! as the value, and the next option if the value is missing. This check reports both as errors.

use clap::{Arg, Command, error::ErrorKind};
use std::ffi::OsString;

/// Rejects values that look like options. Every word after `--` is text.
pub(super) fn check(mut root: Command, words: &[OsString]) -> Result<(), clap::Error> {
    let words = words.iter().skip(1).take_while(|word| *word != "--");
    let words: Vec<&str> = words.map(|word| word.to_str().unwrap_or_default()).collect();
    if !words.iter().any(|word| looks_like_an_option(word)) {
        return Ok(());
    }
    root.build();
    let mut command = &root;
    for (at, word) in words.iter().enumerate() {
        let is_value = at > 0 && words[at - 1] == "--project";
        command = command.find_subcommand(word).filter(|_| !is_value).unwrap_or(command);
    }
    // An argument of several words, such as a command to run, can contain that command's options.
    if command
        .get_positionals()
        .any(|arg| takes_text(arg) && arg.get_num_args().is_some_and(|n| n.max_values() > 1))
    {
        return Ok(());
    }
    let option = |word: &str| command.get_arguments().find(|arg| is_called(arg, word));
    let mut before = "";
    for word in words {
        if looks_like_an_option(word) {
            if option(before).is_some_and(takes_text) {
                let text = format!(
                    "a value is required for '{before}', but '{word}' is an option; to pass it as text, write '{before}={word}'"
                );
                return Err(root.clone().error(ErrorKind::InvalidValue, text));
            }
            if word.starts_with("--") && option(word).is_none() {
                let text =
                    format!("unexpected argument '{word}' found; to pass it as text, put it after '--'");
                return Err(root.clone().error(ErrorKind::UnknownArgument, text));
            }
        }
        before = word;
    }
    Ok(())
}

fn takes_text(arg: &Arg) -> bool {
    arg.get_action().takes_values() && arg.is_allow_hyphen_values_set()
}

fn is_called(arg: &Arg, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => {
            arg.get_long() == Some(long)
                || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&long))
        }
        None => word
            .strip_prefix('-')
            .is_some_and(|short| arg.get_short().is_some_and(|c| short == c.to_string())),
    }
}

/// Whether a word has the form `--word` or `-w`.
fn looks_like_an_option(word: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    match word.strip_prefix("--") {
        Some(name) => is_name(name),
        None => word.strip_prefix('-').is_some_and(|name| name.len() == 1 && is_name(name)),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::{Args, BeadCommand, Command, SessionCommand, Text, parse};
    use std::ffi::OsString;

    fn words(line: &[&str]) -> Vec<OsString> {
        std::iter::once("beads-console").chain(line.iter().copied()).map(OsString::from).collect()
    }

    #[track_caller]
    fn parsed(line: &[&str]) -> Args {
        parse(&words(line)).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    #[test]
    fn text_values_may_start_with_a_hyphen() {
        let list = "- [ ] first\n- [ ] second";
        for line in [
            &["bead", "create", list, "-d", list, "--acceptance", list, "--json"][..],
            &["bead", "comment", "a-1", list],
            &["bead", "close", "a-1", "--reason", list],
            &["session", "send", "3f25", list, "--json"],
            &["session", "start", "--title", list, "--objective", list, "--prompt", list],
            &["session", "resume", "3f25", "--prompt", list],
            &["session", "end", "3f25", "--log", list, "--review"],
            &["session", "permission", "3f25", "1", "--deny", "--message", list],
            &["session", "search", "--file", list],
            &["remember", list, "--key", "k"],
            &["fleet", "broadcast", list],
        ] {
            let shown = format!("{:?}", parsed(line));
            let expected = line.iter().filter(|word| **word == list).count();
            assert_eq!(shown.matches("- [ ] first").count(), expected, "{shown}");
        }
    }

    #[test]
    fn dash_and_double_dash_keep_their_meaning() {
        let Command::Bead(args) = parsed(&["bead", "comment", "a-1", "-", "--actor", "al"]).command else {
            panic!()
        };
        let BeadCommand::Comment { text, by, .. } = args.command else { panic!() };
        assert_eq!((text, by.actor.as_deref()), (Text::Stdin, Some("al")));
        let Command::Session { command } = parsed(&["session", "send", "3f25", "--", "--json"]).command
        else {
            panic!()
        };
        let SessionCommand::Send { text, .. } = command else { panic!() };
        assert_eq!(text, Text::Given("--json".to_owned()));
        let Command::Bead(args) = parsed(&["bead", "create", "T", "--acceptance=--type"]).command else {
            panic!()
        };
        let BeadCommand::Create(args) = args.command else { panic!() };
        assert_eq!(args.fields.acceptance.as_deref(), Some("--type"));
    }

    #[test]
    fn options_are_never_parsed_as_text() {
        for (line, expect) in [
            (&["bead", "create", "T", "--acceptance", "--json"][..], "--acceptance"),
            (&["bead", "create", "T", "-d", "--acceptance"], "-d"),
            (&["bead", "create", "T", "--description", "-d"], "--description"),
            (&["session", "send", "3f25", "--jsno"], "--jsno"),
            (&["remember", "--frm"], "--frm"),
            (&["--project", "bead", "bead", "comment", "a-1", "--actr"], "--actr"),
        ] {
            let error = parse(&words(line)).map(|args| format!("{args:?}")).unwrap_err();
            assert!(error.to_string().contains(expect), "{line:?}: {error}");
        }
        parsed(&["fleet", "settings", "check", "cargo", "test", "--workspace"]);
        parsed(&["--project", "-odd", "bead", "list"]);
    }
}
