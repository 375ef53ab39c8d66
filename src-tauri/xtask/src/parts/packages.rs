//! Provides required system packages, such as git and a C compiler. On Debian and its derivatives, xtask
//! offers to install them. (The compiler check is for bd; xtask itself could not have been linked without a
//! compiler.)

use crate::{
    command::{Step, which},
    error::XtaskError,
};
use std::io::{BufRead, IsTerminal, Write};

/// A required program, and the Debian packages that provide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Need {
    program: &'static str,
    packages: &'static [&'static str],
}

const NEEDS: &[Need] = &[
    Need { program: "git", packages: &["git"] },
    // The compiler links Rust programs and compiles bd's C parts. The package gcc does not include the C
    // headers.
    Need { program: "cc", packages: &["gcc", "libc6-dev"] },
];

/// The build dependencies of the desktop window: each module of pkg-config, with its Debian package.
const WINDOW: &[(&str, &str)] = &[
    ("webkit2gtk-4.1", "libwebkit2gtk-4.1-dev"),
    ("librsvg-2.0", "librsvg2-dev"),
    ("ayatana-appindicator3-0.1", "libayatana-appindicator3-dev"),
];

/// Checks the programs that every task needs. Installs missing ones if possible and if the user agrees.
pub(crate) fn provide() -> Result<(), XtaskError> {
    let missing = missing(|program| which(program).is_some());
    let Some(first) = missing.first() else { return Ok(()) };
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    install(first.program, &packages)
}

/// Provides the build dependencies of the desktop window on Linux. Other systems include them.
pub(crate) fn provide_window() -> Result<(), XtaskError> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let found = |module: &str| Step::new("pkg-config").args(["--exists", module]).read().is_ok();
    let mut packages: Vec<&str> =
        WINDOW.iter().filter(|(module, _)| !found(module)).map(|(_, package)| *package).collect();
    let Some(first) = packages.first().copied() else { return Ok(()) };
    packages.extend(["pkg-config", "libxdo-dev"]);
    install(first, &packages)
}

/// Provides strace on Linux, with which tests inject system call failures.
pub(crate) fn provide_tracer() -> Result<(), XtaskError> {
    if cfg!(target_os = "linux") && which("strace").is_none() {
        return install("strace", &["strace"]);
    }
    Ok(())
}

/// Provides the ssh server for tests of sessions on other machines, on Linux. `which` may not find sshd, because
/// its folder is only in root's PATH.
pub(crate) fn provide_ssh() -> Result<(), XtaskError> {
    let server = std::path::Path::new("/usr/sbin/sshd").is_file();
    let programs = ["ssh", "ssh-keygen", "faketime"];
    match cfg!(target_os = "linux") && !(server && programs.iter().all(|program| which(program).is_some())) {
        true => install("sshd and faketime", &["openssh-server", "openssh-client", "faketime"]),
        false => Ok(()),
    }
}

/// Provides podman on Linux, for tests of sessions in containers.
pub(crate) fn provide_containers() -> Result<(), XtaskError> {
    match cfg!(target_os = "linux") && !(which("podman").is_some() && which("runc").is_some()) {
        true => install("podman", &["podman", "runc", "netavark", "containernetworking-plugins"]),
        false => Ok(()),
    }
}

/// Provides nginx on Linux, which a browser test uses as a reverse proxy.
pub(crate) fn provide_proxy() -> Result<(), XtaskError> {
    match cfg!(target_os = "linux") && !std::path::Path::new("/usr/sbin/nginx").is_file() {
        true => install("nginx", &["nginx-light"]),
        false => Ok(()),
    }
}

/// Provides the WebDriver server for the window's tests, and Xvfb as their display.
pub(crate) fn provide_window_driver() -> Result<(), XtaskError> {
    provide_all(&[("WebKitWebDriver", "webkit2gtk-driver"), ("Xvfb", "xvfb")])
}

/// Provides the tool that packs an AppImage.
#[cfg(target_os = "linux")]
pub(crate) fn provide_squashfs() -> Result<(), XtaskError> {
    provide_all(&[("mksquashfs", "squashfs-tools")])
}

/// Provides the tools that test Linux packages. `which` may not find debootstrap, because its folder is only in
/// root's PATH.
#[cfg(target_os = "linux")]
pub(crate) fn provide_clean_roots() -> Result<(), XtaskError> {
    provide_squashfs()?;
    match std::path::Path::new("/usr/sbin/debootstrap").is_file() && which("rpm").is_some() {
        true => Ok(()),
        false => install("debootstrap", &["debootstrap", "rpm"]),
    }
}

/// Provides Debian's own Rust with the source of the standard library, which is compiled for other systems.
#[cfg(target_os = "linux")]
pub(crate) fn provide_std_source() -> Result<(), XtaskError> {
    let exists = |path: &str| std::path::Path::new(path).exists();
    let all = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/lib/rustlib/src/rust/library/std/Cargo.toml"];
    match all.into_iter().find(|path| !exists(path)) {
        Some(missing) => install(missing, &["rustc-web", "cargo-web", "rust-web-src"]),
        None => Ok(()),
    }
}

/// Provides the C compiler for the Windows build.
#[cfg(target_os = "linux")]
pub(crate) fn provide_mingw() -> Result<(), XtaskError> {
    provide_all(&[
        ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
        ("x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64"),
    ])
}

/// Provides the tools that build git for Windows, except for the compiler.
#[cfg(target_os = "linux")]
pub(crate) fn provide_windows_git_build() -> Result<(), XtaskError> {
    provide_all(&[("make", "make"), ("xz", "xz-utils")])?;
    match std::path::Path::new("/usr/x86_64-w64-mingw32/lib/libz.a").is_file() {
        true => Ok(()),
        false => install("libz for Windows", &["libz-mingw-w64-dev"]),
    }
}

/// Provides Wine, which runs the Windows build, and Xvfb as the display for its windows.
#[cfg(target_os = "linux")]
pub(crate) fn provide_wine() -> Result<(), XtaskError> {
    let wine64 = std::path::Path::new("/usr/lib/wine/wine64").is_file();
    match wine64 && which("wine").is_some() {
        true => provide_all(&[("Xvfb", "xvfb")]),
        false => install("wine", &["wine", "wine64", "xvfb"]),
    }
}

/// Provides the tools for the file systems that the long tests mount, on Linux.
pub(crate) fn provide_volumes() -> Result<(), XtaskError> {
    let required = [
        "/usr/lib/python3/dist-packages/pyfuse3_asyncio.py",
        "/usr/bin/fusermount3",
        "/usr/bin/ntfs-3g",
        "/usr/bin/sshfs",
        "/usr/lib/openssh/sftp-server",
    ];
    match cfg!(target_os = "linux") && !required.iter().all(|path| std::path::Path::new(path).exists()) {
        true => install("ntfs-3g", &["ntfs-3g", "fuse3", "python3-pyfuse3", "sshfs", "openssh-sftp-server"]),
        false => Ok(()),
    }
}

/// Provides the tools and baselines of the benchmarks.
pub(crate) fn provide_bench() -> Result<(), XtaskError> {
    provide_all(&[
        ("Xvfb", "xvfb"),
        ("chromium", "chromium"),
        ("strace", "strace"),
        ("rg", "ripgrep"),
        ("rsync", "rsync"),
    ])?;
    provide_ssh()
}

/// Provides programs, given as pairs of a program name and its Debian package.
fn provide_all(all: &[(&str, &str)]) -> Result<(), XtaskError> {
    let missing = all.iter().filter(|(program, _)| which(program).is_none());
    let (programs, packages): (Vec<&str>, Vec<&str>) = missing.copied().unzip();
    programs.first().map_or(Ok(()), |first| install(first, &packages))
}

/// Provides the browser for the end-to-end tests. Returns its path.
pub(crate) fn provide_browser() -> Result<std::path::PathBuf, XtaskError> {
    if which("chromium").is_none() {
        install("chromium", &["chromium"])?;
    }
    which("chromium").ok_or_else(|| XtaskError::Missing {
        program: "chromium".to_owned(),
        hint: "install Debian's package chromium, or another build of it under that name",
    })
}

fn install(wanted: &str, packages: &[&str]) -> Result<(), XtaskError> {
    let install = apt(packages);
    let refused = XtaskError::Missing {
        program: wanted.to_owned(),
        hint: "install it and the packages above with your system's package manager",
    };
    eprintln!("missing: {}", packages.join(", "));
    if which("apt-get").is_none() {
        return Err(refused);
    }
    eprintln!("install them with: {}", install.line());
    if !(is_ci() || agreed()) {
        return Err(refused);
    }
    let update = Step::new("apt-get").args(["update", "-q"]);
    let update = if is_root() { update } else { Step::new("sudo").args(["-n", "apt-get", "update", "-q"]) };
    // Ignore an error, because the outdated package list may suffice.
    let _ = update.run();
    let line = install.line().to_owned();
    let status = install.run()?;
    if status.success() { Ok(()) } else { Err(XtaskError::Ended { line, status }) }
}

fn missing(is_installed: impl Fn(&str) -> bool) -> Vec<Need> {
    if cfg!(windows) {
        return Vec::new();
    }
    NEEDS.iter().copied().filter(|need| !is_installed(need.program)).collect()
}

fn apt(packages: &[&str]) -> Step {
    let args = ["install", "-y", "--no-install-recommends"];
    let step = match is_root() {
        true => Step::new("apt-get"),
        false if is_ci() => Step::new("sudo").args(["-n", "apt-get"]),
        false => Step::new("sudo").args(["apt-get"]),
    };
    step.args(args).args(packages)
}

fn is_root() -> bool {
    Step::new("id").args(["-u"]).read().is_ok_and(|id| id.trim() == "0")
}

/// Whether xtask runs on a CI machine, where no user can answer and a skipped test counts as a failure.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true" || value == "1")
}

/// Asks the user on the terminal. Without a terminal, returns false.
fn agreed() -> bool {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    eprint!("install now? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).is_ok() && answer.trim().eq_ignore_ascii_case("y")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_missing_packages_are_listed() {
        let lacking = |installed: &'static [&str]| -> Vec<&str> {
            missing(|program| installed.contains(&program)).iter().map(|need| need.program).collect()
        };
        assert_eq!(lacking(&["git", "cc"]), Vec::<&str>::new());
        assert_eq!(lacking(&["cc"]), ["git"]);
        assert_eq!(lacking(&[]), ["git", "cc"]);
    }

    #[test]
    fn the_complete_command_is_shown() {
        assert!(apt(&["git", "gcc"]).line().ends_with("apt-get install -y --no-install-recommends git gcc"));
    }
}
