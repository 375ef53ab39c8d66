//! A root folder with a copy of Debian's base system. The folder is removed when the value is dropped.

use crate::{command::Step, error::XtaskError, parts::Staging, project};
use std::{
    fs,
    path::{Path, PathBuf},
};

const SUITE: &str = "bookworm";

/// The folders that are not searched for leftovers: package manager records, users' data and sockets, and
/// system mounts.
const KEPT: &[&str] = &["/var/log", "/var/cache", "/var/lib/apt", "/home", "/tmp", "/proc", "/dev", "/sys"];

/// The script that enters the root. It runs in a separate mount namespace, so that the mounts are removed at
/// the end. `$0` is the root; the arguments are the command.
const ENTER: &str =
    "mount -t proc proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && exec chroot \"$0\" \"$@\"";

/// A copy of the base system.
#[derive(Debug)]
pub(super) struct Root(PathBuf);

impl Root {
    pub(super) fn new() -> Result<Root, XtaskError> {
        let base = base()?;
        let folder = project::cache()?.join(format!("clean-root-{}", std::process::id()));
        let root = Root(folder);
        Step::new("cp").args(["-a", "--reflink=auto"]).args([&base, &root.0]).read()?;
        // Programs in the root need this machine's name servers for network access.
        root.put(Path::new("/etc/resolv.conf"), "/etc/resolv.conf")?;
        Ok(root)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// Converts a path in the root to a path on this machine.
    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.0.join(inside.trim_start_matches('/'))
    }

    pub(super) fn put(&self, file: &Path, inside: &str) -> Result<(), XtaskError> {
        let to = self.path(inside);
        // Remove an existing file first, because it may be a link that points out of the root.
        let _ = fs::remove_file(&to);
        fs::copy(file, &to).map(drop).map_err(|source| XtaskError::Write { path: to, source })
    }

    pub(super) fn step(&self, args: &[&str]) -> Step {
        Step::new("unshare")
            .args(["--mount", "--propagation", "private", "sh", "-c", ENTER])
            .args([&self.0])
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
    }

    /// Runs a program in the root and returns its output. Returns an error if the program fails.
    pub(super) fn run(&self, args: &[&str]) -> Result<String, XtaskError> {
        self.step(args).read_all()
    }

    /// Returns an error if a file or folder with our name remains outside of [`KEPT`].
    pub(super) fn check_nothing_left(&self) -> Result<(), XtaskError> {
        let all = Step::new("find").args([&self.0]).args(["-name", "*beads-console*"]).read()?;
        let inside = all.lines().filter_map(|path| path.strip_prefix(self.0.to_str()?));
        let left: Vec<&str> =
            inside.filter(|path| !KEPT.iter().any(|kept| path.starts_with(&format!("{kept}/")))).collect();
        match left.is_empty() {
            true => Ok(()),
            false => Err(XtaskError::trial("removal", &format!("not removed: {}", left.join(", ")))),
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // If the removal fails, unused files remain in the cache.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the folder with Debian's base system and git, creating it if necessary.
fn base() -> Result<PathBuf, XtaskError> {
    let place = project::cache()?.join(format!("debian-{SUITE}"));
    if place.is_dir() {
        return Ok(place);
    }
    let staging = Staging::new(&place)?;
    eprintln!("debootstrap: creating {} (a few minutes the first time)", place.display());
    Step::new("debootstrap")
        .args(["--variant=minbase", "--include=ca-certificates,git", SUITE])
        .args([staging.folder()])
        .read_all()?;
    staging.finish()?;
    Ok(place)
}
