//! What is this process's own in the environment. A program of its own, for it holds for the whole process.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bc_process::{own_env, run::Program};

/// Cargo gives it to every test.
const NAME: &str = "CARGO_PKG_NAME";

#[test]
fn a_program_does_not_get_what_is_our_own_unless_it_is_given_it() {
    let printed = |program: Program| program.run().unwrap().out().to_owned();
    let line = format!("{NAME}=bc-process");
    assert!(printed(Program::new("env")).lines().any(|printed| printed == line), "it is inherited");

    own_env::keep(vec![NAME]);
    assert!(!printed(Program::new("env")).contains(NAME));
    let given = printed(Program::new("env").env(NAME, "given"));
    assert!(given.lines().any(|printed| printed == format!("{NAME}=given")), "{given}");
}
