//! The runtime at the start of an AppImage file, which is followed by a squashfs with the program. The
//! runtime unpacks the program into the user's cache, once per version, and runs its `AppRun`.
//!
//! Other runtimes mount the squashfs while the window runs. This runtime does not, because session hosts and
//! claude's hooks run from the program's folder and outlive the window. Unpacking also does not need FUSE.

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
    eprintln!("an AppImage runs only on Linux");
    std::process::ExitCode::FAILURE
}
