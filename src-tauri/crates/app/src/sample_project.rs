//! The sample project: a small program with beads, in a temporary folder.

use bc_engine::Programs;
use bc_git::Git;
use bc_store::file;
use bc_wire::{
    ApiError, ErrorCode,
    api::Api,
    bead::{BeadCloseParams, BeadCreateParams},
    project::InitParams,
};
use std::path::PathBuf;

/// The paths and contents of the project's files.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("sample/README.md")),
    ("AGENTS.md", include_str!("sample/AGENTS.md")),
    ("gatehouse/login.py", include_str!("sample/login.py")),
    ("tests/test_login.py", include_str!("sample/test_login.py")),
];

/// A sample bead: title, type, priority, label, description, and the index of the bead that blocks it.
type SampleBead = (&'static str, &'static str, u8, &'static str, &'static str, Option<usize>);

const BEADS: [SampleBead; 8] = [
    (
        "Implement login validation",
        "feature",
        1,
        "auth",
        "Validate e-mail and password in `gatehouse/login.py` before the store is touched.\n\n- the same error for an \
         unknown account and a wrong password\n- an empty password is refused\n",
        None,
    ),
    (
        "Login accepts an e-mail address without a domain",
        "bug",
        0,
        "auth",
        "`login(\"ann@\", …)` reaches the store. See `gatehouse/login.py` and `tests/test_login.py`.",
        None,
    ),
    (
        "Rate-limit login by account and address",
        "feature",
        2,
        "auth",
        "Five failures in a minute, then wait.",
        Some(0),
    ),
    (
        "Cache compiled policies by content hash",
        "task",
        2,
        "policy",
        "Parsing the policy takes most of a request.",
        None,
    ),
    ("Describe the login flow in the README", "task", 3, "docs", "A paragraph and a small diagram.", Some(0)),
    ("Rotate signing keys without a restart", "feature", 2, "auth", "", Some(3)),
    ("Replace print with logging", "chore", 4, "ops", "Structured, one line an event.", None),
    ("Set up the repository", "chore", 2, "ops", "", None),
];

/// Creates the sample project in a new temporary folder, and returns the folder.
pub fn make_sample(programs: &Programs) -> Result<PathBuf, ApiError> {
    let failed = |e: &dyn std::fmt::Display| {
        ApiError::new(ErrorCode::Io, format!("the sample project could not be created: {e}"))
            .hint("open one of your own folders instead")
    };
    let folder =
        tempfile::Builder::new().prefix("beads-console-sample-").tempdir().map_err(|e| failed(&e))?.keep();
    let root = folder.join("gatehouse");
    for (name, text) in FILES {
        let path = root.join(name);
        file::create_dir(path.parent().unwrap_or(&root)).map_err(|e| failed(&e))?;
        file::replace(&path, text.as_bytes()).map_err(|e| failed(&e))?;
    }
    Git::find()
        .and_then(|git| git.init_with_first_commit(&root, "sample", "A small program to try things on"))
        .map_err(|e| failed(&e))?;
    bc_engine::init(&root, InitParams { prefix: Some("BC".to_owned()), ..InitParams::default() })?;
    let connection = bc_engine::connect(&root, programs.clone())?;
    let api = connection.api();
    let mut ids = Vec::new();
    for (title, issue_type, priority, label, description, blocker) in BEADS {
        let made = api.bead_create(BeadCreateParams {
            title: title.to_owned(),
            description: description.to_owned(),
            issue_type: Some(issue_type.to_owned()),
            priority: Some(priority),
            labels: vec![label.to_owned()],
            blocked_by: blocker.and_then(|index: usize| ids.get(index).cloned()).into_iter().collect(),
            ..BeadCreateParams::default()
        })?;
        ids.push(made.bead.bead.id);
    }
    if let Some(id) = ids.last().cloned() {
        api.bead_close(BeadCloseParams { id, reason: Some("done".to_owned()), actor: None })?;
    }
    Ok(root)
}
