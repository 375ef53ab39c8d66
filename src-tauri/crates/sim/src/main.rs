//! The simulated agent. It replaces Claude Code on machines without Claude Code, and in load and fault tests.
//!
//! It has claude's command line, hooks, transcript and a real terminal screen. It executes the markers in a
//! prompt, or a small built-in plan. It uses no model, states this on every screen, and opens no network
//! connection.
//!
//! The main threads are the screen's ([`app`]), the agent's ([`agent_thread`]), the thread that reads keys,
//! and one thread for each running hook.

mod agent;
mod agent_thread;
mod app;
mod args;
mod command_end;
mod events;
mod hooks;
mod input_box;
mod interrupt;
mod keys;
mod os;
mod permission;
mod plan;
mod settings;
mod shared;
mod tools;
mod transcript;
mod turn;
mod view;

use args::{Invocation, VERSION};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    match args::parse(&args) {
        Ok(Invocation::Version) => println!("{VERSION}"),
        Ok(Invocation::Help) => println!("{VERSION}\n\n{}", args::USAGE),
        Ok(Invocation::AuthStatus) => println!("{{\"loggedIn\": true, \"authMethod\": \"simulated\"}}"),
        Ok(Invocation::Run(options)) => return app::run(*options),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
