//! Programs in a repository's configuration do not run before the user has allowed them.

use crate::{
    Repo, Spaces, error::GitError, fixture::Sandbox, repo_programs::needs, worktree::WorktreeBranch,
};
use bc_hooks::{GitPrograms, State, Trust};
use std::path::{Path, PathBuf};

/// A repository with settings that name a program, which creates a marker file when it runs.
struct Trapped {
    sandbox: Sandbox,
    marker: PathBuf,
}

impl Trapped {
    fn new(keys: &[&str]) -> Trapped {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".gitattributes", "*.md filter=trap diff=trap merge=trap\n");
        sandbox.commit("attributes");
        sandbox.run(&["branch", "other"]);
        let marker = sandbox.root().join("../sprung");
        let trap = format!("touch '{}'; cat", marker.display());
        for key in keys {
            sandbox.run(&["config", key, &trap]);
        }
        // Same length as before, so that git has to compare the content.
        sandbox.write("README.md", "# B project\n");
        Trapped { sandbox, marker }
    }

    fn repo(&self) -> Repo {
        self.sandbox.repo()
    }

    #[track_caller]
    fn refused<T: std::fmt::Debug>(&self, outcome: Result<T, GitError>) {
        assert!(!self.marker.exists(), "a program ran");
        match outcome {
            Err(GitError::ProgramsNotAllowed { .. }) => {}
            other => panic!("not refused: {other:?}"),
        }
    }

    fn found(&self) -> GitPrograms {
        self.repo().programs().unwrap().remove(0).found.unwrap()
    }

    fn allow(&self) {
        let config = self.sandbox.settings_folder();
        let approval = self.found().approval(a_moment());
        Trust::read(Some(&config)).unwrap().allow(Some(&config), approval).unwrap();
    }
}

fn a_moment() -> bc_core::Timestamp {
    bc_core::Timestamp::parse_from_rfc3339("2026-01-19T10:00:00Z").unwrap()
}

const FILTERS: [&str; 3] = ["filter.trap.clean", "filter.trap.smudge", "filter.trap.process"];

#[test]
fn no_filter_runs_before_it_is_allowed() {
    for key in FILTERS {
        let trapped = Trapped::new(&[key]);
        let repo = trapped.repo();
        trapped.refused(repo.status());
        trapped.refused(repo.dirty_files());
        trapped.refused(repo.uncommitted());
        trapped.refused(repo.changed_files("HEAD"));
        trapped.refused(repo.loss());
        let base = repo.commit_of("HEAD").unwrap();
        trapped.refused(repo.tree_diffs(&base, Spaces::Count));
        trapped.refused(repo.switch_to_new(&"new".parse().unwrap()));
        trapped.refused(repo.switch_to(&"other".parse().unwrap()));
        let beside = trapped.sandbox.root().join("../beside");
        let name = "feat/x".parse().unwrap();
        trapped.refused(repo.worktree_add(&beside, WorktreeBranch::New { name: &name, base: "HEAD" }));
        trapped.refused(repo.worktree_detached(&beside, &base).map(drop));
        // Reading commits needs no permission.
        assert_eq!(repo.head().unwrap().branch.unwrap().as_str(), "main");
        assert_eq!(repo.commits_since(None).unwrap().len(), 2);
        assert_eq!(repo.worktree_list().unwrap().len(), 1);
        assert!(!trapped.marker.exists(), "{key} ran");
    }
}

#[test]
fn an_allowed_filter_runs_and_another_one_asks_again() {
    let trapped = Trapped::new(&["filter.trap.clean"]);
    trapped.refused(trapped.repo().status());
    trapped.allow();
    trapped.repo().status().unwrap();
    assert!(trapped.marker.exists(), "the trap does not work");
    std::fs::remove_file(&trapped.marker).unwrap();
    trapped.sandbox.run(&["config", "filter.trap.clean", "cat -u"]);
    trapped.refused(trapped.repo().status());
    let config = trapped.sandbox.settings_folder();
    assert_eq!(trapped.found().state(Some(&config)), State::Changed);
}

#[test]
fn programs_of_an_included_file_and_of_a_worktrees_own_settings_count() {
    let trapped = Trapped::new(&[]);
    let trap = format!("[filter \"trap\"]\n\tclean = touch '{}'; cat\n", trapped.marker.display());
    trapped.sandbox.write("settings", &trap);
    trapped.sandbox.run(&["config", "include.path", "../settings"]);
    trapped.refused(trapped.repo().status());
    let trapped = Trapped::new(&[]);
    trapped.sandbox.run(&["config", "extensions.worktreeConfig", "true"]);
    let trap = format!("touch '{}'; cat", trapped.marker.display());
    trapped.sandbox.run(&["config", "--worktree", "filter.trap.clean", &trap]);
    trapped.refused(trapped.repo().status());
}

#[test]
fn merge_drivers_and_remote_programs_need_permission_only_where_they_would_run() {
    let trapped = Trapped::new(&["merge.trap.driver"]);
    let repo = trapped.repo();
    repo.status().unwrap();
    let (main, other) = (repo.commit_of("HEAD").unwrap(), repo.commit_of("other").unwrap());
    let tree = repo.worktree_detached(&trapped.sandbox.root().join("../merging"), &main).unwrap();
    trapped.refused(tree.combine(bc_core::fleet::MergeMethod::Merge, &other, &main, "merge"));
    for key in
        ["core.sshCommand", "credential.helper", "remote.up.uploadpack", "core.gitProxy", "core.askPass"]
    {
        let trapped = Trapped::new(&[key]);
        trapped.sandbox.run(&["config", "remote.up.url", "ssh://nowhere.invalid/x"]);
        let repo = trapped.repo();
        repo.status().unwrap();
        trapped.refused(repo.fetch_branch("up", &"main".parse().unwrap()));
    }
}

#[test]
fn programs_of_git_lfs_and_signed_pushes_need_permission_where_they_would_run() {
    for key in ["lfs.customtransfer.trap.path", "lfs.extension.trap.clean", "lfs.extension.trap.smudge"] {
        let trapped = Trapped::new(&[key]);
        trapped.refused(trapped.repo().status());
    }
    let trapped = Trapped::new(&["lfs.https://example.org/x.access"]);
    trapped.repo().status().unwrap();
    for key in ["gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"] {
        let trapped = Trapped::new(&[key]);
        trapped.sandbox.run(&["config", "remote.up.url", "ssh://nowhere.invalid/x"]);
        let repo = trapped.repo();
        repo.status().unwrap();
        trapped.refused(repo.fetch_branch("up", &"main".parse().unwrap()));
    }
}

#[test]
fn irrelevant_programs_do_not_run_and_need_no_permission() {
    let keys = [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
    ];
    let trapped = Trapped::new(&[&keys[..], &["gpg.program", "core.alternateRefsCommand"]].concat());
    let repo = trapped.repo();
    repo.status().unwrap();
    repo.changed_files("HEAD").unwrap();
    repo.tree_diffs(&repo.commit_of("HEAD").unwrap(), Spaces::Count).unwrap();
    repo.commits_since(None).unwrap();
    repo.switch_to_new(&"new".parse().unwrap()).unwrap();
    assert!(!trapped.marker.exists(), "one of them ran");
}

#[test]
fn a_submodules_own_filter_asks_where_git_looks_into_it() {
    let trapped = Trapped::new(&[]);
    let sandbox = &trapped.sandbox;
    sandbox.run(&["clone", "-q", ".", "../lib"]);
    sandbox.run(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../lib", "lib"]);
    sandbox.commit("a submodule");
    let trap = format!("touch '{}'; cat", trapped.marker.display());
    sandbox.run(&["-C", "lib", "config", "filter.trap.clean", &trap]);
    sandbox.write("lib/README.md", "# B project\n");
    trapped.repo().status().unwrap();
    trapped.refused(trapped.repo().loss());
    assert!(trapped.repo().programs().unwrap()[0].path.ends_with(Path::new("modules/lib/config")));
}

#[test]
fn the_programs_of_a_command_depend_on_its_subcommand() {
    let none = needs(&["log", "--stat"]);
    assert_eq!(needs(&["worktree", "list", "--porcelain"]), none);
    assert_eq!(needs(&["hash-object", "-w", "--no-filters", "--stdin"]), none);
    assert_ne!(needs(&["-c", "gc.auto=0", "fetch", "up"]), none);
    assert_ne!(needs(&["--no-literal-pathspecs", "status"]), none);
    assert_ne!(needs(&["-c", "x=status", "rebase", "main"]), needs(&["status"]));
}
