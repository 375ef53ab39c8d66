//! The first part of an AppImage file; the second is a squashfs with the program. It unpacks the program into the user's
//! cache, once per version, and runs `AppRun` there.
//!
//! It does not mount the file, as other runtimes do: session hosts and claude's hooks run from the program's folder and
//! outlive the window, but a mount ends with it. So it needs no FUSE either.

#[cfg(target_os = "linux")]
mod cache;
#[cfg(target_os = "linux")]
mod payload;
#[cfg(target_os = "linux")]
mod run;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    run::run()
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!("an AppImage runs on Linux only");
    std::process::ExitCode::FAILURE
}
