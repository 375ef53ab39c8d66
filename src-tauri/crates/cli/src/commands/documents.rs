//! `completions` and `man`: text generated from the definition of the command line.

use super::context;
use crate::{
    args::{Args, CompletionsArgs, ManArgs},
    failure::Failure,
    io::Io,
};
use bc_app::Existing;
use bc_wire::{ApiError, ErrorCode};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use serde_json::json;
use std::{fs, path::Path};

const PROGRAM: &str = "beads-console";

pub(crate) fn completions(args: &CompletionsArgs, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), PROGRAM, &mut script);
    if args.shell == Shell::Bash {
        // clap_complete 4.6 spells a program name with a hyphen in two ways, which breaks the completion of
        // subcommands.
        let text = String::from_utf8_lossy(&script).replace("beads__subcmd__console", "beads__console");
        script = text.into_bytes();
    }
    print(&script, json, io)
}

pub(crate) fn man(args: &ManArgs, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    // `build` gives every subcommand its complete name, the global options and the version.
    let mut root = Args::command();
    root.build();
    match &args.dir {
        Some(dir) => {
            let files = write_all(&root, dir)?;
            context::print(&json!({ "files": files }), json, io, |_, _| {
                format!("{} man pages in {}\n", files.len(), bc_core::text::plain(&dir.to_string_lossy()))
            })
        }
        None => {
            let mut command = &root;
            for word in &args.words {
                command =
                    command.find_subcommand(word).filter(|sub| !sub.is_hide_set()).ok_or_else(|| {
                        let words = args.words.join(" ");
                        Failure::usage(format!("{PROGRAM} has no command `{words}`"))
                    })?;
            }
            print(&page(command)?, json, io)
        }
    }
}

/// Prints the text unchanged. It is this program's own text, so no control characters need to be removed.
fn print(text: &[u8], json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    match json {
        true => {
            let printed = json!({ "text": String::from_utf8_lossy(text) });
            context::print(&printed, true, io, |_, _| String::new())
        }
        false => Ok(io.out().write_all(text)?),
    }
}

/// The man page of a command, in roff.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let name = command.get_display_name().unwrap_or(PROGRAM).to_owned();
    let source = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
    let man = clap_mangen::Man::new(command.clone()).title(name).source(source).manual("Beads Console");
    man.render(&mut page)?;
    Ok(page)
}

/// Writes the page of every command and returns the paths.
fn write_all(root: &Command, dir: &Path) -> Result<Vec<String>, Failure> {
    fs::create_dir_all(dir).map_err(|e| {
        ApiError::new(ErrorCode::Io, format!("cannot create {}: {e}", dir.display()))
            .hint("give another folder with --dir")
    })?;
    let mut files = Vec::new();
    let mut waiting = vec![root];
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or(PROGRAM);
        let saved = bc_app::save_as(&dir.join(format!("{name}.1")), &page(command)?, Existing::Replace)?;
        files.push(saved.to_string_lossy().into_owned());
        waiting.extend(command.get_subcommands().filter(|sub| !sub.is_hide_set()));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::FakeUser;

    fn script(shell: Shell) -> String {
        let mut user = FakeUser::away();
        completions(&CompletionsArgs { shell }, false, &mut user).unwrap();
        user.printed()
    }

    fn man_page(words: &[&str]) -> Result<String, u8> {
        let mut user = FakeUser::away();
        let args = ManArgs { words: words.iter().map(|word| (*word).to_owned()).collect(), dir: None };
        let done = man(&args, false, &mut user);
        let printed = user.printed();
        done.map(|()| printed).map_err(|failure| failure.exit_code())
    }

    #[test]
    fn every_shell_completes_commands_and_options() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell);
            for word in ["session", "checkpoints", "objective", "beads-console"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn page_of_a_command_names_its_options_and_the_program() {
        let page = man_page(&["session", "start"]).unwrap();
        assert!(page.contains(".TH beads-console-session-start 1"), "{page}");
        assert!(page.contains("\\-\\-objective") && page.contains("\\-\\-json"), "{page}");
        let own = man_page(&[]).unwrap();
        assert!(own.contains("beads\\-console\\-session(1)") && own.contains("Exit codes"), "{own}");
        assert_eq!(man_page(&["session", "nonsense"]), Err(2));
    }

    #[test]
    fn all_pages_are_written_and_every_reference_leads_to_one() {
        let dir = tempfile::tempdir().unwrap();
        let pages = dir.path().join("share/man1");
        let args = ManArgs { words: Vec::new(), dir: Some(pages.clone()) };
        for _ in 0..2 {
            let mut user = FakeUser::away();
            man(&args, true, &mut user).unwrap();
            let files = serde_json::from_str::<serde_json::Value>(&user.printed()).unwrap()["files"].take();
            assert_eq!(files.as_array().unwrap().len(), fs::read_dir(&pages).unwrap().count());
        }
        for entry in fs::read_dir(&pages).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap().replace("\\-", "-");
            for reference in text.split_whitespace().filter_map(|word| word.strip_suffix("(1)")) {
                let reference = reference.trim_start_matches("\\fB").trim_end_matches("\\fR");
                assert!(pages.join(format!("{reference}.1")).is_file(), "{reference}");
            }
        }
    }

    #[test]
    fn folder_that_cannot_be_created_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        bc_app::save_as(&file, b"", Existing::Keep).unwrap();
        let args = ManArgs { words: Vec::new(), dir: Some(file.join("below")) };
        assert_eq!(man(&args, false, &mut FakeUser::away()).unwrap_err().exit_code(), 1);
    }
}
