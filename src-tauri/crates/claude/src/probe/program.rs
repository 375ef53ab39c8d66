//! Claude as a program for quick queries.

use super::launcher::Launcher;
use crate::paths::Env;
use bc_process::run::Program;
use std::time::Duration;

/// The time limit of a query. The first start after an update unpacks files; a normal start takes a tenth of a second.
const DEADLINE: Duration = Duration::from_secs(20);

/// Claude with the checked environment, for quick queries.
pub(super) fn program(launcher: &Launcher, env: &Env) -> Program {
    let program = Program::new(&launcher.program).args(&launcher.args).timeout(DEADLINE).cap(1 << 20);
    env.iter().fold(program, |program, (key, value)| program.env(key, value))
}
