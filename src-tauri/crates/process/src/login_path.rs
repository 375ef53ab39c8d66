//! The PATH of the user's login shell.
//!
//! When macOS starts a program from Finder or the Dock, its PATH contains only system folders. claude, bd and
//! node are in folders that the user's shell adds. The shell is run once, with a deadline and an output
//! limit.

use crate::{
    os,
    run::{Program, RunError, kill_group},
};
use std::{
    ffi::{OsStr, OsString},
    io::Read,
    path::{Path, PathBuf},
    process::Stdio,
    sync::mpsc::sync_channel,
    thread,
    time::Duration,
};

/// The PATH of a program that macOS starts without a shell.
const SYSTEM_ONLY: &str = "/usr/bin:/bin:/usr/sbin:/sbin";

/// The time limit for the shell. A slow profile takes one or two seconds.
const DEADLINE: Duration = Duration::from_secs(10);

/// The maximum size of the shell's output, in bytes.
const OUTPUT_MAX: usize = 1 << 20;

/// The shell's PATH could not be determined.
#[derive(Debug, thiserror::Error)]
pub enum LoginPathError {
    #[error("the login shell did not start")]
    Shell(#[source] RunError),
    /// The shell printed no usable PATH before it exited or reached the output limit.
    #[error("{} printed no PATH", .shell.display())]
    NoPath { shell: PathBuf },
    #[error("{} printed no PATH within {after:?} and was stopped", .shell.display())]
    TimedOut { shell: PathBuf, after: Duration },
}

/// If this process's PATH is exactly [`SYSTEM_ONLY`], adds the folders of the user's login shell. Returns
/// whether PATH changed. Call it before any thread starts.
pub fn extend() -> Result<bool, LoginPathError> {
    let own = std::env::var_os("PATH");
    let (Some(own), Some(shell)) = (own.filter(|path| path == SYSTEM_ONLY), os::login_shell()) else {
        return Ok(false);
    };
    let path = joined(&of(&shell, DEADLINE)?, &own);
    let changed = path != own;
    // SAFETY: the only other threads are those of this module, and they do not use the environment.
    unsafe { std::env::set_var("PATH", path) };
    Ok(changed)
}

fn of(shell: &Path, deadline: Duration) -> Result<OsString, LoginPathError> {
    let mark = format!("beads-console-path-{}", std::process::id());
    // Every shell, including fish, runs these commands in the same way.
    let line = format!("/bin/echo; /bin/echo {mark}; /usr/bin/printenv PATH; /bin/echo {mark}");
    // Make the shell interactive, because many profiles extend PATH only in interactive shells.
    let program = Program::new(shell).args(["-i", "-l", "-c"]).arg(line);
    let mut child =
        program.spawn_with(Stdio::null(), Stdio::piped(), Stdio::null()).map_err(LoginPathError::Shell)?;
    let (pid, output) = (child.id(), child.stdout.take());
    let (sender, found) = sync_channel(1);
    // A background process of the profile may keep the pipe open, so do not wait for the end of the output.
    thread::spawn(move || {
        let _ = sender.send(output.and_then(|output| between_marks(output, mark.as_bytes())));
    });
    let found = found.recv_timeout(deadline);
    if !matches!(found, Ok(Some(_))) {
        kill_group(pid);
    }
    thread::spawn(move || crate::captured_output::reap(&mut child));
    match found {
        Ok(Some(path)) => Ok(path),
        Ok(None) => Err(LoginPathError::NoPath { shell: shell.to_owned() }),
        Err(_) => Err(LoginPathError::TimedOut { shell: shell.to_owned(), after: deadline }),
    }
}

/// Reads until the second line with the mark, and returns the line between the two marks. Returns `None` at
/// the end of the output, on a read error, at the output limit, or if the text between the marks is not
/// exactly one line of UTF-8.
fn between_marks(mut output: impl Read, mark: &[u8]) -> Option<OsString> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let n = output.read(&mut chunk).ok().filter(|&n| n > 0 && bytes.len() < OUTPUT_MAX)?;
        bytes.extend_from_slice(&chunk[..n]);
        let complete = bytes.rsplitn(2, |&byte| byte == b'\n').nth(1).unwrap_or_default();
        let lines: Vec<&[u8]> = complete.split(|&byte| byte == b'\n').collect();
        let mut marks = lines.iter().enumerate().filter(|(_, line)| **line == mark).map(|(at, _)| at);
        if let (Some(first), Some(second)) = (marks.next(), marks.next()) {
            let path = (second == first + 2).then(|| lines[first + 1])?;
            return String::from_utf8(path.to_vec()).ok().map(OsString::from);
        }
    }
}

/// Joins both PATHs, the shell's folders first, without relative folders and duplicates.
fn joined(shell: &OsStr, own: &OsStr) -> OsString {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(shell).chain(std::env::split_paths(own)) {
        if folder.is_absolute() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    // The folders come from a PATH, so none contains a separator, and joining cannot fail.
    std::env::join_paths(folders).unwrap_or_else(|_| own.to_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    const PATIENCE: Duration = Duration::from_secs(60);

    /// Creates a fake shell that runs `profile` and then its fourth argument, the command line.
    fn shell(profile: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a shell");
        write(&path, &format!("#!/bin/sh\n{profile}\neval \"$4\"\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        (folder, path)
    }

    #[allow(clippy::disallowed_methods, reason = "test data")]
    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
    }

    fn path_of(profile: &str) -> Result<OsString, LoginPathError> {
        let (_folder, shell) = shell(profile);
        of(&shell, PATIENCE)
    }

    #[test]
    fn the_path_of_a_chatty_profile_is_found_between_its_lines() {
        let chatty =
            "printf 'Welcome!\\nPATH=/wrong\\nno newline'; echo trouble >&2; export PATH=/mine:/usr/bin";
        assert_eq!(path_of(chatty).unwrap(), "/mine:/usr/bin");
        let long = "head -c 500000 /dev/zero | tr '\\0' x; export PATH='/with a space:/ü'";
        assert_eq!(path_of(long).unwrap(), "/with a space:/ü");
    }

    #[test]
    fn a_background_process_of_the_profile_is_not_awaited() {
        let (_folder, shell) = shell("/bin/sleep 600 & echo $! > \"$0.pid\"; export PATH=/mine");
        assert_eq!(of(&shell, PATIENCE).unwrap(), "/mine");
        let pid = fs::read_to_string(shell.with_file_name("a shell.pid")).unwrap();
        let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }

    #[test]
    fn shells_that_print_no_path_or_hang_are_errors() {
        for profile in ["exit 0", "exec cat /dev/zero", "unset PATH", "export PATH='/a\n/b'"] {
            assert!(matches!(path_of(profile), Err(LoginPathError::NoPath { .. })), "{profile}");
        }
        let (_folder, shell) = shell("exec /bin/sleep 600");
        let error = of(&shell, Duration::from_millis(100)).unwrap_err();
        assert!(matches!(error, LoginPathError::TimedOut { .. }), "{error}");
        let missing = of(Path::new("/nowhere/sh"), PATIENCE).unwrap_err();
        assert!(matches!(missing, LoginPathError::Shell(_)), "{missing}");
    }

    #[test]
    fn installed_shells_print_the_path_that_their_profiles_set() {
        let home = tempfile::tempdir().unwrap();
        let set = format!("echo hello; export PATH=\"{}/bin:$PATH\"\n", home.path().display());
        for profile in [".bash_profile", ".zprofile"] {
            write(&home.path().join(profile), &set);
        }
        let shells: Vec<&Path> =
            ["/bin/bash", "/bin/zsh"].iter().map(Path::new).filter(|shell| shell.is_file()).collect();
        assert!(!shells.is_empty(), "no shell to try");
        for shell in shells {
            // The wrapper sets HOME only for this shell, so that the user's real profile is not read.
            let (_folder, wrapper) = self::shell(&format!(
                "export HOME='{}' ZDOTDIR='{0}'; exec {} \"$@\"",
                home.path().display(),
                shell.display()
            ));
            let path = of(&wrapper, PATIENCE).unwrap().into_string().unwrap();
            let added = format!("{}/bin:", home.path().display());
            assert!(path.contains(&added), "{}: {path}", shell.display());
        }
    }

    #[test]
    fn duplicate_and_relative_folders_are_dropped() {
        let joined = |shell: &str, own: &str| joined(OsStr::new(shell), OsStr::new(own));
        assert_eq!(
            joined("/opt/bin:.::/bin:/opt/bin", SYSTEM_ONLY),
            "/opt/bin:/bin:/usr/bin:/usr/sbin:/sbin"
        );
        assert_eq!(joined("", SYSTEM_ONLY), SYSTEM_ONLY);
    }
}
