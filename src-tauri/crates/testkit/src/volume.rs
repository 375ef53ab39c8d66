//! A mounted file system with other rules for file names than the machine's own. Needs the superuser and
//! FUSE.
//!
//! The mount is in a mount namespace that only the test's thread and the programs that it starts have. The
//! system removes the namespace with the last of them, also if the test is killed.

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
const PATIENCE: Duration = Duration::from_secs(30);

/// A volume, which is unmounted when it is dropped.
#[derive(Debug)]
pub struct Volume {
    mount: PathBuf,
    serving: Child,
    _folder: TempDir,
}

impl Volume {
    /// A volume like a usual volume of a Mac: file names keep their case and Unicode normalisation, but are
    /// compared without them. `None` after a message on standard error.
    pub fn mac(test: &str) -> Option<Volume> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/tools/mac-volume.py");
        Volume::served(test, |store, mount| {
            std::fs::create_dir(store).expect("a folder");
            let mut command = program("/usr/bin/python3");
            command.arg(script).args([store, mount]);
            command
        })
    }

    /// An NTFS volume that refuses the names that Windows cannot use. `None` after a message on standard error.
    pub fn ntfs(test: &str) -> Option<Volume> {
        Volume::served(test, |image, mount| {
            File::create_new(image).and_then(|file| file.set_len(64 << 20)).expect("an empty image");
            // An error is ignored: if mkntfs is missing, the mount fails, too.
            let _ = program("mkntfs").args(["-F", "-Q", "-q"]).arg(image).output();
            let mut command = program("ntfs-3g");
            command.args(["-o", "windows_names,no_detach,permissions"]).args([image, mount]);
            command
        })
    }

    /// A network drive: sshfs with OpenSSH's file server, connected without a network. `None` after a message on
    /// standard error.
    pub fn network(test: &str) -> Option<Volume> {
        Volume::served(test, |store, mount| {
            std::fs::create_dir(store).expect("a folder");
            // sshfs passes arguments that name the machine, which this server ignores.
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

    /// Mounts a volume with a program that serves the volume until it is unmounted. `None` after a message on
    /// standard error.
    fn served(test: &str, command: impl FnOnce(&Path, &Path) -> Command) -> Option<Volume> {
        if let Err(error) = own_mounts() {
            return skipped(test, &format!("a mount namespace needs the superuser: {error}"));
        }
        let folder = tempfile::Builder::new().prefix("bc").tempdir().expect("a temporary folder");
        let base = folder.path().canonicalize().expect("the folder is there");
        let mount = base.join("mount");
        std::fs::create_dir(&mount).expect("a folder");
        let mut command = command(&base.join("store"), &mount);
        let mut child =
            match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn() {
                Ok(child) => child,
                Err(error) => return skipped(test, &format!("{}: {error}", command.get_program().display())),
            };
        let ended = wait_for("a mount", PATIENCE, || {
            let ended = child.try_wait().expect("our own child").is_some();
            (ended || is_mounted(&mount)).then_some(ended)
        });
        if ended {
            let mut why = String::new();
            let _ = child.stderr.take().expect("it is piped").read_to_string(&mut why);
            let last = why.lines().last().unwrap_or("the mount program ended").to_owned();
            return skipped(test, &last);
        }
        Some(Volume { mount, serving: child, _folder: folder })
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // Programs of a failed test may still use the volume, so it is only detached. An error is ignored.
        let _ = program("umount").arg("-l").arg(&self.mount).output();
        let _ = self.serving.kill();
        let _ = self.serving.wait();
    }
}

/// Gives this thread, and everything that it starts from now on, its own mounts.
fn own_mounts() -> io::Result<()> {
    // SAFETY: this flag changes nothing that other threads or Rust's library rely on.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS) }?;
    // Without this, the mounts would also appear outside.
    let done = program("mount").args(["--make-rprivate", "/"]).output()?;
    if done.status.success() { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&done.stderr))) }
}

// The store's rules for writing apply to the product, not to test data.
#[allow(clippy::disallowed_methods)]
fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a script");
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("our own file");
}

fn program(name: &str) -> Command {
    // The test kit depends on no other crate of ours, so it spawns directly.
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
    // Written at once, so that other output does not split the line.
    let _ = io::stderr().write_all(format!("SKIPPED {test}: {why}\n").as_bytes());
    None
}
