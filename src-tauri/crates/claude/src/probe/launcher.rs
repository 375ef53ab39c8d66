//! Determines the command that starts the installed claude.

use super::{
    installation::Installation,
    other_system::{OtherSystem, in_wsl, other_system},
    shim::{self, BadShim, Target},
};
use crate::{foreign_files, paths::Env};
use bc_process::find;
use std::path::{Path, PathBuf};

/// The command that starts claude.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    pub program: PathBuf,
    /// The arguments before claude's own: Node's options and the script, or none.
    pub args: Vec<String>,
    pub installation: Installation,
}

impl Launcher {
    /// The file that an update of claude replaces.
    pub(super) fn file(&self) -> &Path {
        self.args.last().map_or(&self.program, Path::new)
    }

    fn new(program: PathBuf, args: Vec<String>) -> Self {
        let mut launcher = Launcher { program, args, installation: Installation::Other };
        let file = launcher.file().canonicalize().unwrap_or_else(|_| launcher.file().to_owned());
        launcher.installation = Installation::of(&file.to_string_lossy());
        launcher
    }
}

/// Why the installed claude cannot be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoLauncher {
    System(OtherSystem),
    Because(String),
}

/// The maximum number of files in a chain of shims, including the program. For example, Yarn's global shim
/// starts a package's shim.
const DEPTH: usize = 4;

/// The maximum number of bytes read from a shim.
const SHIM_MAX: u64 = 64 << 10;

/// The command that starts the claude at this path. On Windows, a shim is resolved to its program.
pub(super) fn launcher(found: &Path, env: &Env) -> Result<Launcher, NoLauncher> {
    if let Some(system) = other_system(&found.to_string_lossy(), in_wsl(env)) {
        return Err(NoLauncher::System(system));
    }
    if cfg!(windows) {
        return behind_shims(found, env);
    }
    Ok(Launcher::new(found.to_owned(), Vec::new()))
}

fn behind_shims(found: &Path, env: &Env) -> Result<Launcher, NoLauncher> {
    let mut path = found.to_owned();
    for _ in 0..DEPTH {
        if !is_shim(&path) {
            // The path of a Windows Store program in PATH can be started but not read.
            return if path == found { Ok(Launcher::new(path, Vec::new())) } else { native(path) };
        }
        let text = foreign_files::read_head(&path, false, SHIM_MAX)
            .map_err(|error| NoLauncher::Because(format!("{} cannot be read: {error}", path.display())))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_string_lossy();
        match shim::target(&String::from_utf8_lossy(&text), &folder) {
            Ok(Target::Program(program)) => path = program.into(),
            Ok(Target::Node { beside, args }) => return script(&beside, args, env),
            Err(BadShim::Wsl) => return Err(NoLauncher::System(OtherSystem::Wsl)),
            Err(error) => return Err(NoLauncher::Because(error.to_string())),
        }
    }
    Err(NoLauncher::Because("its batch file starts itself".to_owned()))
}

fn is_shim(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("cmd") || end.eq_ignore_ascii_case("bat"))
}

/// The command for the program that a shim starts. Fails if the file is not a Windows program: if claude's
/// npm install script did not run, the file contains text that describes the problem.
fn native(path: PathBuf) -> Result<Launcher, NoLauncher> {
    let because = |why: String| Err(NoLauncher::Because(why));
    match foreign_files::read_head(&path, false, 2) {
        Ok(head) if head == b"MZ" => Ok(Launcher::new(path, Vec::new())),
        Ok(_) => because(format!(
            "{} is not a program; npm skipped claude's install script: run `node install.cjs` in its package, or install \
             claude again without --ignore-scripts and --omit=optional",
            path.display()
        )),
        Err(error) => because(format!("{} cannot be read: {error}", path.display())),
    }
}

/// The command that runs a script with Node.
fn script(beside: &str, args: Vec<String>, env: &Env) -> Result<Launcher, NoLauncher> {
    let node = match Path::new(beside).is_file() {
        true => Some(PathBuf::from(beside)),
        false => env.get("PATH").and_then(|path| find::find("node", Some(path))),
    };
    let because = |why: &str| NoLauncher::Because(why.to_owned());
    let node = node.ok_or_else(|| because("it needs Node.js, which was not found in PATH"))?;
    if is_shim(&node) {
        return Err(because(
            "the first Node.js in PATH is a batch file; put the folder of node.exe before it",
        ));
    }
    Ok(Launcher::new(node, args))
}

#[cfg(test)]
mod tests;
