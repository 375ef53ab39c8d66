//! A command of the person's own that is no hook and may take its time: its output goes to a log as it comes,
//! it has a deadline, and nothing that it starts outlives it.

use crate::warden::Order;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The command, as words: there is no shell.
#[derive(Debug, Clone)]
pub struct Logged<'a> {
    /// The program and its arguments.
    pub words: &'a [String],
    /// Where it runs.
    pub cwd: &'a Path,
    /// Changes to the environment: set, or `None` to remove.
    pub env: Vec<(String, Option<String>)>,
    /// Its time.
    pub timeout: Duration,
    /// Where its output goes; the folder has to be there.
    pub log: &'a Path,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedEnd {
    /// With exit code 0.
    Done,
    /// With another one, or (`None`) by a signal.
    Failed(Option<i32>),
    /// It was ended at its deadline.
    TimedOut,
    /// It could not be started, and why.
    NotStarted(String),
}

impl Logged<'_> {
    /// Runs it to its end. `console` is our program, which it runs under.
    pub fn run(&self, console: &Path) -> LoggedEnd {
        let Some((program, args)) = self.words.split_first() else { return LoggedEnd::Done };
        // A program named by a path is looked for where the command runs.
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
}

/// The last lines of a log, at most so many characters: what a failure is told with.
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
