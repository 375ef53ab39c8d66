//! Builds the AppImage: our own start program (`src-tauri/packages/appimage-runtime`), followed by a squashfs
//! image.
//!
//! The AppImage contains the programs and their documents. It uses the system's WebKitGTK, which the
//! distribution keeps up to date; see docs/decisions/0232-appimage.md.

use super::{documents, places, programs::COMMAND_LINE_PROGRAMS};
use crate::{
    command::Step,
    error::XtaskError,
    files::{copy, emptied, save},
    licences::Written,
    parts::packages,
    project::Project,
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

const APP_RUN: &str = include_str!("../../../packages/AppRun");
const DESKTOP_ENTRY: &str = include_str!("../../../packages/beads-console.desktop");
const NAME: &str = "beads-console";

/// Builds the AppImage and writes it into the folder `into`.
pub(super) fn make(project: &Project, written: &Written, into: &Path) -> Result<(), XtaskError> {
    packages::provide_squashfs()?;
    let root = emptied(project.bundled()?.join("AppDir"))?;
    let bin = root.join("usr/bin");
    for name in COMMAND_LINE_PROGRAMS.iter().chain(["beads-console-desktop"].iter()) {
        copy(&project.built("release").join(name), &bin.join(name))?;
    }
    places::copy_into(project, &root.join("usr"))?;
    documents::copy_into(project, written, &root.join("usr/share"))?;
    let icon = project.root().join("src-tauri/icons/128x128@2x.png");
    copy(&icon, &root.join(format!("{NAME}.png")))?;
    copy(&icon, &root.join(format!("usr/share/icons/hicolor/256x256/apps/{NAME}.png")))?;
    save(&root.join(format!("{NAME}.desktop")), entry())?;
    save(&root.join("AppRun"), APP_RUN)?;
    let denied = |source| XtaskError::Write { path: root.clone(), source };
    fs::set_permissions(root.join("AppRun"), fs::Permissions::from_mode(0o755)).map_err(denied)?;
    symlink(format!("{NAME}.png"), root.join(".DirIcon")).map_err(denied)?;

    let squashfs = project.bundled()?.join("AppDir.squashfs");
    let make = Step::new("mksquashfs").args([&root, &squashfs]).args(["-noappend", "-quiet", "-no-progress"]);
    // The start program supports only gzip. All files belong to root, as in all other packages.
    make.args(["-comp", "gzip", "-root-owned", "-no-xattrs"]).read()?;
    let name = format!("{NAME}_{}_{}.AppImage", project.version(), std::env::consts::ARCH);
    join(&start_program(project)?, &squashfs, &emptied(into.to_owned())?.join(name))
}

/// Returns the desktop entry, with our values for Tauri's placeholders.
fn entry() -> String {
    DESKTOP_ENTRY
        .replace("{{comment}}", "Beads, and Claude Code at work on them")
        .replace("{{categories}}", "Development;")
        .replace("{{exec}}", "beads-console-desktop")
        .replace("{{icon}}", NAME)
}

/// Builds the start program as a single static file, because it must run on every Linux system.
fn start_program(project: &Project) -> Result<std::path::PathBuf, XtaskError> {
    let triple = Step::new("rustc").args(["--print", "host-tuple"]).read()?;
    let triple = triple.trim();
    let flags = format!("CARGO_TARGET_{}_RUSTFLAGS", triple.to_uppercase().replace('-', "_"));
    let build = Step::cargo()
        // With an explicit target, the flags do not apply to build scripts and macros, which cannot be
        // static.
        .args(["build", "--release", "--package", "bc-appimage", "--target", triple])
        .env(&flags, "-C target-feature=+crt-static")
        .dir(project.root());
    let line = build.line().to_owned();
    let status = build.run()?;
    match status.success() {
        true => {
            let target = project.metadata.target_directory.as_std_path();
            Ok(target.join(triple).join("release").join("bc-appimage"))
        }
        false => Err(XtaskError::Ended { line, status }),
    }
}

/// Combines the start program, marked as an AppImage of type 2, and the squashfs image into one executable
/// file.
fn join(program: &Path, squashfs: &Path, to: &Path) -> Result<(), XtaskError> {
    let read =
        |path: &Path| fs::read(path).map_err(|source| XtaskError::Read { path: path.to_owned(), source });
    let mut bytes = read(program)?;
    bytes[8..11].copy_from_slice(b"AI\x02");
    bytes.extend(read(squashfs)?);
    save(to, bytes)?;
    let executable = fs::set_permissions(to, fs::Permissions::from_mode(0o755));
    executable.map_err(|source| XtaskError::Write { path: to.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desktop_entry_has_no_variables_left() {
        let entry = entry();
        assert!(entry.contains("Exec=beads-console-desktop\n") && !entry.contains("{{"), "{entry}");
    }

    #[test]
    fn joined_file_is_executable_and_marked() {
        let dir = tempfile::tempdir().unwrap();
        let [program, squashfs, file] =
            ["program", "squashfs", "out/a.AppImage"].map(|name| dir.path().join(name));
        save(&program, b"\x7fELF\x02\x01\x01\0\0\0\0\0rest").unwrap();
        save(&squashfs, b"hsqs").unwrap();
        join(&program, &squashfs, &file).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"\x7fELF\x02\x01\x01\0AI\x02\0resthsqs");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o755);
    }
}
