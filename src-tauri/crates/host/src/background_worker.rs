//! A thread that runs the host's helper requests, one at a time, and detects commits in the session's working
//! tree, so that the actor waits for neither.

use crate::helper_request::{HelperReport, HelperRequest, HelperTask};
use bc_git::{Commit, HeadLog, Repo};
use std::{
    io,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// The maximum number of queued jobs. Further jobs are dropped. An agent's tool calls are too slow to reach
/// this limit.
const QUEUE_MAX: usize = 64;

pub(crate) enum Job {
    CheckCommits,
    /// Runs a helper request with this time limit.
    Run(Box<HelperRequest>, Duration),
}

#[derive(Debug)]
pub(crate) enum WorkerReply {
    /// The commits made since the last check.
    Commits(Vec<NewCommit>),
    /// The result of a helper request, or its error.
    Helper { task: HelperTask, outcome: Result<HelperReport, String> },
}

/// A commit and its changed files.
#[derive(Debug)]
pub(crate) struct NewCommit {
    pub(crate) commit: Commit,
    pub(crate) files: Vec<String>,
}

/// The actor's handle to the worker.
pub(crate) struct BackgroundWorker {
    jobs: SyncSender<Job>,
    /// The number of jobs without a reply.
    open: usize,
    checking: bool,
}

impl BackgroundWorker {
    /// Starts the thread, which calls `reply` until that returns false. Detects commits made from now on.
    pub(crate) fn start(
        program: PathBuf,
        cwd: PathBuf,
        reply: impl Fn(WorkerReply) -> bool + Send + 'static,
    ) -> io::Result<BackgroundWorker> {
        let (jobs, received) = sync_channel(QUEUE_MAX);
        thread::Builder::new()
            .name("worker".into())
            .spawn(move || work(&program, &cwd, &received, &reply))?;
        Ok(BackgroundWorker { jobs, open: 0, checking: false })
    }

    /// A worker without a thread, and the receiver of its jobs.
    #[cfg(test)]
    pub(crate) fn without_thread() -> (BackgroundWorker, Receiver<Job>) {
        let (jobs, received) = sync_channel(QUEUE_MAX);
        (BackgroundWorker { jobs, open: 0, checking: false }, received)
    }

    /// Queues a check for commits, unless one is already queued or running.
    pub(crate) fn check_commits(&mut self) {
        if !self.checking {
            self.checking = self.submit(Job::CheckCommits);
        }
    }

    /// Queues a helper request and returns whether it was accepted.
    pub(crate) fn run(&mut self, request: HelperRequest, timeout: Duration) -> bool {
        self.submit(Job::Run(Box::new(request), timeout))
    }

    fn submit(&mut self, job: Job) -> bool {
        let accepted = self.jobs.try_send(job).is_ok();
        self.open += usize::from(accepted);
        accepted
    }

    /// Counts a finished job.
    pub(crate) fn on_reply(&mut self, reply: &WorkerReply) {
        self.open = self.open.saturating_sub(1);
        self.checking &= !matches!(reply, WorkerReply::Commits(_));
    }

    /// Whether all jobs have been answered.
    pub(crate) fn is_idle(&self) -> bool {
        self.open == 0
    }
}

fn work(program: &Path, cwd: &Path, jobs: &Receiver<Job>, report: &impl Fn(WorkerReply) -> bool) {
    // Outside a repository, no commits are detected.
    let mut log = Repo::discover(cwd).and_then(HeadLog::begin).ok();
    for job in jobs {
        let reply = match job {
            Job::CheckCommits => WorkerReply::Commits(log.as_mut().map(new_commits).unwrap_or_default()),
            Job::Run(request, timeout) => {
                let outcome = request.run(program, timeout).map_err(|error| chain(&error));
                WorkerReply::Helper { task: request.task, outcome }
            }
        };
        if !report(reply) {
            return;
        }
    }
}

fn new_commits(log: &mut HeadLog) -> Vec<NewCommit> {
    // If git fails, the next check tries again.
    let commits = log.made().unwrap_or_default();
    let files = |commit: &Commit| log.files_of(&commit.hash).unwrap_or_default();
    commits.into_iter().map(|commit| NewCommit { files: files(&commit), commit }).collect()
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
