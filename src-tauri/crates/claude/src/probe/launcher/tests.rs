//! The shims of package managers, in real folders. Shims exist only on Windows.

#![cfg(windows)]

use super::*;
use std::fs;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    #[allow(clippy::disallowed_methods)] // Files of another program.
    fn put(&self, path: &str, bytes: &str) -> PathBuf {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn launcher(&self, shim: &Path) -> Result<Launcher, NoLauncher> {
        launcher(shim, &[("PATH", self.0.path().join("node"))].into_iter().collect())
    }
}

const EXE: &str = "node_modules/@anthropic-ai/claude-code/bin/claude.exe";
const SCRIPT: &str = "node_modules/@anthropic-ai/claude-code/cli.js";

#[test]
fn npms_shim_leads_to_the_native_program() {
    let folder = Folder::new();
    let shim = folder.put("claude.cmd", include_str!("../shim/npm-native.cmd"));
    let exe = folder.put(EXE, "MZ");
    let found = folder.launcher(&shim).unwrap();
    assert!(bc_core::paths::same(&found.program, &exe), "{found:?}");
    assert_eq!((found.args.len(), found.installation), (0, Installation::Npm));
    folder.put(EXE, "echo \"Error: claude native binary not installed.\" >&2\n");
    let NoLauncher::Because(why) = folder.launcher(&shim).unwrap_err() else { panic!() };
    assert!(why.contains("node install.cjs"), "{why}");
}

#[test]
fn a_shim_of_a_shim_leads_to_the_program() {
    let folder = Folder::new();
    let shim = folder.put("bin/claude.cmd", include_str!("../shim/yarn-global.cmd"));
    let second = "@\"%~dp0\\..\\@anthropic-ai\\claude-code\\bin\\claude.exe\"   %*\r\n";
    folder.put("Data/global/node_modules/.bin/claude.cmd", second);
    let exe = folder.put(&format!("Data/global/{EXE}"), "MZ");
    assert!(bc_core::paths::same(&folder.launcher(&shim).unwrap().program, &exe));
    let itself = folder.put("itself/claude.cmd", "@\"%~dp0\\claude.cmd\" %*");
    assert!(matches!(folder.launcher(&itself), Err(NoLauncher::Because(_))));
}

#[test]
fn a_script_runs_with_the_node_beside_the_shim_or_in_path() {
    let folder = Folder::new();
    let shim = folder.put("claude.cmd", include_str!("../shim/npm-node.cmd"));
    folder.put(SCRIPT, "");
    let NoLauncher::Because(why) = folder.launcher(&shim).unwrap_err() else { panic!() };
    assert!(why.contains("Node.js"), "{why}");
    let in_path = folder.put("node/node.exe", "MZ");
    let found = folder.launcher(&shim).unwrap();
    assert_eq!(found.program, in_path);
    assert!(found.args[0].ends_with("cli.js") && Path::new(&found.args[0]).is_file(), "{found:?}");
    let beside = folder.put("node.exe", "MZ");
    assert!(bc_core::paths::same(&folder.launcher(&shim).unwrap().program, &beside));
}

#[test]
fn a_program_is_started_itself_and_a_batch_file_of_the_user_is_refused() {
    let folder = Folder::new();
    let exe = folder.put("claude.exe", "MZ");
    assert_eq!(folder.launcher(&exe).unwrap().program, exe);
    let own = folder.put("own/claude.cmd", "@claude.exe --model opus %*");
    let NoLauncher::Because(why) = folder.launcher(&own).unwrap_err() else { panic!() };
    assert!(why.contains("--model opus"), "{why}");
    let wsl = folder.put("wsl/claude.cmd", "@wsl claude %*");
    assert_eq!(folder.launcher(&wsl), Err(NoLauncher::System(OtherSystem::Wsl)));
}
