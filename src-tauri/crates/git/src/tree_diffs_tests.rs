//! Tests of differences between two commits, and between a commit and the working tree.

use crate::{FileDiff, Spaces, fixture::Sandbox};

/// A file's path, status letter, and counts of added and removed lines.
type Summary<'a> = (&'a str, char, Option<(u32, u32)>);

fn summary(files: &[FileDiff]) -> Vec<Summary<'_>> {
    files.iter().map(|file| (file.path.as_str(), file.letter, file.lines)).collect()
}

#[test]
fn a_file_that_only_the_index_lacks_is_not_deleted() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("a", "one\ntwo\n");
    sandbox.write("b", "one\ntwo\n");
    sandbox.commit("before");
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    sandbox.run(&["rm", "-q", "--cached", "a", "b"]);
    sandbox.write("b", "one\n2\n");
    let files = repo.tree_diffs(&before, Spaces::Count).unwrap().diffs.files;
    assert_eq!(summary(&files), [("b", 'M', Some((1, 1)))]);
    assert!(files[0].hunks.ends_with("\n one\n-two\n+2\n"), "{}", files[0].hunks);
}

#[test]
fn ignored_white_space_is_not_a_difference() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("a", "if x {\ny\n}\n");
    sandbox.write("b", "one two\n");
    sandbox.write("c", "same\n");
    sandbox.commit("before");
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    sandbox.write("a", "if x {\n    y\n    z\n}\n");
    sandbox.write("b", "one   two\n");
    sandbox.write("c", "other\n");
    sandbox.commit("after");
    let after = repo.commit_of("HEAD").unwrap();
    let counted = repo.file_diffs(&before, &after, Spaces::Count).unwrap().files;
    assert_eq!(
        summary(&counted),
        [("a", 'M', Some((2, 1))), ("b", 'M', Some((1, 1))), ("c", 'M', Some((1, 1)))]
    );
    let ignored = repo.file_diffs(&before, &after, Spaces::Ignore).unwrap().files;
    assert_eq!(
        summary(&ignored),
        [("a", 'M', Some((1, 0))), ("b", 'M', Some((0, 0))), ("c", 'M', Some((1, 1)))]
    );
    assert_eq!(ignored[1].hunks, "");
    assert!(ignored[2].hunks.contains("\n-same\n+other\n"), "{}", ignored[2].hunks);
    assert!(ignored[0].hunks.contains("\n     y\n+    z\n"), "{}", ignored[0].hunks);
}

#[test]
fn the_working_tree_diff_includes_uncommitted_and_untracked_files() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("kept", "1\n");
    sandbox.write("gone", "1\n2\n");
    sandbox.commit("base");
    let repo = sandbox.repo();
    let base = repo.commit_of("HEAD").unwrap();
    sandbox.write("committed", "x\n");
    sandbox.commit("work");
    sandbox.write("kept", "1\n2\n");
    std::fs::remove_file(sandbox.root().join("gone")).unwrap();
    sandbox.write("new/deep/file.rs", "fn main() {}\nno newline");
    sandbox.write("new/empty", "");
    sandbox.write("new/bytes", "a\0b");
    sandbox.write(".beads/issues.jsonl", "{}\n");
    let tree = repo.tree_diffs(&base, Spaces::Count).unwrap();
    assert_eq!(
        summary(&tree.diffs.files),
        [
            ("committed", 'A', Some((1, 0))),
            ("gone", 'D', Some((0, 2))),
            ("kept", 'M', Some((1, 0))),
            ("new/bytes", 'A', None),
            ("new/deep/file.rs", 'A', Some((2, 0))),
            ("new/empty", 'A', Some((0, 0))),
        ]
    );
    assert_eq!(
        tree.diffs.files[4].hunks,
        "@@ -0,0 +1,2 @@\n+fn main() {}\n+no newline\n\\ No newline at end of file\n"
    );
    let mut uncommitted = tree.uncommitted;
    uncommitted.sort();
    assert_eq!(uncommitted, ["gone", "kept", "new/bytes", "new/deep/file.rs", "new/empty"]);
}

#[test]
fn a_repository_that_was_empty_is_compared_with_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("first", "1\n");
    sandbox.run(&["add", "first"]);
    let repo = sandbox.repo();
    let tree = repo.tree_diffs(&repo.empty_tree().unwrap(), Spaces::Count).unwrap();
    assert_eq!(summary(&tree.diffs.files), [("first", 'A', Some((1, 0)))]);
    assert_eq!(tree.uncommitted, ["first"]);
}

#[cfg(unix)]
#[test]
fn awkward_names_and_file_kinds_have_their_own_hunks() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("kind", "text\n");
    sandbox.commit("before");
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    let names = ["-n", "a\nb", "it's \"x\"", "tab\t", "größe 日本", "back\\slash", "\u{1}\u{7f}"];
    for name in names {
        sandbox.write(name, &format!("in {name:?}\n"));
    }
    std::fs::remove_file(sandbox.root().join("kind")).unwrap();
    std::os::unix::fs::symlink("README.md", sandbox.root().join("kind")).unwrap();
    let untracked = repo.tree_diffs(&before, Spaces::Count).unwrap().diffs.files;
    sandbox.commit("after");
    let files = repo.file_diffs(&before, &repo.commit_of("HEAD").unwrap(), Spaces::Count).unwrap().files;
    for name in names {
        let of = |files: &[FileDiff]| files.iter().find(|file| file.path == name).map(|f| f.hunks.clone());
        assert!(of(&files).is_some_and(|hunks| hunks.contains(&format!("+in {name:?}\n"))), "{name:?}");
        let bare = |hunks: Option<String>| hunks.map(|hunks| hunks.replace("+1,1", "+1"));
        assert_eq!(bare(of(&untracked)), of(&files), "{name:?}");
    }
    let kind = files.iter().find(|file| file.path == "kind").unwrap();
    assert_eq!((kind.letter, kind.hunks.lines().nth(1)), ('T', Some("+README.md")));
}

#[test]
fn a_conflict_is_shown_with_its_markers() {
    let sandbox = Sandbox::with_commit();
    sandbox.run(&["switch", "-qc", "other"]);
    sandbox.write("README.md", "theirs\n");
    sandbox.commit("theirs");
    sandbox.run(&["switch", "-q", "main"]);
    sandbox.write("README.md", "ours\n");
    sandbox.commit("ours");
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    sandbox.run_any(&["merge", "-q", "other"]);
    let files = repo.tree_diffs(&before, Spaces::Count).unwrap().diffs.files;
    assert_eq!(files.len(), 1);
    assert!(files[0].hunks.contains("+<<<<<<< HEAD\n"), "{}", files[0].hunks);
}

#[cfg(unix)]
fn contents(files: &[FileDiff]) -> Vec<(String, Option<String>)> {
    files.iter().map(|file| (file.path.clone(), file.content())).collect()
}

#[cfg(unix)]
#[test]
fn a_content_id_is_the_same_in_the_tree_and_in_a_commit() {
    let sandbox = Sandbox::with_commit();
    for (path, text) in
        [("changed", "1\n"), ("spaced", "a b\n"), ("gone", "x\n"), ("bytes", "a\0b"), ("runs", "#!\n")]
    {
        sandbox.write(path, text);
    }
    sandbox.commit("before");
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    sandbox.write("changed", "2\n");
    sandbox.write("spaced", "a  b\n");
    std::fs::remove_file(sandbox.root().join("gone")).unwrap();
    sandbox.write("bytes", "a\0c");
    sandbox.make_executable("runs");
    sandbox.write("new file", "3\n");
    let tree = |spaces| contents(&repo.tree_diffs(&before, spaces).unwrap().diffs.files);
    let counted = tree(Spaces::Count);
    assert_eq!(counted.len(), 6);
    assert!(counted.iter().all(|(_, content)| content.is_some()), "{counted:?}");
    assert_eq!(tree(Spaces::Ignore), counted);
    sandbox.run(&["add", "changed", "new file"]);
    assert_eq!(tree(Spaces::Count), counted);
    sandbox.commit("after");
    let after = repo.commit_of("HEAD").unwrap();
    assert_eq!(tree(Spaces::Count), counted);
    assert_eq!(contents(&repo.file_diffs(&before, &after, Spaces::Count).unwrap().files), counted);

    sandbox.write("changed", "2\n2\n");
    let other: Vec<String> = tree(Spaces::Count)
        .into_iter()
        .zip(counted)
        .filter(|(one, two)| one != two)
        .map(|(one, _)| one.0)
        .collect();
    assert_eq!(other, ["changed"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_has_no_content_id_and_does_not_affect_others() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let before = repo.commit_of("HEAD").unwrap();
    sandbox.write("plain", "1\n");
    std::os::unix::fs::symlink("nowhere", sandbox.root().join("link")).unwrap();
    let long = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(sandbox.root().join("long"))
        .unwrap();
    long.set_len(64 << 20).unwrap();
    let named = contents(&repo.tree_diffs(&before, Spaces::Count).unwrap().diffs.files);
    let of =
        |name: &str| named.iter().find(|(path, _)| path == name).and_then(|(_, content)| content.clone());
    assert_eq!(of("link").as_deref(), Some("..a link to nowhere"));
    assert!(of("long").is_some_and(|content| content.starts_with("..67108864 bytes of ")), "{named:?}");
    assert_eq!(of("plain").as_deref(), Some("..d00491fd7e5bb6fa28c517a0bb32b8b506539d4d"));
}
