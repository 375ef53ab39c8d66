//! Runs a user's long-running command that is not a hook, such as a worktree's setup command. Its output goes
//! to a log file as it arrives. The command has a time limit, and all its processes are ended with it.

use crate::reaper::Order;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum length of the output shown in an error, in characters.
const OUTPUT_SHOWN: usize = 2_000;

/// A user's command, which runs without a shell.
#[derive(Debug, Clone)]
pub struct LoggedCommand<'a> {
    /// The program, followed by its arguments.
    pub words: &'a [String],
    /// The working folder.
    pub cwd: &'a Path,
    /// The changes to the environment. `None` removes the variable.
    pub env: Vec<(String, Option<String>)>,
    /// The time limit, at which the command is ended.
    pub timeout: Duration,
    /// The path of the log file, in an existing folder.
    pub log: &'a Path,
}

/// How the command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedEnd {
    /// The command ended with exit code 0, or it has no words.
    Done,
    /// The command ended with another exit code; `None` if a signal ended it.
    Failed(Option<i32>),
    /// The command exceeded its time limit and was ended.
    TimedOut,
    NotStarted(String),
}

impl LoggedCommand<'_> {
    /// Runs the command under a reaper until it exits or exceeds its time limit. `console` is the path of
    /// this program, which contains the reaper.
    pub fn run(&self, console: &Path) -> LoggedEnd {
        let Some((program, args)) = self.words.split_first() else { return LoggedEnd::Done };
        // A relative program path is resolved in the command's working folder.
        let program = match Path::new(program).components().count() {
            0 | 1 => PathBuf::from(program),
            _ => self.cwd.join(program),
        };
        let order = Order {
            program,
            args: args.to_vec(),
            env: self.env.clone(),
            cwd: self.cwd.to_owned(),
            stdin: String::new(),
            timeout_ms: u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX),
            log: Some(self.log.to_owned()),
        };
        match order.run(console) {
            Err(error) => LoggedEnd::NotStarted(error),
            Ok(ran) => match (ran.error, ran.timed_out, ran.code) {
                (Some(error), _, _) => LoggedEnd::NotStarted(error),
                (None, true, _) => LoggedEnd::TimedOut,
                (None, false, Some(0)) => LoggedEnd::Done,
                (None, false, code) => LoggedEnd::Failed(code),
            },
        }
    }

    /// Why the command failed, with the last lines of its output; `None` if it did not fail.
    pub fn failure(&self, end: &LoggedEnd) -> Option<String> {
        let minutes = self.timeout.as_secs() / 60;
        let how = match end {
            LoggedEnd::Done => return None,
            LoggedEnd::Failed(Some(code)) => format!("it ended with exit code {code}"),
            LoggedEnd::Failed(None) => "a signal ended it".to_owned(),
            LoggedEnd::TimedOut => format!("it exceeded its limit of {minutes} minutes and was stopped"),
            LoggedEnd::NotStarted(why) => format!("it could not be started: {why}"),
        };
        Some(match tail(self.log, OUTPUT_SHOWN) {
            output if output.is_empty() => format!("{how}. It had no output."),
            output => format!("{how}. Its last lines:\n{output}"),
        })
    }
}

/// The last `most` characters of a log as plain text, for error messages. Empty if the log cannot be read.
pub fn tail(log: &Path, most: usize) -> String {
    use std::io::{Read, Seek, SeekFrom};
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = std::fs::File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(4 * most as u64)))?;
        let mut bytes = Vec::new();
        file.take(4 * most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let text = String::from_utf8_lossy(&read().unwrap_or_default()).into_owned();
    let text = bc_core::text::plain(&text).trim().to_owned();
    let skipped = text.chars().count().saturating_sub(most);
    text.chars().skip(skipped).collect()
}
