//! Tests which files are installed in a project, and which are refused.

use super::*;
use crate::fixture::Fixture;
use bc_wire::api::Api;
use std::{collections::BTreeMap, fs};

fn files(files: &[AgentFile]) -> AgentFilesParams {
    AgentFilesParams { files: files.to_vec() }
}

/// All files and folders of the project except `.beads`.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.file_name() != ".beads") {
        match entry.path().is_dir() {
            true => found.extend(tree(&entry.path()).into_iter().chain([(entry.path(), vec![])])),
            false => drop(found.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    found
}

fn write(fixture: &Fixture, name: &str, text: &str) {
    let path = fixture.folder.path().join(name);
    file::create_open_dir(path.parent().unwrap()).unwrap();
    file::replace_open(&path, text.as_bytes()).unwrap();
}

#[test]
fn the_default_files_depend_on_the_existing_ones() {
    let fixture = Fixture::new();
    let usual = || {
        let plan = fixture.engine.agent_files_preview(AgentFilesPreviewParams::default()).unwrap();
        plan.files
            .iter()
            .map(|file| file.path.clone())
            .filter(|path| path.ends_with("S.md") || path.ends_with("E.md"))
            .collect::<Vec<_>>()
    };
    assert_eq!(usual(), ["CLAUDE.md"]);
    write(&fixture, "AGENTS.md", "# Agents\n");
    assert_eq!(usual(), ["AGENTS.md"]);
    write(&fixture, "CLAUDE.md", "# Claude\n");
    assert_eq!(usual(), ["CLAUDE.md", "AGENTS.md"]);
    write(&fixture, "CLAUDE.md", "@AGENTS.md\n\n# Claude\n");
    assert_eq!(usual(), ["AGENTS.md"]);
    assert_eq!(tree(fixture.folder.path()).len(), 2, "a preview changes nothing");
}

#[test]
fn all_files_are_installed_once_and_removed_without_a_trace() {
    let fixture = Fixture::new();
    write(&fixture, "AGENTS.md", "# Agents, no line end");
    write(&fixture, ".claude/settings.json", "{\"model\": \"opus\"}");
    let before = tree(fixture.folder.path());
    let done = fixture.engine.agent_files_install(files(&AgentFile::ALL)).unwrap();
    let changes: Vec<_> = done.files.iter().map(|file| file.change).collect();
    use AgentFileChange::{Change, Create};
    assert_eq!(changes, [Create, Create, Create, Create, Change, Change]);
    let installed = tree(fixture.folder.path());
    let again = fixture.engine.agent_files_install(files(&AgentFile::ALL)).unwrap();
    assert!(again.files.iter().all(|file| file.change == AgentFileChange::None && file.diff.is_empty()));
    assert!(again.files.iter().all(|file| file.state == AgentFileState::Current));
    assert_eq!(tree(fixture.folder.path()), installed);
    fixture.engine.agent_files_remove(files(&[])).unwrap();
    assert_eq!(tree(fixture.folder.path()), before);
}

#[test]
fn a_refusal_for_one_file_changes_no_file() {
    let fixture = Fixture::new();
    write(&fixture, ".claude/settings.json", "{\"model\": \"opus\",}");
    let before = tree(fixture.folder.path());
    let refused = fixture.engine.agent_files_install(files(&AgentFile::ALL)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::FileRefused);
    assert!(
        refused.message.contains(".claude/settings.json") && refused.message.contains("line 1"),
        "{refused}"
    );
    assert_eq!(tree(fixture.folder.path()), before);
}

#[test]
#[cfg(unix)]
fn links_are_followed_within_the_repository_and_refused_outside_of_it() {
    use std::os::unix::fs::symlink;
    let (fixture, outside) = (Fixture::new(), tempfile::tempdir().unwrap());
    let root = fixture.folder.path();
    write(&fixture, "docs/agents.md", "# Agents\n");
    symlink("docs/agents.md", root.join("AGENTS.md")).unwrap();
    symlink("AGENTS.md", root.join("CLAUDE.md")).unwrap();
    let both = files(&[AgentFile::ClaudeMd, AgentFile::AgentsMd]);
    fixture.engine.agent_files_install(both.clone()).unwrap();
    let text = fs::read_to_string(root.join("docs/agents.md")).unwrap();
    assert_eq!(text.matches("begin v").count(), 1, "{text}");
    assert!(root.join("CLAUDE.md").is_symlink() && root.join("AGENTS.md").is_symlink());
    fixture.engine.agent_files_remove(both).unwrap();
    assert_eq!(fs::read_to_string(root.join("docs/agents.md")).unwrap(), "# Agents\n");

    symlink(outside.path(), root.join(".claude")).unwrap();
    let refused = fixture.engine.agent_files_install(files(&[AgentFile::Skill])).unwrap_err();
    assert!(refused.message.contains("out of the repository"), "{refused}");
    for (target, why) in [
        (outside.path().join("x"), "broken link"),
        (PathBuf::from("/etc/hostname"), "out of the repository"),
        (PathBuf::from(".git/config"), "git's folder"),
        (PathBuf::from("docs"), "not a file"),
    ] {
        write(&fixture, ".git/config", "");
        fs::remove_file(root.join("CLAUDE.md")).unwrap();
        symlink(target, root.join("CLAUDE.md")).unwrap();
        let refused = fixture.engine.agent_files_install(files(&[AgentFile::ClaudeMd])).unwrap_err();
        assert!(refused.code == ErrorCode::FileRefused && refused.message.contains(why), "{refused}");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn a_read_only_file_is_reported_as_such() {
    let fixture = Fixture::new();
    write(&fixture, "CLAUDE.md", "# Mine\n");
    let path = fixture.folder.path().join("CLAUDE.md");
    let mut mode = path.metadata().unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&path, mode).unwrap();
    let refused = fixture.engine.agent_files_install(files(&[])).unwrap_err();
    assert_eq!(refused.code, ErrorCode::ReadOnly);
    assert!(refused.message.contains("CLAUDE.md"), "{refused}");
    let plan = fixture.engine.agent_files_preview(AgentFilesPreviewParams::default()).unwrap();
    let file = plan.files.iter().find(|file| file.path == "CLAUDE.md").unwrap();
    assert_eq!((file.state, file.problem.is_some()), (AgentFileState::Refused, true));
    assert!(!fixture.folder.path().join(".claude").exists());
}
