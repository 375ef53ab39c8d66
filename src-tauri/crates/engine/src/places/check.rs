//! Checks a place over one ssh connection: the script `check.sh` does there what a session needs.

use super::{
    check_lines::{self, Asked, CHECK, CLOCK, DONE, MAGIC},
    list,
};
use crate::ssh::{self, Connection, MachineAddress, NoLine};
use bc_core::text::plain;
use bc_wire::{
    ApiError, ErrorCode,
    place::{PlaceCheck, PlaceClock},
};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The script, for any POSIX shell: it also reports a place without Beads Console.
const SCRIPT: &str = include_str!("check.sh");
/// The time limit of the whole check.
const TIMEOUT: Duration = Duration::from_secs(90);
/// How often the place is asked for its time. The fastest answer counts.
const CLOCK_QUESTIONS: usize = 4;
/// The version that the place must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checks the place with this name. Creates its folder there if it is missing.
///
/// # Errors
/// There is no such place, the machine cannot be reached, or it does not answer in time.
pub fn check(name: &str) -> Result<PlaceCheck, ApiError> {
    let place = list::get(name)?;
    let machine: MachineAddress =
        place.host.parse().map_err(|bad: ssh::NoAddress| ApiError::new(ErrorCode::Usage, bad.to_string()))?;
    let script = format!("{}\n{SCRIPT}", ssh::USERS_PATH);
    let line = ssh::script_line(&script, &[&place.folder, &place.program]);
    let mut place = Asking {
        connection: Connection::open(&machine, line)?,
        machine,
        deadline: Instant::now() + TIMEOUT,
        check: PlaceCheck { place, ok: false, parts: vec![], clock: None, free: None },
    };
    match place.ask() {
        Ok(()) => Ok(place.check),
        Err(NoLine::TimedOut) => Err(ApiError::new(
            ErrorCode::MachineUnreachable,
            format!("{} did not answer within {} seconds", place.machine.as_str(), TIMEOUT.as_secs()),
        )),
        Err(NoLine::Ended) => {
            let Asking { connection, machine, .. } = place;
            let (code, said) = connection.end();
            Err(ended(&machine, code, &said))
        }
    }
}

struct Asking {
    machine: MachineAddress,
    connection: Connection,
    deadline: Instant,
    check: PlaceCheck,
}

impl Asking {
    fn ask(&mut self) -> Result<(), NoLine> {
        while self.connection.line(self.deadline)? != MAGIC {}
        self.check.clock = self.ask_clock()?;
        self.connection.send(CHECK);
        loop {
            let line = self.connection.line(self.deadline)?;
            if line == DONE {
                break;
            }
            let Some((part, free)) = check_lines::part(&line, VERSION) else { continue };
            // The first answer counts.
            if self.check.parts.iter().all(|known| known.what != part.what) {
                self.check.parts.push(part);
                self.check.free = self.check.free.or(free);
            }
        }
        // A place that skips a part does not have it.
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

fn ended(machine: &MachineAddress, code: Option<i32>, said: &str) -> ApiError {
    match ssh::failure(machine, code, said) {
        Some(failure) => failure.into_error(),
        None => {
            let name = machine.as_str();
            let text = plain(&ssh::last_line(said));
            let code = code.unwrap_or_default();
            ApiError::new(
                ErrorCode::MachineUnreachable,
                format!("the check on {name} ended early with exit code {code}: {text}"),
            )
            .hint(format!("check that `ssh {name} true` works and needs a POSIX shell there"))
        }
    }
}
