//! A root folder with a copy of Debian's base system, removed when it is dropped.

use crate::{command::Step, error::XtaskError, parts::Staging, project};
use std::{
    fs,
    path::{Path, PathBuf},
};

const SUITE: &str = "bookworm";

/// The folders that may keep traces of a package: records of the package manager, and users' data and sockets.
const KEPT: &[&str] = &["/var/log", "/var/cache", "/var/lib/apt", "/home", "/tmp", "/proc", "/dev", "/sys"];

/// Enters the root in a separate mount namespace, which removes the mounts at the end. `$0` is the root; the
/// arguments are the command.
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
        // Network access from the root needs this machine's name servers.
        root.put(Path::new("/etc/resolv.conf"), "/etc/resolv.conf")?;
        Ok(root)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// A path in the root, as seen from outside.
    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.0.join(inside.trim_start_matches('/'))
    }

    pub(super) fn put(&self, file: &Path, inside: &str) -> Result<(), XtaskError> {
        let to = self.path(inside);
        // The existing file may be a link that leads out of the root, so it is removed first.
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

    /// Runs a program in the root and returns its output. Fails if the program does.
    pub(super) fn run(&self, args: &[&str]) -> Result<String, XtaskError> {
        self.step(args).read_all()
    }

    /// Fails if a file or folder with our name is left outside of [`KEPT`].
    pub(super) fn nothing_left(&self) -> Result<(), XtaskError> {
        let all = Step::new("find").args([&self.0]).args(["-name", "*beads-console*"]).read()?;
        let inside = all.lines().filter_map(|path| path.strip_prefix(self.0.to_str()?));
        let left: Vec<&str> =
            inside.filter(|path| !KEPT.iter().any(|kept| path.starts_with(&format!("{kept}/")))).collect();
        match left.is_empty() {
            true => Ok(()),
            false => Err(XtaskError::trial("removal", &format!("still there: {}", left.join(", ")))),
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // If this fails, unused files stay in the cache.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The folder with Debian's base system and git, made if necessary.
fn base() -> Result<PathBuf, XtaskError> {
    let place = project::cache()?.join(format!("debian-{SUITE}"));
    if place.is_dir() {
        return Ok(place);
    }
    let staging = Staging::new(&place)?;
    eprintln!("debootstrap: making {} (a few minutes the first time)", place.display());
    let made = Step::new("debootstrap")
        .args(["--variant=minbase", "--include=ca-certificates,git", SUITE])
        .args([staging.folder()])
        .read_all();
    made?;
    staging.finish()?;
    Ok(place)
}
