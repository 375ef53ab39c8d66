//! Finds the newest released version from the tags of a git repository. Does not install it.

use super::preferences;
use crate::context::errors::git_error;
use bc_git::Git;
use bc_wire::{ApiError, ErrorCode, app::VersionCheck};

/// Finds the newest version in the repository at `source`, by default at the address in the user's settings.
///
/// # Errors
/// No address is set, git is not installed or not allowed to use the address, or the repository does not
/// answer.
pub fn newest_version(source: Option<&str>) -> Result<VersionCheck, ApiError> {
    let source = source.map_or_else(|| preferences::settings().update_source, str::to_owned);
    if source.trim().is_empty() {
        let text = "there is no address to check for new versions";
        return Err(ApiError::new(ErrorCode::Usage, text).hint(
            "give one with --source, or store one with `beads-console settings update_source ADDRESS`: the https \
             address of a git repository whose tags name the versions, or a folder",
        ));
    }
    newest_at(&Git::find().map_err(git_error)?, source.trim(), env!("CARGO_PKG_VERSION"))
}

fn newest_at(git: &Git, source: &str, version: &str) -> Result<VersionCheck, ApiError> {
    let tags = git.tags_at(source).map_err(git_error)?;
    let latest = tags.iter().filter_map(|tag| released(tag)).max();
    Ok(VersionCheck {
        version: version.to_owned(),
        latest: latest.map(|[major, minor, patch]| format!("{major}.{minor}.{patch}")),
        newer: latest.is_some_and(|latest| released(version).is_some_and(|this| latest > this)),
        source: source.to_owned(),
    })
}

/// The version of a tag such as `v1.2.3` or `1.2.3`; `None` for other tags and pre-releases.
fn released(tag: &str) -> Option<[u64; 3]> {
    let mut parts = tag.strip_prefix('v').unwrap_or(tag).split('.');
    let mut number = || {
        let part = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse().ok()
    };
    let version = [number()?, number()?, number()?];
    parts.next().is_none().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_and_prereleases_are_left_out() {
        assert_eq!(released("v0.10.2"), Some([0, 10, 2]));
        assert!(released("0.10.0") > released("v0.9.9"));
        for tag in ["v1", "v1.2", "v1.2.3-rc.1", "1.2.3.4", "release", "v+1.2.3", "v1..3", ""] {
            assert_eq!(released(tag), None, "{tag}");
        }
    }

    #[test]
    fn newest_tag_is_compared_with_this_version() {
        let dir = tempfile::tempdir().unwrap();
        let git = Git::find().unwrap().env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        git.init_with_first_commit(dir.path(), "a", "first").unwrap();
        let source = dir.path().to_string_lossy();
        let checked = |version: &str| {
            let checked = newest_at(&git, &source, version).unwrap();
            (checked.latest, checked.newer)
        };
        assert_eq!(checked("0.1.0"), (None, false));
        let head = std::fs::read(dir.path().join(".git/refs/heads/main")).unwrap();
        for tag in ["v0.2.0", "v0.10.0", "v9.0.0-rc.1"] {
            bc_store::file::replace(&dir.path().join(".git/refs/tags").join(tag), &head).unwrap();
        }
        assert_eq!(checked("0.9.0"), (Some("0.10.0".to_owned()), true));
        assert_eq!(checked("0.10.0"), (Some("0.10.0".to_owned()), false));
        assert_eq!(checked("1.0.0"), (Some("0.10.0".to_owned()), false));
    }

    #[test]
    fn without_an_address_no_repository_is_queried() {
        let error = newest_version(Some("  ")).unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
        let error = newest_version(Some("ext::sh -c true")).unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
    }
}
