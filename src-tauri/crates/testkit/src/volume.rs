//! A mounted file system whose file name rules differ from the machine's own. Requires superuser rights and
//! FUSE.
//!
//! The mount exists only in a mount namespace of the test's thread and the programs that it starts. The
//! system removes the namespace when the last of them has exited, even if the test is killed.
//!
//! If a volume cannot be mounted, a message is printed on standard error and `None` is returned. With
//! `BC_TEST_DEMAND=1`, the test panics instead.

use crate::wait::wait_for;
use rustix::thread::UnshareFlags;
use std::{
    fs::{File, Permissions},
    io::{self, Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};
use tempfile::TempDir;

/// The time limit for a mount.
const MOUNT_TIMEOUT: Duration = Duration::from_secs(30);

/// A volume, which is unmounted when it is dropped.
#[derive(Debug)]
pub struct Volume {
    mount: PathBuf,
    server: Child,
    _folder: TempDir,
}

impl Volume {
    /// Mounts a volume that behaves like a typical Mac volume: file names keep their case and Unicode
    /// normalization, but are compared without regard to them. Returns `None` if that is not possible.
    pub fn mac(test: &str) -> Option<Volume> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/tools/mac-volume.py");
        Volume::served(test, |store, mount| {
            std::fs::create_dir(store).expect("a folder");
            let mut command = program("/usr/bin/python3");
            command.arg(script).args([store, mount]);
            command
        })
    }

    /// Mounts an NTFS volume that refuses names that Windows cannot use. Returns `None` if that is not
    /// possible.
    pub fn ntfs(test: &str) -> Option<Volume> {
        Volume::served(test, |image, mount| {
            File::create_new(image).and_then(|file| file.set_len(64 << 20)).expect("an empty image");
            // An error is ignored, because without mkntfs the mount also fails.
            let _ = program("mkntfs").args(["-F", "-Q", "-q"]).arg(image).output();
            let mut command = program("ntfs-3g");
            command.args(["-o", "windows_names,no_detach,permissions"]).args([image, mount]);
            command
        })
    }

    /// Mounts a network drive: sshfs with OpenSSH's file server, connected without a network. Returns `None`
    /// if that is not possible.
    pub fn network(test: &str) -> Option<Volume> {
        Volume::served(test, |store, mount| {
            std::fs::create_dir(store).expect("a folder");
            // sshfs passes arguments with the host name, which this server ignores.
            let server = store.with_file_name("server");
            write_script(&server, "#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n");
            let mut command = program("sshfs");
            command.arg("-f").arg("-o").arg(format!("ssh_command={}", server.display()));
            let source = format!("machine:{}", store.display());
            command.arg(source).arg(mount);
            command
        })
    }

    /// The mounted folder.
    pub fn path(&self) -> &Path {
        &self.mount
    }

    /// Mounts a volume with a program that serves it until it is unmounted. Returns `None` if that fails.
    fn served(test: &str, command: impl FnOnce(&Path, &Path) -> Command) -> Option<Volume> {
        if let Err(error) = own_mounts() {
            return skipped(test, &format!("a mount namespace needs the superuser: {error}"));
        }
        let folder = tempfile::Builder::new().prefix("bc").tempdir().expect("a temporary folder");
        let base = folder.path().canonicalize().expect("the folder exists");
        let mount = base.join("mount");
        std::fs::create_dir(&mount).expect("a folder");
        let mut command = command(&base.join("store"), &mount);
        let mut child =
            match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn() {
                Ok(child) => child,
                Err(error) => return skipped(test, &format!("{}: {error}", command.get_program().display())),
            };
        let ended = wait_for("a mount", MOUNT_TIMEOUT, || {
            let ended = child.try_wait().expect("our own child").is_some();
            (ended || is_mounted(&mount)).then_some(ended)
        });
        if ended {
            let mut why = String::new();
            let _ = child.stderr.take().expect("it is piped").read_to_string(&mut why);
            let last = why.lines().last().unwrap_or("the mount program ended").to_owned();
            return skipped(test, &last);
        }
        Some(Volume { mount, server: child, _folder: folder })
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // Programs of a failed test may still use the volume, so it is only detached. An error is ignored.
        let _ = program("umount").arg("-l").arg(&self.mount).output();
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Gives this thread, and all programs that it starts from now on, their own mounts.
fn own_mounts() -> io::Result<()> {
    // SAFETY: this flag does not change anything that other threads or Rust's standard library rely on.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS) }?;
    // Without this, the mounts would also be visible outside the namespace.
    let done = program("mount").args(["--make-rprivate", "/"]).output()?;
    if done.status.success() { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&done.stderr))) }
}

// The store's rules for writing files apply to the product, not to test data.
#[allow(clippy::disallowed_methods)]
fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a script");
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("our own file");
}

fn program(name: &str) -> Command {
    // This crate does not depend on other crates of this workspace, so it spawns the process directly.
    #[allow(clippy::disallowed_methods)]
    Command::new(name)
}

fn is_mounted(folder: &Path) -> bool {
    let mounts = std::fs::read_to_string("/proc/thread-self/mountinfo").unwrap_or_default();
    mounts.lines().any(|line| line.split(' ').nth(4).is_some_and(|mount| Path::new(mount) == folder))
}

fn skipped(test: &str, why: &str) -> Option<Volume> {
    let why = format!("the file system cannot be mounted: {why}");
    assert!(
        std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
        "{test}: {why}, and BC_TEST_DEMAND=1"
    );
    // Written in one piece, so that other output does not split the line. A failed write must not fail a test.
    let _ = io::stderr().write_all(format!("SKIPPED {test}: {why}\n").as_bytes());
    None
}
