//! Serves one link on standard input and output until the link or the session ends. The session does not
//! depend on the link.

use super::{
    folders::ProjectFolders,
    follow::{self, FollowInput},
    home_requests,
    link_output::answer,
    sent_record::SentRecord,
    start::{self, StartFailure},
};
use crate::{
    pipe,
    protocol::{FromPlace, Hello, ToPlace, VERSION},
};
use bc_host::FailedPart;
use std::{
    io::{self, BufReader},
    sync::mpsc::sync_channel,
    thread,
};

/// The capacity of the queue of requests from the link.
const REQUESTS_MAX: usize = 16;

pub(super) fn serve() -> Result<(), String> {
    let mut input = BufReader::new(io::stdin());
    let mut out = io::stdout();
    let first = pipe::receive(&mut input).map_err(|error| error.to_string())?;
    let ToPlace::Hello(hello) = first else { return Err("the first message is not a hello".to_owned()) };
    if hello.version != VERSION {
        let version = env!("CARGO_PKG_VERSION");
        let reason = format!("Beads Console {version} at the place does not fit the version on your machine");
        return answer(&mut out, &failed(reason));
    }
    let folders = match ready(&hello) {
        Ok(folders) => folders,
        Err(reason) => return answer(&mut out, &failed(reason)),
    };
    let mut sent = Some(SentRecord::new(&folders, hello.session)?);
    let has_session = folders.session(hello.session).is_some();
    answer(&mut out, &FromPlace::Hello { version: VERSION, has_session })?;
    loop {
        // The link has exited or its connection has closed.
        let Ok(request) = pipe::receive(&mut input) else { return Ok(()) };
        match request {
            ToPlace::Hello(_) | ToPlace::Status | ToPlace::Answer { .. } => {}
            ToPlace::Lines { log, text } => {
                if let Some(Err(reason)) = sent.as_mut().map(|sent| sent.append(log, &text)) {
                    return answer(&mut out, &failed(reason));
                }
            }
            ToPlace::Start { mut run, now } => {
                run.spec.clock_ahead_ms = bc_host::measure_clock_ahead(now).num_milliseconds();
                let Some(record) = sent.take() else {
                    return answer(&mut out, &failed("the session was started already".to_owned()));
                };
                match start::start(&folders, &hello.branch, *run, record) {
                    Ok(()) => answer(&mut out, &FromPlace::Started)?,
                    Err(StartFailure { reason, part }) => {
                        return answer(&mut out, &FromPlace::Failed { reason, part });
                    }
                }
            }
            ToPlace::Follow { have, now } => {
                bc_host::set_clock_ahead(bc_host::measure_clock_ahead(now));
                let (sender, received) = sync_channel(REQUESTS_MAX);
                let requests = sender.clone();
                thread::spawn(move || {
                    while let Ok(request) = pipe::receive(&mut input) {
                        let forwarded = match request {
                            ToPlace::Status => requests.send(FollowInput::StatusAsked),
                            ToPlace::Answer { number, answer } => {
                                requests.send(FollowInput::Answered(number, answer))
                            }
                            ToPlace::Hello(_)
                            | ToPlace::Lines { .. }
                            | ToPlace::Start { .. }
                            | ToPlace::Follow { .. } => Ok(()),
                        };
                        if forwarded.is_err() {
                            return;
                        }
                    }
                    let _ = requests.send(FollowInput::LinkEnded);
                });
                return follow::follow(&folders, hello.session, &have, sender, &received, &mut out);
            }
        }
    }
}

/// Creates the project's folders and its repository, so that the link can push.
fn ready(hello: &Hello) -> Result<ProjectFolders, String> {
    let folders = ProjectFolders::of(&hello.folder, &hello.project)?;
    bc_store::file::create_dir(folders.root()).map_err(|error| error.to_string())?;
    home_requests::mark(folders.root())?;
    folders.repository()?;
    Ok(folders)
}

fn failed(reason: String) -> FromPlace {
    FromPlace::Failed { reason, part: FailedPart::Host }
}
