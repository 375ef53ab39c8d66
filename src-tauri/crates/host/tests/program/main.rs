//! The program that the tests in `tests/live` start. It can be the host, the hook relay, a helper, an
//! attached terminal, or a fake claude with claude's hooks, transcript and terminal.

mod fake_claude;

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::Path,
    process::ExitCode,
    thread,
    time::Duration,
};

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
        ["claude", ..] => fake_claude::run(),
        ["errand"] => helper(),
        [bc_hooks::RUN_VERB] => bc_hooks::run_verb(),
        _ => ExitCode::from(2),
    }
}

/// Runs a helper request as configured by the test: records the request in `errands.jsonl` and answers with
/// the contents of `report.json`. A file called `hang`, `slow` or `fail` selects that behaviour.
fn helper() -> ExitCode {
    let text = io::read_to_string(io::stdin()).expect("the host writes a request");
    if Path::new("fail").exists() {
        eprintln!("the helper failed on purpose");
        return ExitCode::FAILURE;
    }
    let mut requests =
        OpenOptions::new().create(true).append(true).open("errands.jsonl").expect("the test's folder");
    requests.write_all(format!("{text}\n").as_bytes()).expect("a line");
    if Path::new("hang").exists() {
        thread::sleep(Duration::from_secs(600));
    }
    if Path::new("slow").exists() {
        thread::sleep(Duration::from_secs(1));
    }
    println!("{}", std::fs::read_to_string("report.json").unwrap_or_else(|_| "{\"version\":1}".to_owned()));
    ExitCode::SUCCESS
}

fn relay(event: &str, index: &str) -> ExitCode {
    let index = index.parse().expect("the index is a number");
    match bc_host::relay(event, index, io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
