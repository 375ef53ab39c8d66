//! Detects the programs at a place, and copies this program to the place if needed.

use crate::{
    access::{PlaceAccess, Sharing},
    copy_program::{copy_program, is_copied},
    protocol::VERSION,
    verbs::{DESCRIBE, PLACE_VERB},
};
use bc_process::run::RunError;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time limit for the detection, including the connection and claude's `--version`.
const DESCRIBED_WITHIN: Duration = Duration::from_secs(60);

/// The programs and versions at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The version of the protocol between a link and this place.
    pub protocol: u32,
    /// The version of Beads Console at the place.
    pub version: String,
    /// Claude Code at the place, or the reason that it cannot be used.
    pub claude: Result<InstalledClaude, String>,
    pub simulated: bool,
}

/// A usable Claude Code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledClaude {
    pub program: String,
    /// The arguments that precede claude's own arguments.
    pub args: Vec<String>,
    pub version: String,
}

/// Why a place cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// The connection to the place failed.
    #[error("{said}")]
    Unreachable {
        /// The exit code; `None` after a signal or a timeout, or if the program did not run.
        code: Option<i32>,
        /// The text on standard error, or the reason that the program did not run.
        said: String,
    },
    /// The program at the place is missing, fails or gives no valid answer, or could not be copied to the place.
    #[error("{0}")]
    Program(String),
    /// The program at the place has an incompatible version.
    #[error("Beads Console {0} at the place does not fit this version")]
    OtherVersion(String),
}

/// The exit codes with which ssh, container engines and `pod-exec` report their own failures. Other exit codes
/// come from the command at the place.
const CONNECTION_FAILED: [i32; 2] = [255, 125];

/// Queries the programs at a place. If Beads Console is missing, fails or has another version at the place,
/// this program is copied to it, unless the user has chosen another program.
///
/// # Errors
/// Fails if the place cannot be reached, or has no usable Beads Console.
pub fn describe(place: &PlaceAccess) -> Result<Description, DescribeError> {
    match ask(place) {
        Err(unusable @ (DescribeError::Program(_) | DescribeError::OtherVersion(_))) if is_copied(place) => {
            tracing::info!(place = place.name, %unusable, "this program is copied to the place");
            copy_program(place).map_err(DescribeError::Program)?;
            ask(place)
        }
        described => described,
    }
}

fn ask(place: &PlaceAccess) -> Result<Description, DescribeError> {
    let program = place.prepare(Sharing::Alone, &[PLACE_VERB, DESCRIBE]).timeout(DESCRIBED_WITHIN);
    let failed = |error: RunError| DescribeError::Unreachable { code: None, said: error.to_string() };
    let done = program.run().map_err(failed)?;
    match done.code {
        Some(0) => {}
        Some(127) => {
            return Err(DescribeError::Program(format!("{} was not found at the place", place.program)));
        }
        Some(code) if !CONNECTION_FAILED.contains(&code) => {
            let said = bc_core::text::cut(&bc_core::text::one_line(&done.err()), 300);
            return Err(DescribeError::Program(format!("{} failed at the place: {said}", place.program)));
        }
        code => return Err(DescribeError::Unreachable { code, said: done.err() }),
    }
    // A login script may have printed other lines first.
    let line = done.out();
    let line = line.lines().rev().find(|line| line.starts_with('{')).unwrap_or_default();
    let found: Description = serde_json::from_str(line)
        .map_err(|_| DescribeError::Program(format!("{} gave no answer at the place", place.program)))?;
    match found.protocol == VERSION {
        true => Ok(found),
        false => Err(DescribeError::OtherVersion(found.version)),
    }
}
