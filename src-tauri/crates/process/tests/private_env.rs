//! Private environment variables. This test is a separate program, because the setting applies to the whole
//! process.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bc_process::{piped, private_env, run::Program};
use std::io::Read;

/// A variable that Cargo sets for every test.
const NAME: &str = "CARGO_PKG_NAME";

#[test]
fn private_variables_are_not_inherited_unless_set_explicitly() {
    let printed = |program: Program| program.run().unwrap().out().to_owned();
    let line = format!("{NAME}=bc-process");
    assert!(
        printed(Program::new("env")).lines().any(|printed| printed == line),
        "the variable was not inherited"
    );

    private_env::hide_from_children(vec![NAME]);
    assert!(!printed(Program::new("env")).contains(NAME));
    let mut with_pipes = piped::start("env".as_ref(), [], &[]).unwrap();
    let mut seen = String::new();
    with_pipes.stdout.read_to_string(&mut seen).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains(NAME), "{seen}");
    let explicit = printed(Program::new("env").env(NAME, "given"));
    assert!(explicit.lines().any(|printed| printed == format!("{NAME}=given")), "{explicit}");
}
