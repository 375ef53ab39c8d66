//! The code context of a new session: convention files, and the files that its bead names. It is saved as the
//! session's `context.json`; a resumed session gets the same context.
//!
//! `mention` finds the names in the bead, `find` reads the allowed files, `choose` selects what fits, and
//! `render` formats it for claude. Recovery, memories and hooks are elsewhere.
//!
//! Invariants: only regular files of the session's working folder that git does not ignore are read. Repository
//! text reaches claude as data: without control characters, fenced and headed.

mod choose;
mod find;
#[cfg(test)]
mod fixture;
mod language;
mod mention;
mod render;

use crate::context::{
    Context,
    errors::{chain, git_error, store_error},
    now,
};
use bc_core::{
    bead::BeadDetail,
    context_pack::{ContextPack, GenerationMethod},
    session::Meta,
};
use bc_git::Repo;
use bc_host::ContextPiece;
use bc_store::{SessionDir, SessionLock};
use bc_wire::{ApiError, ErrorCode};
use find::FindError;
use std::path::Path;
use uuid::Uuid;

/// Creates and saves the context pack of a new session. The working folder must be in its final state.
///
/// # Errors
/// The session can start without a pack: the caller reports the error as a warning.
pub(super) fn gather(
    ctx: &Context,
    lock: &SessionLock,
    meta: &Meta,
    bead: Option<&BeadDetail>,
) -> Result<(), ApiError> {
    let cwd = meta.cwd.as_deref().map_or(ctx.project.root.as_path(), Path::new);
    let repo = ctx.project.repo()?.at(cwd).map_err(git_error)?;
    let pack = pack(cwd, &repo, meta, bead).map_err(|error| match error {
        FindError::Git(error) => git_error(error),
        FindError::Folder { .. } => ApiError::new(ErrorCode::Io, chain(&error)),
    })?;
    lock.save_context(&pack).map_err(store_error)
}

fn pack(cwd: &Path, repo: &Repo, meta: &Meta, bead: Option<&BeadDetail>) -> Result<ContextPack, FindError> {
    let named = mention::mentions(texts(meta, bead));
    let chosen = choose::choose(&find::find(cwd, repo, &named)?);
    Ok(ContextPack {
        id: Uuid::new_v4().to_string(),
        created_at: now(),
        project_id: meta.project_id.clone(),
        bead_id: meta.bead_id.clone(),
        query: None,
        files: chosen.files,
        symbols: Vec::new(),
        dependencies: Vec::new(),
        config: chosen.config,
        docs: chosen.docs,
        generation_method: GenerationMethod::Heuristic,
        total_tokens: chosen.total_tokens,
        truncated: chosen.truncated,
    })
}

/// The rendered pieces of a session's saved pack; empty without a pack.
pub(super) fn stored(dir: &SessionDir) -> Result<Vec<ContextPiece>, ApiError> {
    let pack = dir.context().map_err(store_error)?;
    Ok(pack.map(|pack| render::pieces(&pack)).unwrap_or_default())
}

/// The texts in which files may be named, the most relevant first.
fn texts<'a>(meta: &'a Meta, bead: Option<&'a BeadDetail>) -> impl Iterator<Item = &'a str> {
    let of_bead = bead.into_iter().flat_map(|bead| {
        [&bead.bead.title, &bead.description, &bead.design, &bead.acceptance_criteria, &bead.notes]
    });
    [&meta.title, &meta.objective].into_iter().flatten().chain(of_bead).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::{fixture::Sandbox, *};
    use bc_core::{ids::SessionId, session::Draft};
    use bc_store::SessionStore;

    fn bead(description: &str, notes: &str) -> BeadDetail {
        let text = serde_json::json!({"id": "bc-1", "title": "Mend b.rs", "status": "open", "priority": 2,
            "issue_type": "bug", "description": description, "notes": notes});
        serde_json::from_value(text).unwrap()
    }

    fn meta() -> Meta {
        Meta::draft(Draft {
            bead_id: Some("bc-1".parse().unwrap()),
            objective: Some("as in d.rs".into()),
            ..Draft::new(SessionId(Uuid::from_u128(1)), "proj-1".parse().unwrap(), now())
        })
    }

    #[test]
    fn the_files_that_a_bead_names_and_the_conventions_are_in_the_pack() {
        let sandbox = Sandbox::new();
        for name in ["a.rs", "b.rs", "c.rs", "d.rs", "unnamed.rs", "AGENTS.md", "Cargo.toml"] {
            sandbox.write(name, b"one\ntwo\nthree\n");
        }
        let bead = bead("It is in `a.rs:2-3`.", "not c.rs");
        let pack = pack(&sandbox.root(), &sandbox.repo(), &meta(), Some(&bead)).unwrap();
        let files: Vec<_> = pack.files.iter().map(|f| (f.path.as_str(), f.content.as_str())).collect();
        let whole = "one\ntwo\nthree\n";
        assert_eq!(files, [("d.rs", whole), ("b.rs", whole), ("a.rs", "two\nthree\n"), ("c.rs", whole)]);
        assert_eq!((pack.files[2].line_start, pack.files[2].line_end), (Some(2), Some(3)));
        assert_eq!((pack.docs[0].path.as_str(), pack.config[0].path.as_str()), ("AGENTS.md", "Cargo.toml"));
        assert_eq!((pack.bead_id, pack.generation_method), (meta().bead_id, GenerationMethod::Heuristic));
        assert!(!pack.truncated && pack.total_tokens > 0);
    }

    #[test]
    fn the_stored_pack_is_the_injected_one() {
        let sandbox = Sandbox::new();
        sandbox.write("b.rs", b"fn b() {}");
        sandbox.write(".beads/config.yaml", b"");
        let store = SessionStore::open(&sandbox.root().join(".beads")).unwrap();
        let lock = store.create(&meta()).unwrap();
        assert_eq!(stored(&lock).unwrap(), []);
        let pack = pack(&sandbox.root(), &sandbox.repo(), &meta(), Some(&bead("", ""))).unwrap();
        lock.save_context(&pack).unwrap();
        sandbox.write("b.rs", b"changed meanwhile");
        assert_eq!(stored(&lock).unwrap(), render::pieces(&pack));
        assert!(stored(&lock).unwrap()[0].text.contains("fn b() {}"));
    }
}
