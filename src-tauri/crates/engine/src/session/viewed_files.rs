//! The changed files in a session that the user has marked as viewed. The list is stored with the session on
//! this machine, for all windows and browsers. Each entry applies to one content of its file.

use crate::context::{Context, ViewedFiles, errors::store_error};
use bc_core::ids::SessionId;
use bc_store::SessionDir;
use bc_wire::{ApiError, ErrorCode, session::*};
use std::collections::BTreeMap;

/// The maximum number of viewed files per session; the list of changes shows at most a tenth as many files.
const MOST: usize = 5_000;
/// The maximum length of a path and of a content id, in bytes.
const LONGEST: usize = 4 << 10;

pub(crate) fn viewed(ctx: &Context, id: SessionId) -> Result<SessionViewed, ApiError> {
    let dir = ctx.store.session(id);
    dir.meta().map_err(store_error)?;
    Ok(SessionViewed { files: dir.viewed().map_err(store_error)?.files })
}

pub(crate) fn set_viewed(ctx: &Context, params: SetViewedParams) -> Result<SessionViewed, ApiError> {
    ctx.writable()?;
    let SetViewedParams { id, path, content } = params;
    let sizes = [path.len(), content.as_ref().map_or(1, String::len)];
    if sizes.iter().any(|size| !(1..=LONGEST).contains(size)) {
        let text = format!("a file's path and content id must have 1 to {LONGEST} bytes");
        return Err(ApiError::new(ErrorCode::Usage, text));
    }
    let dir = ctx.store.session(id);
    dir.meta().map_err(store_error)?;
    let files = change(&ctx.viewed_lock(), &dir, path, content)?;
    Ok(SessionViewed { files })
}

/// Marks a file as viewed with this content, or removes the mark if `content` is `None`. Returns all viewed files.
fn change(
    _: &ViewedFiles,
    dir: &SessionDir,
    path: String,
    content: Option<String>,
) -> Result<BTreeMap<String, String>, ApiError> {
    let mut viewed = dir.viewed().map_err(store_error)?;
    // Do not write an unchanged list, so that no event is raised.
    if viewed.files.get(&path) == content.as_ref() {
        return Ok(viewed.files);
    }
    match content {
        Some(content) => viewed.files.insert(path, content),
        None => viewed.files.remove(&path),
    };
    if viewed.files.len() > MOST {
        let text = format!("at most {MOST} files can be marked as viewed");
        return Err(ApiError::new(ErrorCode::Usage, text));
    }
    dir.save_viewed(&viewed).map_err(store_error)?;
    Ok(viewed.files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_wire::api::Api;

    fn set(
        fixture: &Fixture,
        id: SessionId,
        path: &str,
        content: Option<&str>,
    ) -> Result<SessionViewed, ApiError> {
        let params = SetViewedParams { id, path: path.to_owned(), content: content.map(str::to_owned) };
        fixture.engine.session_set_viewed(params)
    }

    fn marks(viewed: &SessionViewed) -> Vec<(&str, &str)> {
        viewed.files.iter().map(|(path, content)| (path.as_str(), content.as_str())).collect()
    }

    #[test]
    fn viewed_files_survive_a_restart_and_belong_to_one_session() {
        let fixture = Fixture::new();
        let (id, other) = (fixture.closed(1, 2), fixture.closed(2, 2));
        set(&fixture, id, "src/a.rs", Some("1..2")).unwrap();
        set(&fixture, id, "src/b.rs", Some("1..2")).unwrap();
        let marked = set(&fixture, id, "src/a.rs", Some("1..3")).unwrap();
        assert_eq!(marks(&marked), [("src/a.rs", "1..3"), ("src/b.rs", "1..2")]);
        let fixture = fixture.reopened();
        assert_eq!(fixture.engine.session_viewed(SessionRef { id }).unwrap(), marked);
        assert_eq!(marks(&fixture.engine.session_viewed(SessionRef { id: other }).unwrap()), []);
        assert_eq!(marks(&set(&fixture, id, "src/b.rs", None).unwrap()), [("src/a.rs", "1..3")]);
    }

    #[test]
    fn an_unchanged_list_is_not_written_again() {
        let fixture = Fixture::new();
        let id = fixture.closed(1, 2);
        set(&fixture, id, "a", None).unwrap();
        let folder = fixture.ctx.store.session(id).path().join("person");
        assert!(!folder.exists());
        set(&fixture, id, "a", Some("1..2")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        set(&fixture, id, "b", None).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn bad_input_is_refused_and_changes_nothing() {
        let fixture = Fixture::new();
        let id = fixture.closed(1, 2);
        set(&fixture, id, "a", Some("1..2")).unwrap();
        let long = "x".repeat(LONGEST + 1);
        for (path, content) in [("", Some("1")), (&*long, None), ("a", Some("")), ("a", Some(&*long))] {
            assert_eq!(set(&fixture, id, path, content).unwrap_err().code, ErrorCode::Usage);
        }
        let unknown = "00000000-0000-4000-8000-00000000ffff".parse().unwrap();
        assert_eq!(set(&fixture, unknown, "a", Some("1")).unwrap_err().code, ErrorCode::SessionNotFound);
        assert_eq!(
            fixture.engine.session_viewed(SessionRef { id: unknown }).unwrap_err().code,
            ErrorCode::SessionNotFound
        );
        assert_eq!(marks(&fixture.engine.session_viewed(SessionRef { id }).unwrap()), [("a", "1..2")]);
    }

    #[test]
    fn the_number_of_viewed_files_is_limited() {
        let fixture = Fixture::new();
        let id = fixture.closed(1, 2);
        let dir = fixture.ctx.store.session(id);
        let full = (0..MOST).map(|n| (format!("file {n}"), "1".to_owned())).collect();
        dir.save_viewed(&bc_store::session::Viewed { files: full, ..Default::default() }).unwrap();
        assert_eq!(set(&fixture, id, "one more", Some("1")).unwrap_err().code, ErrorCode::Usage);
        assert_eq!(set(&fixture, id, "file 7", Some("2")).unwrap().files.len(), MOST);
    }
}
