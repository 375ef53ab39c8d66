//! The initial state of a sandbox: its environment and claude's own settings file.

use serde_json::{Map, Value, json};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The variable in the environment of every process of a sandbox. Its value is the sandbox's folder.
pub(super) const MARK: &str = "BC_SANDBOX";

/// The API key that claude accepts without asking, because the seeded settings file lists it as approved.
pub const API_KEY: &str = "sk-ant-test-0123456789-0123456789-0123456789";

/// The complete environment of the sandbox's processes. No variables are inherited, except for PATH and some
/// system variables on Windows.
pub(super) fn environment(base: &Path) -> BTreeMap<OsString, OsString> {
    let home = base.join("home");
    let mut env: BTreeMap<OsString, OsString> = BTreeMap::new();
    let dirs = [
        ("HOME", home.clone()),
        ("CLAUDE_CONFIG_DIR", home.join(".claude")),
        ("XDG_CONFIG_HOME", home.join(".config")),
        ("XDG_DATA_HOME", home.join(".local/share")),
        ("XDG_STATE_HOME", home.join(".local/state")),
        ("XDG_CACHE_HOME", home.join(".cache")),
        ("XDG_RUNTIME_DIR", base.join("run")),
        ("TMPDIR", base.join("tmp")),
        (MARK, base.to_path_buf()),
    ];
    env.extend(dirs.map(|(key, dir)| (key.into(), dir.into_os_string())));
    let texts = [
        ("USER", "tester"),
        ("LOGNAME", "tester"),
        ("SHELL", "/bin/sh"),
        ("LANG", "C.UTF-8"),
        ("TZ", "UTC"),
        ("TERM", "xterm-256color"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" }),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_AUTHOR_NAME", "Tester"),
        ("GIT_AUTHOR_EMAIL", "tester@example.invalid"),
        ("GIT_COMMITTER_NAME", "Tester"),
        ("GIT_COMMITTER_EMAIL", "tester@example.invalid"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ];
    env.extend(texts.map(|(key, value)| (key.into(), value.into())));
    env.insert("PATH".into(), path(base));
    if cfg!(windows) {
        let keep = ["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "TEMP", "TMP"];
        env.extend(keep.iter().filter_map(|key| Some(((*key).into(), std::env::var_os(key)?))));
    }
    env
}

/// The value of PATH: the sandbox's `bin`, `/usr/bin` and `/bin`, so that the user's own claude and bd are
/// not found. On Windows: the sandbox's `bin` and the user's PATH.
fn path(base: &Path) -> OsString {
    let mut dirs = vec![base.join("bin")];
    if cfg!(windows) {
        dirs.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
    } else {
        dirs.extend([PathBuf::from("/usr/bin"), PathBuf::from("/bin")]);
    }
    std::env::join_paths(dirs).expect("no folder of the sandbox has a colon in it")
}

/// The content of `.claude.json` after the first start. It prevents claude's questions about theme, key and
/// trust.
pub(super) fn claude_json(trusted: &[&Path]) -> String {
    let projects: Map<String, Value> = trusted
        .iter()
        .map(|dir| (dir.to_string_lossy().into_owned(), json!({"hasTrustDialogAccepted": true})))
        .collect();
    json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": {"approved": [&API_KEY[API_KEY.len() - 20..]], "rejected": []},
        "projects": projects,
    })
    .to_string()
}
