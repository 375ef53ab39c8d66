//! Tests which paths can be written, and which are refused.

use super::*;
use std::os::unix::fs::symlink;

struct Place {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    /// A repository, a bare repository and an ordinary folder, side by side.
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        for made in
            ["repo/.git/hooks", "repo/.beads/sessions", "repo/docs", "outside", "bare/objects", "bare/refs"]
        {
            fs::create_dir_all(root.join(made)).unwrap();
        }
        let place = Place { _folder: folder, root };
        for (name, text) in [("repo/.git/config", "git's"), ("repo/kept.md", "kept"), ("bare/HEAD", "ref")] {
            file::create_open(&place.at(name), text.as_bytes()).unwrap();
        }
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    fn code(&self, name: &str, existing: Existing) -> Option<ErrorCode> {
        save_as(&self.at(name), b"new", existing).err().map(|error| error.code)
    }
}

#[test]
fn an_existing_file_is_replaced_only_with_consent() {
    let place = Place::new();
    assert_eq!(
        save_as(&place.at("repo/docs/../new.md"), b"new", Existing::Keep).unwrap(),
        place.at("repo/new.md")
    );
    assert_eq!(place.text("repo/new.md"), "new");
    assert_eq!(place.code("repo/kept.md", Existing::Keep), Some(ErrorCode::ConfirmationNeeded));
    assert_eq!(place.text("repo/kept.md"), "kept");
    assert_eq!(place.code("repo/kept.md", Existing::Replace), None);
    assert_eq!(place.text("repo/kept.md"), "new");
    assert_eq!(fs::read_dir(place.at("repo")).unwrap().count(), 5, "nothing else was made");
}

#[test]
fn git_and_tracker_folders_are_refused() {
    let place = Place::new();
    symlink(place.at("repo/.git"), place.at("way")).unwrap();
    symlink(".git/hooks", place.at("repo/hooks")).unwrap();
    for name in [
        "repo/.git/config",
        "repo/.git/hooks/post-checkout",
        "repo/.GIT/config",
        "repo/docs/../.git/new",
        "repo/.beads/sessions/index.json",
        "repo/.beads/issues.jsonl",
        "outside/.git",
        "way/config",
        "repo/hooks/post-checkout",
        "bare/config",
        "bare/refs/x",
    ] {
        for existing in [Existing::Keep, Existing::Replace] {
            let code = place.code(name, existing);
            assert!(code.is_some() && code != Some(ErrorCode::ConfirmationNeeded), "{name}: {code:?}");
        }
    }
    assert_eq!(place.text("repo/.git/config"), "git's");
    for name in ["repo/.beads/exports", "way/new", "bare/objects/x"] {
        assert!(folder_for_saving(&place.at(name)).is_err(), "{name}");
        assert!(!place.at(name).exists(), "{name}");
    }
}

#[test]
fn links_are_not_followed_when_writing() {
    let place = Place::new();
    symlink(place.at("repo/kept.md"), place.at("outside/link.md")).unwrap();
    symlink(place.at("outside/gone.md"), place.at("repo/dangling.md")).unwrap();
    for name in ["outside/link.md", "repo/dangling.md"] {
        assert_eq!(place.code(name, Existing::Replace), Some(ErrorCode::FileRefused), "{name}");
        assert!(place.at(name).is_symlink(), "{name}");
    }
    assert_eq!(place.text("repo/kept.md"), "kept");
    // A link in the repository to a folder outside it.
    symlink(place.at("outside"), place.at("repo/out")).unwrap();
    assert_eq!(place.code("repo/out/x.md", Existing::Keep), Some(ErrorCode::FileRefused));
    assert!(folder_for_saving(&place.at("repo/out/new")).is_err());
    assert!(!place.at("outside/x.md").exists() && !place.at("outside/gone.md").exists());
    // A user's link outside every repository is an ordinary path, so it is followed.
    symlink(place.at("repo/docs"), place.at("mine")).unwrap();
    assert_eq!(save_as(&place.at("mine/x.md"), b"x", Existing::Keep).unwrap(), place.at("repo/docs/x.md"));
    assert_eq!(folder_for_saving(&place.at("mine/a/b")).unwrap(), place.at("repo/docs/a/b"));
}

#[test]
fn only_regular_files_are_replaced() {
    let place = Place::new();
    assert_eq!(place.code("repo/docs", Existing::Replace), Some(ErrorCode::Usage));
    assert_eq!(place.code("repo/gone/x.md", Existing::Keep), Some(ErrorCode::Io));
    assert_eq!(save_as(Path::new("/dev/null"), b"x", Existing::Keep).unwrap(), Path::new("/dev/null"));
}
