//! Checks a place: the script `check.sh` runs at the place over one connection, and tries what a session needs.

use super::{
    access,
    check_lines::{self, Asked, Bd, CHECK, CLOCK, DONE, MAGIC},
    list,
};
use crate::ssh::{self, Connection, NoLine};
use bc_core::text::plain;
use bc_process::foreground::ForegroundError;
use bc_remote::{PlaceAccess, USERS_PATH};
use bc_wire::{
    ApiError, ErrorCode,
    place::{Place, PlaceCheck, PlaceClock, PlaceHas},
};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The script. It runs in any POSIX shell, so it also works at a place without Beads Console.
const SCRIPT: &str = include_str!("check.sh");
/// The time limit for one run of the script.
const TIMEOUT: Duration = Duration::from_secs(90);
/// How many times the place's time is requested; the most precise answer is used.
const CLOCK_QUESTIONS: usize = 4;
/// The version of Beads Console that the place must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checks the place with this name. Creates the place's folder if it is missing. If the program is missing,
/// fails or has another version, copies this program to the place, unless the user has chosen another
/// program. If the check started a container or pod, it is removed afterwards.
///
/// # Errors
/// The place does not exist, cannot be reached, cannot run its image, or does not answer in time, or the
/// local ssh or container program is missing.
pub fn check(name: &str) -> Result<PlaceCheck, ApiError> {
    let place = list::get(name)?;
    let access = access::of(place.clone());
    let _container = access::temporary(&access)?;
    let mut check = run(&place, &access)?;
    let program = check.parts.iter_mut().find(|part| part.what == PlaceHas::Program);
    if let Some(program) = program
        && !program.ok
        && bc_remote::is_copied(&access)
    {
        match bc_remote::copy_program(&access) {
            Ok(()) => return run(&place, &access),
            Err(why) => program.means = format!("{}; {}", program.means, plain(&why)),
        }
    }
    Ok(check)
}

fn run(place: &Place, access: &PlaceAccess) -> Result<PlaceCheck, ApiError> {
    let script = format!("{USERS_PATH}\n{SCRIPT}");
    let started = access.start_script(&script, &[&place.folder, &place.program]);
    let started = started.map_err(|error| match error {
        ForegroundError::NotFound { .. } => {
            ApiError::new(ErrorCode::ProgramMissing, plain(&error.to_string()))
        }
        other => ApiError::new(ErrorCode::Io, other.to_string()),
    })?;
    let mut asking = Asking {
        connection: Connection::over(started),
        deadline: Instant::now() + TIMEOUT,
        check: PlaceCheck { place: place.clone(), ok: false, parts: vec![], clock: None, free: None },
    };
    match asking.ask() {
        Ok(()) => Ok(asking.check),
        Err(NoLine::TimedOut) => Err(ApiError::new(
            ErrorCode::MachineUnreachable,
            format!("{} did not answer within {} seconds", place.kind.target(), TIMEOUT.as_secs()),
        )),
        Err(NoLine::Ended) => {
            let (code, said) = asking.connection.end();
            Err(ended(place, access, code, &said))
        }
    }
}

struct Asking {
    connection: Connection,
    deadline: Instant,
    check: PlaceCheck,
}

impl Asking {
    fn ask(&mut self) -> Result<(), NoLine> {
        while self.connection.line(self.deadline)? != MAGIC {}
        self.check.clock = self.ask_clock()?;
        self.connection.send(CHECK);
        let bd = if self.check.place.dolt_server.is_some() { Bd::Required } else { Bd::Unused };
        loop {
            let line = self.connection.line(self.deadline)?;
            if line == DONE {
                break;
            }
            let Some((part, free)) = check_lines::part(&line, VERSION, bd) else { continue };
            // If the place reports a part twice, the first report counts.
            if self.check.parts.iter().all(|known| known.what != part.what) {
                self.check.parts.push(part);
                self.check.free = self.check.free.or(free);
            }
        }
        // A part without a report counts as missing.
        let missing = self.check.parts.len() < PARTS;
        self.check.ok = !missing && self.check.parts.iter().all(|part| part.ok || !part.required);
        Ok(())
    }

    fn ask_clock(&mut self) -> Result<Option<PlaceClock>, NoLine> {
        let mut best: Option<PlaceClock> = None;
        for _ in 0..CLOCK_QUESTIONS {
            let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let asked = Instant::now();
            self.connection.send(CLOCK);
            let answer = self.connection.line(self.deadline)?;
            let answer = check_lines::clock(Asked { at, took: asked.elapsed() }, &answer);
            best = [best, answer].into_iter().flatten().min_by_key(|clock| clock.within_ms);
        }
        Ok(best)
    }
}

/// The number of parts that the script reports.
const PARTS: usize = 5;

fn ended(place: &Place, access: &PlaceAccess, code: Option<i32>, said: &str) -> ApiError {
    access::connection_failure(access, code, said).unwrap_or_else(|| {
        let text = plain(&ssh::last_line(said));
        let code = code.unwrap_or_default();
        ApiError::new(
            ErrorCode::MachineUnreachable,
            format!("the check on {} ended early with exit code {code}: {text}", place.kind.target()),
        )
        .hint("the place needs a POSIX shell")
    })
}
