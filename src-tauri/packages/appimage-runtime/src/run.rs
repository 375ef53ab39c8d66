//! The AppImage's own options, and the start of the program.

use crate::{cache, payload::Payload};
use std::{
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

const HELP: &str = "\
Options of this AppImage:
  --appimage-extract    unpack into the folder squashfs-root
  --appimage-offset     print where the squashfs begins
  --appimage-version    print the version of this runtime
  --appimage-help       print this text
All other arguments go to the program. It is unpacked once into the folder
beads-console/appimage of your cache (XDG_CACHE_HOME or ~/.cache).";

/// The action that the first argument selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    Extract,
    Offset,
    Version,
    Help,
    Unknown,
    /// Run the program with all arguments.
    Program,
}

pub(crate) fn run() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match perform(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("beads-console AppImage: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(args: &[OsString]) -> Result<ExitCode, String> {
    match request(args) {
        Request::Help => println!("{HELP}"),
        Request::Version => println!("{}", env!("CARGO_PKG_VERSION")),
        Request::Unknown => return Err(format!("unknown option\n{HELP}")),
        Request::Offset => println!("{}", payload()?.offset()),
        Request::Extract => {
            let folder = Path::new("squashfs-root");
            payload()?.unpack(folder).map_err(|e| could_not("unpack into", folder, &e))?;
            println!("{}", folder.display());
        }
        Request::Program => return Err(start(args)?),
    }
    Ok(ExitCode::SUCCESS)
}

fn request(args: &[OsString]) -> Request {
    match args.first().and_then(|arg| arg.to_str()) {
        Some("--appimage-extract") => Request::Extract,
        Some("--appimage-offset") => Request::Offset,
        Some("--appimage-version") => Request::Version,
        Some("--appimage-help") => Request::Help,
        Some(other) if other.starts_with("--appimage-") => Request::Unknown,
        _ => Request::Program,
    }
}

fn payload() -> Result<Payload, String> {
    let file = Path::new("/proc/self/exe");
    Payload::open(file).map_err(|e| could_not("read", file, &e))
}

/// Unpacks the program if necessary, and replaces this process with it. Returns only on a failure, with the
/// reason.
fn start(args: &[OsString]) -> Result<String, String> {
    let payload = payload()?;
    let caches = cache::folder().ok_or("no folder to unpack into: set XDG_CACHE_HOME or HOME")?;
    let folder = cache::unpacked(&caches, &payload).map_err(|e| could_not("unpack into", &caches, &e))?;
    let file = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let program = folder.join("AppRun");
    let mut command = program_at(&program);
    command.args(args).env("APPIMAGE", file).env("APPDIR", &folder);
    if let Some(name) = std::env::args_os().next() {
        command.env("ARGV0", name);
    }
    if let Ok(current) = std::env::current_dir() {
        command.env("OWD", current);
    }
    Ok(could_not("run", &program, &command.exec()))
}

/// Creates a command without bc-process, because the program replaces this process and is not its child.
#[allow(clippy::disallowed_methods)]
fn program_at(path: &PathBuf) -> Command {
    Command::new(path)
}

fn could_not(action: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {action} {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_first_argument_is_for_the_appimage() {
        let of = |line: &str| request(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(""), Request::Program);
        assert_eq!(of("serve --port 80"), Request::Program);
        assert_eq!(of("serve --appimage-extract"), Request::Program);
        assert_eq!(of("--appimage-extract"), Request::Extract);
        assert_eq!(of("--appimage-offset"), Request::Offset);
        assert_eq!(of("--appimage-mount"), Request::Unknown);
    }
}
