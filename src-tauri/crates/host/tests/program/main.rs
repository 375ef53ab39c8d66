//! What the tests in `tests/live` start as a process: the host, the hook relay, an attached terminal,
//! and a stand-in for claude that speaks hooks, transcript and terminal as claude does.

mod stand_in;

use std::{io, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["host"] => bc_host::run_host(),
        ["hook", event] => relay(event, "0"),
        ["hook", event, index] => relay(event, index),
        ["attach", socket] => match bc_host::attach(Path::new(socket)) {
            Ok(end) => {
                println!("{end:?}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        ["claude", ..] => stand_in::run(),
        _ => ExitCode::from(2),
    }
}

fn relay(event: &str, index: &str) -> ExitCode {
    let index = index.parse().expect("the index is a number");
    match bc_host::relay(event, index, io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
