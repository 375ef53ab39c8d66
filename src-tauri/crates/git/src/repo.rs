//! A repository as seen from one of its working trees.

use crate::{
    error::GitError,
    gitdir_fast_path::{
        discovery::{self, DiscoveredRepo},
        refs::GitdirState,
        user_name::{self, Name},
    },
    head::Head,
    program::{Git, line, path_from, refusal, text_line},
};
use bc_process::run::Finished;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// A repository, seen from the working tree that contains a folder.
#[derive(Debug, Clone)]
pub struct Repo {
    pub(crate) git: Git,
    top_level: PathBuf,
    common_dir: PathBuf,
    main_root: PathBuf,
    /// Whether git lists this working tree as a linked one.
    linked: bool,
    /// The repository's state on disk, if it was found without git.
    files: Option<GitdirState>,
}

impl Repo {
    /// The repository that contains this folder, with the git in PATH. It may have no commits yet; see
    /// [`Repo::head`].
    pub fn discover(path: impl AsRef<Path>) -> Result<Repo, GitError> {
        Repo::discover_with(Git::find()?, path)
    }

    /// Like [`Repo::discover`], with the given git.
    pub fn discover_with(git: Git, path: impl AsRef<Path>) -> Result<Repo, GitError> {
        const DOING: &str = "find the repository";
        let path = path.as_ref();
        if !path.is_dir() {
            return Err(GitError::NoFolder { path: path.to_owned() });
        }
        if let Some(DiscoveredRepo { top_level, main_root, files }) = discovery::find(path) {
            return Ok(Repo {
                git,
                linked: top_level != main_root,
                top_level,
                common_dir: main_root.join(".git"),
                main_root,
                files: Some(files),
            });
        }
        let top = git.ask(DOING, path, ["rev-parse", "--show-toplevel"])?;
        if !top.ok() {
            return Err(match top.err().contains("must be run in a work tree") {
                true => GitError::Bare { path: path.to_owned() },
                false => refusal(DOING, path, &top),
            });
        }
        let top_level = path_from(line(&top.stdout));
        let dir_of = |what| -> Result<PathBuf, GitError> {
            let done = git.read(DOING, &top_level, ["rev-parse", what])?;
            let dir = top_level.join(path_from(line(&done.stdout)));
            dir.canonicalize()
                .map(bc_core::paths::plain)
                .map_err(|_| GitError::NotARepository { path: path.to_owned() })
        };
        let common_dir = dir_of("--git-common-dir")?;
        let linked = dir_of("--git-dir")? != common_dir;
        let main_root = match linked {
            true => main_tree(&git, &common_dir)?.unwrap_or_else(|| top_level.clone()),
            false => top_level.clone(),
        };
        Ok(Repo { git, top_level, common_dir, main_root, linked, files: None })
    }

    /// The same repository, seen from the working tree that contains this folder.
    pub fn at(&self, path: impl AsRef<Path>) -> Result<Repo, GitError> {
        Repo::discover_with(self.git.clone(), path)
    }

    /// The root of this working tree.
    pub fn top_level(&self) -> &Path {
        &self.top_level
    }

    /// The git folder that all worktrees share, usually `.git` of the main tree.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The root of the main working tree. A bare repository has none: the result is then the root of this worktree.
    pub fn main_root(&self) -> &Path {
        &self.main_root
    }

    /// Whether this is a linked worktree. All working trees of a bare repository are linked.
    pub fn is_linked(&self) -> bool {
        self.linked
    }

    /// Whether this is a linked worktree of a known main tree; always `false` if the repository is bare.
    pub fn is_linked_to_main_tree(&self) -> bool {
        self.top_level != self.main_root
    }

    /// The state on disk, if it can be read without running git.
    pub(crate) fn fast_path(&self) -> Option<&GitdirState> {
        self.files.as_ref()
    }

    /// The git program in use.
    pub fn git(&self) -> &Git {
        &self.git
    }

    /// The programs in the configurations of this repository and of its initialized submodules.
    pub fn programs(&self) -> Result<Vec<crate::Programs>, GitError> {
        let mut found: Vec<_> = self.git.programs(&self.top_level)?.into_iter().collect();
        for submodule in self.declared_submodules()? {
            found.extend(self.git.programs(&self.top_level.join(submodule))?);
        }
        Ok(found)
    }

    /// The checked-out branch and commit.
    pub fn head(&self) -> Result<Head, GitError> {
        const DOING: &str = "read the checked-out branch";
        if let Some(head) = self.fast_path().and_then(GitdirState::head) {
            return Ok(head);
        }
        let done = self.git.ask(DOING, &self.top_level, ["symbolic-ref", "--quiet", "HEAD"])?;
        let branch = match done.code {
            Some(0) => {
                let full = text_line(&done.stdout);
                let name = full.strip_prefix("refs/heads/").unwrap_or(&full);
                Some(name.parse().map_err(|source| GitError::InvalidBranch { source })?)
            }
            Some(1) => None,
            _ => return Err(refusal(DOING, &self.top_level, &done)),
        };
        Ok(Head { branch, commit: self.resolve("HEAD")? })
    }

    /// The user name that is configured for commits in this repository; `None` if it is not set, or if git fails.
    pub fn user_name(&self) -> Option<String> {
        if let Name::Known(name) = user_name::user_name(&self.git, &self.top_level) {
            return name;
        }
        let done =
            self.git.ask("read the user's name", &self.top_level, ["config", "--get", "user.name"]).ok()?;
        let name = text_line(&done.stdout).trim().to_owned();
        (done.ok() && !name.is_empty()).then_some(name)
    }

    /// The author's name that git would use for a commit in this repository, from a variable or the
    /// configuration; `None` if git finds no name.
    pub fn author_name(&self) -> Option<String> {
        let args = ["var", "GIT_AUTHOR_IDENT"];
        let done = self.git.ask("read the author", &self.top_level, args).ok()?;
        let ident = text_line(&done.stdout);
        // Git prints the name, the address and the time.
        let (name, _) = ident.rsplit_once(" <")?;
        (done.ok() && !name.is_empty()).then(|| name.to_owned())
    }

    pub(crate) fn commit(&self, revision: &str) -> Result<String, GitError> {
        match self.resolve(revision)? {
            Some(hash) => Ok(hash),
            None if self.resolve("HEAD")?.is_none() => {
                Err(GitError::NoCommits { path: self.main_root.clone() })
            }
            None => {
                Err(GitError::NoSuchCommit { revision: revision.to_owned(), path: self.main_root.clone() })
            }
        }
    }

    pub(crate) fn resolve(&self, revision: &str) -> Result<Option<String>, GitError> {
        if revision.is_empty() || revision.starts_with('-') || revision.contains('\0') {
            return Ok(None);
        }
        if let Some(found) = self.fast_path().and_then(|files| files.commit(revision)) {
            return Ok(found);
        }
        let commit = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", &commit];
        let done = self.git.ask("find a commit", &self.top_level, args)?;
        Ok(done.ok().then(|| text_line(&done.stdout)))
    }

    /// The yes-or-no answer of a git command that only reads, from its exit code.
    pub(crate) fn answers_yes<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        args: impl IntoIterator<Item = S>,
    ) -> Result<bool, GitError> {
        let done = self.git.ask(doing, &self.top_level, args)?;
        match done.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(refusal(doing, &self.top_level, &done)),
        }
    }

    /// Runs `git diff` with these options and revisions, without the programs that the configuration names.
    pub(crate) fn diff<'a>(
        &self,
        doing: &'static str,
        args: impl IntoIterator<Item = &'a str>,
    ) -> Result<Finished, GitError> {
        let fixed = ["diff", "--no-ext-diff", "--no-textconv", "--no-color"];
        self.git.read(doing, &self.top_level, fixed.into_iter().chain(args))
    }

    /// The error for git's output that this build cannot parse.
    pub(crate) fn unreadable(&self, doing: &'static str) -> GitError {
        let what = "it has another form than was expected".to_owned();
        GitError::Unreadable { doing, dir: self.top_level.clone(), what }
    }

    pub(crate) fn not_a_worktree(&self, path: &Path) -> GitError {
        GitError::NotAWorktree { path: path.to_owned(), repository: self.main_root.clone() }
    }
}

/// The main working tree of a repository with this common folder; `None` if it is bare, or if the tree is not
/// found.
fn main_tree(git: &Git, common_dir: &Path) -> Result<Option<PathBuf>, GitError> {
    const DOING: &str = "find the main tree";
    let config = |key: &str| {
        let mut args: Vec<std::ffi::OsString> = vec!["--git-dir".into(), common_dir.into()];
        args.extend(["config", "--get", key].map(Into::into));
        git.ask(DOING, common_dir, args)
    };
    if line(&config("core.bare")?.stdout) == b"true" {
        return Ok(None);
    }
    // Submodules and `init --separate-git-dir` store their tree's path in the configuration.
    let placed = config("core.worktree")?;
    let tree = match placed.ok() {
        true => {
            common_dir.join(path_from(line(&placed.stdout))).canonicalize().map(bc_core::paths::plain).ok()
        }
        false if common_dir.ends_with(".git") => common_dir.parent().map(Path::to_owned),
        false => None,
    };
    Ok(tree.filter(|tree| tree.is_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[test]
    fn the_author_is_named_as_git_names_it() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["config", "user.name", "Ann Example"]);
        sandbox.run(&["config", "user.email", "ann@example.org"]);
        assert_eq!(sandbox.repo().author_name().as_deref(), Some("Ann Example"));
        let git = sandbox.git().env("GIT_AUTHOR_NAME", "Bea");
        let repo = Repo::discover_with(git, sandbox.root()).unwrap();
        assert_eq!(repo.author_name().as_deref(), Some("Bea"), "a variable wins");
    }

    #[test]
    fn a_subfolder_finds_its_repository() {
        let sandbox = Sandbox::with_commit();
        let below = sandbox.root().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        let repo = Repo::discover_with(sandbox.git(), below).unwrap();
        assert_eq!(repo.top_level(), sandbox.root());
        assert_eq!(repo.main_root(), sandbox.root());
        assert_eq!(repo.common_dir(), sandbox.root().join(".git"));
        assert!(!repo.is_linked());
    }

    #[test]
    fn awkward_names_are_found_unchanged() {
        for name in ["with space", "it's \"quoted\"", "größe-日本", "-rf", "line\nbreak", "tab\there"] {
            let sandbox = Sandbox::named(name);
            sandbox.commit("first");
            assert_eq!(sandbox.repo().top_level(), sandbox.root(), "{name:?}");
            assert!(sandbox.repo().head().unwrap().commit.is_some());
        }
    }

    #[test]
    fn a_folder_outside_any_repository_gets_the_hint_to_create_one() {
        let dir = tempfile::tempdir().unwrap();
        let error = Repo::discover_with(Sandbox::new().git(), dir.path()).unwrap_err();
        assert!(matches!(error, GitError::NotARepository { .. }), "{error}");
        assert!(error.to_string().contains("git init"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_named_in_the_error() {
        let error = Repo::discover_with(Sandbox::new().git(), "/nowhere/at all").unwrap_err();
        assert!(matches!(error, GitError::NoFolder { .. }), "{error}");
    }

    #[test]
    fn a_bare_repository_and_the_inside_of_dot_git_have_no_working_tree() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["clone", "-q", "--bare", ".", "../bare.git"]);
        for place in [sandbox.root().join("../bare.git"), sandbox.root().join(".git")] {
            let error = Repo::discover_with(sandbox.git(), &place).unwrap_err();
            assert!(matches!(error, GitError::Bare { .. }), "{}: {error}", place.display());
        }
    }

    #[test]
    fn before_the_first_commit_there_is_a_branch_and_no_commit() {
        let sandbox = Sandbox::new();
        let head = sandbox.repo().head().unwrap();
        assert_eq!(head, Head { branch: Some("main".parse().unwrap()), commit: None });
        let error = sandbox.repo().commit("HEAD").unwrap_err();
        assert!(matches!(error, GitError::NoCommits { .. }), "{error}");
    }

    #[test]
    fn a_detached_head_has_a_commit_and_no_branch() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["checkout", "-q", "--detach"]);
        let head = sandbox.repo().head().unwrap();
        assert_eq!(head.branch, None);
        assert_eq!(head.commit.unwrap().len(), 40);
    }

    #[test]
    fn the_project_of_a_linked_worktree_is_its_main_tree() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        let repo = sandbox.repo().at(sandbox.root().join("../linked")).unwrap();
        assert_eq!(repo.main_root(), sandbox.root());
        assert!(repo.is_linked());
        assert_eq!(repo.head().unwrap().branch.unwrap().as_str(), "other");
    }

    #[test]
    fn a_worktree_of_a_bare_repository_is_its_own_project() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["clone", "-q", "--bare", ".", "../bare.git"]);
        sandbox.run(&["-C", "../bare.git", "worktree", "add", "-q", "../tree", "-b", "other"]);
        let tree = sandbox.root().join("../tree").canonicalize().map(bc_core::paths::plain).unwrap();
        let repo = Repo::discover_with(sandbox.git(), &tree).unwrap();
        assert_eq!(repo.main_root(), tree);
        assert!(repo.is_linked() && !repo.is_linked_to_main_tree());
    }

    #[test]
    fn the_tree_of_a_separate_git_folder_is_found() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["clone", "-q", "--separate-git-dir", "../kept-elsewhere", ".", "../tree"]);
        let tree = sandbox.root().join("../tree").canonicalize().map(bc_core::paths::plain).unwrap();
        assert_eq!(Repo::discover_with(sandbox.git(), &tree).unwrap().main_root(), tree);
    }

    #[test]
    fn a_revision_cannot_be_an_option() {
        let repo = Sandbox::with_commit();
        for revision in ["--all", "-x", "", "nothing-here"] {
            let error = repo.repo().commit(revision).unwrap_err();
            assert!(matches!(error, GitError::NoSuchCommit { .. }), "{revision:?}: {error}");
        }
    }
}
