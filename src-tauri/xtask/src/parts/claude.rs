//! Provides Claude Code: the native program in the npm package for this platform, at the version pinned in
//! tests/tools/package.json.

use super::staging::{Staging, tail};
use crate::{
    command::{Step, which},
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

const PART: &str = "claude";

pub(super) fn place(root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
    let version = version(&manifest(root)?)?;
    let program = format!("claude{}", std::env::consts::EXE_SUFFIX);
    let modules = cache.join(format!("claude-{version}")).join("node_modules");
    Ok(modules.join("@anthropic-ai").join(package()).join(program))
}

/// Returns the path of the program, and installs it if necessary.
pub(super) fn provide(root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
    let program = place(root, cache)?;
    if program.is_file() {
        return Ok(program);
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if which(npm).is_none() && !cfg!(windows) {
        let hint = "install Node 20.19 or newer, which includes it";
        return Err(XtaskError::Missing { program: npm.to_owned(), hint });
    }
    let staging = Staging::new(&cache.join(format!("claude-{}", version(&manifest(root)?)?)))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        staging.copy_in(&tools(root).join(name))?;
    }
    let (log, path) = staging.log()?;
    eprintln!("claude: installing {} (about 100 MB the first time; {})", package(), path.display());
    let install = Step::new(npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    let failed = |why: String| XtaskError::Part { part: PART, why: format!("{why}\n{}", tail(&path)) };
    install.dir(staging.folder()).run_into(&log).map_err(|error| failed(with_causes(&error)))?;
    staging.finish()?;
    match program.is_file() {
        true => Ok(program),
        false => {
            let why = "is missing: if there is a package for this platform, remove the folder and try again";
            Err(failed(format!("{} {why}", program.display())))
        }
    }
}

fn tools(root: &Path) -> PathBuf {
    root.join("tests/tools")
}

fn manifest(root: &Path) -> Result<String, XtaskError> {
    let path = tools(root).join("package.json");
    std::fs::read_to_string(&path).map_err(|source| XtaskError::Read { path, source })
}

/// Returns the version that the manifest pins for all platforms.
fn version(manifest: &str) -> Result<String, XtaskError> {
    let pinned = manifest.lines().find_map(|line| line.trim().strip_prefix("\"@anthropic-ai/claude-code-"));
    let version = pinned.and_then(|rest| rest.split('"').nth(2)).map(str::to_owned);
    let why = || "tests/tools/package.json pins no version".to_owned();
    version.ok_or_else(|| XtaskError::Part { part: PART, why: why() })
}

fn package() -> String {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let libc = if cfg!(target_env = "musl") { "-musl" } else { "" };
    format!("claude-code-{os}-{arch}{libc}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_manifest() {
        let manifest =
            "{\n  \"optionalDependencies\": {\n    \"@anthropic-ai/claude-code-linux-x64\": \"2.1.329\"\n";
        assert_eq!(version(manifest).unwrap(), "2.1.329");
        assert!(version("{}").is_err());
    }

    #[test]
    fn the_committed_manifest_pins_one_version_for_this_platform_and_all_others() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let manifest = manifest(root).unwrap();
        let version = version(&manifest).unwrap();
        let pins: Vec<&str> = manifest.lines().filter(|line| line.contains("claude-code-")).collect();
        assert!(pins.iter().all(|line| line.contains(&format!(": \"{version}\""))), "{pins:#?}");
        assert!(manifest.contains(&package()), "{} is not in the manifest", package());
    }
}
