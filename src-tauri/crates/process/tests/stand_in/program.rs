//! A program that reads, prints, waits or fails, depending on its first argument. Unlike `cat` or `sleep`, it
//! exists on every operating system. Only the tests in tests/run.rs use it.

use std::{
    io::{self, Read, Write},
    process::{Command, ExitCode, Stdio},
};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["copy"] => copy(),
        ["end"] => Ok(()),
        ["hold"] => loop {
            std::thread::park();
        },
        ["zeros", count] => zeros(io::stdout(), count),
        ["errors-and-copy", count] => zeros(io::stderr(), count).and_then(|()| copy()),
        ["print", texts @ ..] => print(texts),
        ["leave-child"] => leave_child(),
        _ => Err(io::Error::other("unknown arguments")),
    };
    match done {
        Ok(()) if words.first() == Some(&"errors-and-copy") => ExitCode::from(3),
        Ok(()) => ExitCode::SUCCESS,
        // An error is expected, because the reader may have closed its end of the pipe.
        Err(_) => ExitCode::from(9),
    }
}

fn copy() -> io::Result<()> {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    io::stdout().write_all(&input)?;
    io::stdout().flush()
}

fn zeros(mut to: impl Write, count: &str) -> io::Result<()> {
    to.write_all(&vec![0; count.parse().unwrap_or(0)])?;
    to.flush()
}

/// Prints one line per text. The second text goes to standard error, all others to standard output.
fn print(texts: &[&str]) -> io::Result<()> {
    for (n, text) in texts.iter().enumerate() {
        match n {
            1 => writeln!(io::stderr(), "{text}")?,
            _ => writeln!(io::stdout(), "{text}")?,
        }
        io::stdout().flush()?;
    }
    Ok(())
}

/// Exits while a child process still holds the output pipes open.
#[allow(clippy::disallowed_methods, reason = "the library under test must not start this child")]
#[allow(clippy::zombie_processes, reason = "the test ends it")]
fn leave_child() -> io::Result<()> {
    Command::new(std::env::current_exe()?).arg("hold").stdin(Stdio::null()).spawn()?;
    print(&["there"])
}
