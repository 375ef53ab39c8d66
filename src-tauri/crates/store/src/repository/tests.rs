//! Tests which files of a repository are read and which are refused.

use super::*;
use crate::{FileError, session::fixture::scribble};
use std::os::unix::fs::symlink;

const MAX: u64 = 1 << 20;

/// A clone, and an unrelated folder next to it.
struct Place {
    _folder: tempfile::TempDir,
    repository: PathBuf,
    outside: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let place = Place { _folder: folder, repository: root.join("clone"), outside: root.join("outside") };
        for made in [place.repository.join(".git"), place.repository.join(".beads"), place.outside.clone()] {
            fs::create_dir_all(made).unwrap();
        }
        scribble(&place.outside.join("secret"), "SECRET");
        place
    }

    fn file(&self) -> PathBuf {
        self.repository.join(".beads/file")
    }

    fn read(&self) -> Result<Option<String>, String> {
        said(read(&self.file(), MAX))
    }
}

fn said(read: Result<Option<Vec<u8>>, FileError>) -> Result<Option<String>, String> {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    read.map(|bytes| bytes.map(text))
        .map_err(|error| Refusal::of(error.io()).map_or("io".into(), Refusal::to_string))
}

#[test]
fn only_a_regular_file_is_read_and_its_kind_is_named() {
    let place = Place::new();
    assert_eq!(place.read(), Ok(None));
    scribble(&place.file(), "text");
    assert_eq!(place.read(), Ok(Some("text".into())));
    let refused = |kind: &str| Err(format!("it is {kind}, not a regular file"));
    fs::remove_file(place.file()).unwrap();
    fs::create_dir(place.file()).unwrap();
    assert_eq!(place.read(), refused("a folder"));
    fs::remove_dir(place.file()).unwrap();
    symlink("/dev/zero", place.file()).unwrap();
    assert_eq!(place.read(), refused("a device"));
    fs::remove_file(place.file()).unwrap();
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, place.file(), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(place.read(), refused("a named pipe"));
    }
}

#[test]
fn reading_stops_at_the_limit() {
    let place = Place::new();
    let file = fs::File::options().create_new(true).append(true).open(place.file()).unwrap();
    file.set_len(MAX).unwrap();
    assert_eq!(place.read().unwrap().map(|text| text.len()), Some(MAX as usize));
    for len in [MAX + 1, 1 << 40] {
        file.set_len(len).unwrap();
        assert_eq!(place.read(), Err("it is larger than 1 MiB, the limit for this kind of file".into()));
    }
    assert_eq!(read_head(&place.file(), 5).unwrap().len(), 5, "a head can be read at any size");
    assert!(open_log(&place.file()).is_err());
}

#[test]
fn reading_an_endless_line_stops_at_the_limit() {
    let mut endless = io::BufReader::new(io::repeat(b'x'));
    let error = crate::file::read_line(&mut endless, &mut Vec::new()).unwrap_err();
    assert!(matches!(Refusal::of(&error), Some(Refusal::TooLarge { max: crate::file::LINE_MAX })), "{error}");
}

#[test]
fn links_are_followed_only_within_the_repository() {
    let place = Place::new();
    scribble(&place.repository.join("inside"), "inside");
    scribble(&place.repository.join(".git/config"), "git's");
    let check = |target: &Path, link: &Path, expect: Result<Option<String>, ()>| {
        symlink(target, link).unwrap();
        assert_eq!(place.read().map_err(drop), expect, "{} -> {}", link.display(), target.display());
        fs::remove_file(link).unwrap();
    };
    let inside = || Ok(Some("inside".to_owned()));
    check(Path::new("../inside"), &place.file(), inside());
    check(&place.repository.join("inside"), &place.file(), inside());
    check(Path::new("/nowhere"), &place.file(), Ok(None));
    check(&place.outside.join("secret"), &place.file(), Err(()));
    check(Path::new("../.git/config"), &place.file(), Err(()));
    // Replace a folder in the path with a link, and chain a link through another link that points outside.
    fs::remove_dir(place.repository.join(".beads")).unwrap();
    fs::rename(place.outside.join("secret"), place.outside.join("file")).unwrap();
    check(&place.outside, &place.repository.join(".beads"), Err(()));
    symlink(&place.outside, place.repository.join("way")).unwrap();
    check(Path::new("way"), &place.repository.join(".beads"), Err(()));
}

#[test]
fn a_repository_behind_a_users_link_is_read() {
    let place = Place::new();
    scribble(&place.file(), "text");
    let link = place.outside.join("link");
    symlink(&place.repository, &link).unwrap();
    assert_eq!(said(read(&link.join(".beads/file"), MAX)), Ok(Some("text".into())));
    assert_eq!(said(read(&link.join(".beads/../.beads/file"), MAX)), Ok(Some("text".into())));
}

#[test]
fn a_project_without_git_has_the_same_rules() {
    let place = Place::new();
    fs::remove_dir(place.repository.join(".git")).unwrap();
    symlink(place.outside.join("secret"), place.file()).unwrap();
    assert!(place.read().unwrap_err().contains("points outside of it, to"));
}

#[test]
fn a_linked_worktree_can_read_its_main_tree_and_a_forged_one_cannot() {
    let place = Place::new();
    let tree = place.outside.join("tree");
    fs::create_dir_all(tree.join(".claude")).unwrap();
    let own = place.repository.join(".git/worktrees/tree");
    fs::create_dir_all(&own).unwrap();
    scribble(&tree.join(".git"), format!("gitdir: {}\n", own.display()));
    scribble(&place.repository.join("shared"), "shared");
    let link = tree.join(".claude/file");
    symlink(place.repository.join("shared"), &link).unwrap();
    assert!(said(read(&link, MAX)).is_err(), "the repository does not name this worktree");
    scribble(&own.join("gitdir"), format!("{}\n", tree.join(".git").display()));
    assert_eq!(said(read(&link, MAX)), Ok(Some("shared".into())));
    let around = |path: &Path| Repository::around(path).unwrap();
    assert!(around(&tree).is_same(&around(&place.repository)) && around(&tree).is_linked());
    assert!(!around(&place.repository).is_linked());
}

#[test]
fn tracked_files_are_read_from_the_index() {
    let place = Place::new();
    let repository = Repository::around(&place.repository).unwrap();
    assert!(!repository.tracks(&place.file()), "the index is missing");
    let index = place.repository.join(".git/index");
    scribble(&index, b"DIRC\0\0\0\x02\0\0\0\x01...\0\x0b.beads/file\0\0\0");
    assert!(repository.tracks(&place.file()));
    assert!(!repository.tracks(&place.repository.join(".beads/fil")));
    scribble(&index, b"DIRC\0\0\0\x04\0\0\0\x01...");
    assert!(repository.tracks(&place.file()), "version 4 counts as listing the file");
}

#[test]
fn folders_linked_outside_are_not_written_to() {
    let place = Place::new();
    let folder = place.repository.join(".chipset/state");
    check_folder(&folder).unwrap();
    symlink(&place.outside, place.repository.join(".chipset")).unwrap();
    assert!(check_folder(&place.repository.join(".chipset")).is_err());
    assert!(check_folder(&folder).is_err());
    let log = place.repository.join(".beads/log.jsonl");
    symlink(place.outside.join("made"), &log).unwrap();
    crate::file::Appender::append_once(&log, b"{}").unwrap_err();
    crate::lock::FileLock::try_exclusive(&log).unwrap_err();
    assert!(!place.outside.join("made").exists());
}

#[test]
fn a_constantly_replaced_file_is_read_consistently() {
    let place = Place::new();
    let contents = ["a".repeat(50_000), "b".repeat(70_000)];
    crate::file::replace_volatile(&place.file(), contents[0].as_bytes()).unwrap();
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for n in 0..300 {
                crate::file::replace_volatile(&place.file(), contents[n % 2].as_bytes()).unwrap();
            }
        });
        while !writing.is_finished() {
            assert!(contents.contains(&place.read().unwrap().expect("the file always exists")));
        }
    });
}
