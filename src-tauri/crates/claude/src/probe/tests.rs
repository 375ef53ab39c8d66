//! The probe against scripts that imitate various claudes.

#![cfg(unix)]

use super::{locate::locate, *};
use std::{fs, os::unix::fs::PermissionsExt};

/// A temporary folder with a home folder and programs, and the environment to find them.
struct Machine {
    dir: tempfile::TempDir,
    vars: Vec<(String, std::ffi::OsString)>,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let vars = vec![
            ("HOME".to_owned(), dir.path().join("home").into_os_string()),
            ("CLAUDE_CONFIG_DIR".to_owned(), dir.path().join("home/.claude").into_os_string()),
            (
                "PATH".to_owned(),
                std::env::join_paths([dir.path().join("bin"), "/usr/bin".into(), "/bin".into()]).unwrap(),
            ),
            // An empty variable counts as missing.
            ("ANTHROPIC_API_KEY".to_owned(), "".into()),
        ];
        Machine { dir, vars }
    }

    #[allow(clippy::disallowed_methods)] // Imitates a foreign program.
    fn put(&self, path: &str, script: &str) -> PathBuf {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn env(&self) -> Env {
        self.vars.iter().cloned().collect()
    }

    fn probe(&self) -> Probe {
        probe(&self.env(), self.dir.path())
    }
}

/// The expected result for a claude that is started without a shim.
fn ready(path: &Path, version: Version) -> Probe {
    let launcher = Launcher { program: path.to_owned(), args: Vec::new(), installation: Installation::Other };
    Probe::Ready { path: path.to_owned(), version, launcher }
}

const GOOD: &str =
    "case \"$1\" in --version) echo '2.1.329 (Claude Code)';; auth) echo '{\"loggedIn\": true}';; esac";

#[test]
fn claude_is_found_in_path_and_an_explicit_program_takes_precedence() {
    let mut machine = Machine::new();
    let path = machine.put("bin/claude", GOOD);
    assert_eq!(machine.probe(), ready(&path, Version::new(2, 1, 329)));
    let other = machine.put("other/my claude", "echo '2.1.400 (Claude Code)'");
    machine.vars.push((OVERRIDE.to_owned(), other.clone().into_os_string()));
    machine.vars.push(("ANTHROPIC_API_KEY".to_owned(), "sk".into()));
    assert_eq!(machine.probe(), ready(&other, Version::new(2, 1, 400)));
}

#[test]
fn a_missing_claude_lists_the_searched_places() {
    let mut machine = Machine::new();
    let found = machine.probe();
    assert!(matches!(&found, Probe::Missing { looked_at } if looked_at.len() == 2), "{found:?}");
    assert!(found.hint().unwrap().contains(".local/bin/claude"));
    machine.put("bin/claude", GOOD);
    machine.vars.push((OVERRIDE.to_owned(), "/nowhere/claude".into()));
    assert_eq!(
        machine.probe(),
        Probe::Missing { looked_at: vec!["/nowhere/claude".into()] },
        "no other one is used"
    );
}

#[test]
fn the_usual_places_are_searched_after_path() {
    let machine = Machine::new();
    let path = machine.put("home/.claude/local/claude", GOOD);
    assert_eq!(locate(&machine.env()), Ok(path));
    let path = machine.put("home/.local/bin/claude", GOOD);
    assert_eq!(locate(&machine.env()), Ok(path));
}

#[test]
fn an_old_claude_is_reported_with_the_required_version() {
    let machine = Machine::new();
    machine.put("bin/claude", "echo '2.1.39 (Claude Code)'");
    let found = machine.probe();
    assert!(matches!(found, Probe::TooOld { .. }), "{found:?}");
    assert!(found.message().contains("2.1.39") && found.message().contains("2.1.121"), "{}", found.message());
}

#[test]
#[allow(clippy::disallowed_methods)] // Imitates claude's updater.
fn an_update_of_claude_is_detected_while_this_program_runs() {
    let machine = Machine::new();
    let link = machine.dir.path().join("bin/claude");
    let versions = ["2.1.329", "2.1.330"]
        .map(|version| machine.put(&format!("versions/{version}"), &GOOD.replace("2.1.329", version)));
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&versions[0], &link).unwrap();
    assert_eq!(machine.probe(), ready(&link, Version::new(2, 1, 329)));
    // Claude's own updates remove the link and create it again.
    fs::remove_file(&link).unwrap();
    assert!(matches!(machine.probe(), Probe::Missing { .. }), "between two versions");
    std::os::unix::fs::symlink(&versions[1], &link).unwrap();
    assert_eq!(machine.probe(), ready(&link, Version::new(2, 1, 330)));
}

#[test]
fn another_program_is_reported_with_its_output() {
    for (script, expect) in [
        ("echo hello", "\"hello\" is not a version"),
        ("echo oops >&2; exit 3", "`--version` ended with 3: oops"),
        ("kill -9 $$", "a signal"),
        ("printf '\\033[31m\\377'", "is not a version"),
    ] {
        let machine = Machine::new();
        machine.put("bin/claude", script);
        let found = machine.probe();
        assert!(matches!(&found, Probe::Broken { .. }), "{found:?}");
        assert!(found.message().contains(expect), "{script}: {}", found.message());
        assert!(!found.message().contains('\u{1b}'), "{}", found.message());
    }
}

#[test]
fn a_logged_out_claude_is_reported_and_an_unknown_state_is_not() {
    let status = |answer: &str| {
        let machine = Machine::new();
        machine.put("bin/claude", &format!("case \"$1\" in --version) echo 2.1.329;; *) {answer};; esac"));
        machine.probe()
    };
    let found = status("echo '{\"loggedIn\": false}'; exit 1");
    assert!(matches!(found, Probe::NotLoggedIn { .. }), "{found:?}");
    assert!(found.hint().unwrap().contains("auth login"));
    assert!(status("echo 'unknown command'; exit 1").is_ready());
}

#[test]
#[allow(clippy::disallowed_methods)] // The user's settings.
fn disabled_hooks_are_reported_with_the_file() {
    let machine = Machine::new();
    machine.put("bin/claude", GOOD);
    let file = machine.dir.path().join("home/.claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{\"disableAllHooks\": true}").unwrap();
    let found = machine.probe();
    assert!(matches!(&found, Probe::HooksDisabled { .. }), "{found:?}");
    assert!(found.hint().unwrap().contains(&file.display().to_string()));
}

#[test]
fn in_wsl_a_claude_of_windows_is_passed_over_and_never_started() {
    let mut machine = Machine::new();
    let windows = "/mnt/c/Users/me/AppData/Roaming/npm/claude";
    machine.vars.push(("WSL_DISTRO_NAME".to_owned(), "Debian".into()));
    let found = launcher(Path::new(windows), &machine.env());
    assert_eq!(found, Err(NoLauncher::System(OtherSystem::Windows)));
    let probe = Probe::OfOtherSystem { path: windows.into(), system: OtherSystem::Windows };
    assert!(probe.message().contains("belongs to Windows"), "{}", probe.message());
    assert!(probe.hint().unwrap().contains("in this system, too"));
}

#[test]
#[allow(clippy::disallowed_methods)] // An installer's link.
fn other_claudes_are_listed_once_with_their_installation() {
    let mut machine = Machine::new();
    let path = machine.put("bin/claude", GOOD);
    let npm = machine.put("npm/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", GOOD);
    let native = machine.put("home/.local/bin/claude", GOOD);
    for folder in ["npm/bin", "npm/again"] {
        let folder = machine.dir.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(&npm, folder.join("claude")).unwrap();
    }
    let dirs = ["bin", "npm/bin", "npm/again"].map(|dir| machine.dir.path().join(dir));
    machine.vars.push(("PATH".to_owned(), std::env::join_paths(&dirs).unwrap()));
    let Probe::Ready { launcher, path: used, .. } = machine.probe() else { panic!("{:?}", machine.probe()) };
    assert_eq!(used, path);
    assert_eq!(
        others(&machine.env(), &launcher),
        [(dirs[1].join("claude"), Installation::Npm), (native, Installation::Native)]
    );
}
