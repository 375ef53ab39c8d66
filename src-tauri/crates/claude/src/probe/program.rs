//! Runs claude for quick queries, such as its version.

use super::launcher::Launcher;
use crate::paths::Env;
use bc_process::run::Program;
use std::time::Duration;

/// The time limit for a query. A start normally takes a tenth of this time, but the first start after an
/// update unpacks files.
const DEADLINE: Duration = Duration::from_secs(20);

pub(super) fn program(launcher: &Launcher, env: &Env) -> Program {
    let program = Program::new(&launcher.program).args(&launcher.args).timeout(DEADLINE).cap(1 << 20);
    env.iter().fold(program, |program, (key, value)| program.env(key, value))
}
