//! The clerk: the thread that runs a host's errands, one at a time, and watches its working tree for
//! commits. The owner waits for neither.

use crate::{
    errand::{Errand, Report, Wanted},
    owner::Input,
};
use bc_git::{Commit, HeadLog, Repo};
use std::{
    io,
    path::PathBuf,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// How many jobs may wait. They come as fast as an agent calls tools, and are done as fast.
const WAITING_MAX: usize = 64;

/// What is to be done.
enum Job {
    /// Look whether commits were made.
    LookAtHead,
    /// Run this, within a time.
    Run(Box<Errand>, Duration),
}

/// What the owner is told: one word for each job.
#[derive(Debug)]
pub(crate) enum Word {
    /// These commits were made since the last look.
    Commits(Vec<MadeHere>),
    /// What came of an errand, or why nothing did.
    Report { wanted: Wanted, outcome: Result<Report, String> },
}

/// A commit, and what it changed.
#[derive(Debug)]
pub(crate) struct MadeHere {
    pub(crate) commit: Commit,
    pub(crate) files: Vec<String>,
}

/// The owner's end.
pub(crate) struct Clerk {
    jobs: SyncSender<Job>,
    /// Jobs whose word has not come.
    open: usize,
    looking: bool,
}

impl Clerk {
    /// Starts the thread; the working tree is watched from now on.
    pub(crate) fn start(program: PathBuf, cwd: PathBuf, inbox: SyncSender<Input>) -> io::Result<Clerk> {
        let (jobs, received) = sync_channel(WAITING_MAX);
        thread::Builder::new().name("clerk".into()).spawn(move || work(&program, &cwd, &received, &inbox))?;
        Ok(Clerk { jobs, open: 0, looking: false })
    }

    /// Lets it look for commits, unless it is about to.
    pub(crate) fn look_at_head(&mut self) {
        if !self.looking {
            self.looking = self.give(Job::LookAtHead);
        }
    }

    /// Gives it an errand; whether it took it.
    pub(crate) fn run(&mut self, errand: Errand, within: Duration) -> bool {
        self.give(Job::Run(Box::new(errand), within))
    }

    fn give(&mut self, job: Job) -> bool {
        let taken = self.jobs.try_send(job).is_ok();
        self.open += usize::from(taken);
        taken
    }

    /// The word of a job has come.
    pub(crate) fn heard(&mut self, word: &Word) {
        self.open = self.open.saturating_sub(1);
        self.looking &= !matches!(word, Word::Commits(_));
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.open == 0
    }
}

fn work(program: &std::path::Path, cwd: &std::path::Path, jobs: &Receiver<Job>, inbox: &SyncSender<Input>) {
    // Without a repository there are no commits.
    let mut log = Repo::discover(cwd).and_then(HeadLog::begin).ok();
    for job in jobs {
        let word = match job {
            Job::LookAtHead => Word::Commits(log.as_mut().map(made).unwrap_or_default()),
            Job::Run(errand, within) => {
                let outcome = errand.run(program, within).map_err(|error| chain(&error));
                Word::Report { wanted: errand.wanted, outcome }
            }
        };
        if inbox.send(Input::Clerk(word)).is_err() {
            return;
        }
    }
}

fn made(log: &mut HeadLog) -> Vec<MadeHere> {
    // A git that fails now is asked again with the next tool call.
    let commits = log.made().unwrap_or_default();
    let files = |commit: &Commit| log.files_of(&commit.hash).unwrap_or_default();
    commits.into_iter().map(|commit| MadeHere { files: files(&commit), commit }).collect()
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
