//! Lists the tags of a remote repository, from which this program determines its newest released version.
//!
//! Invariants: git gets only an https address or an absolute folder. It runs outside of any repository, uses
//! no credential helper and asks for no credentials.

use crate::{error::GitError, program::Git};
use bc_core::text;
use std::{path::Path, time::Duration};

const DOING: &str = "list the released versions";

/// The time limit of the command. It is short because the user waits for the answer.
const WAIT: Duration = Duration::from_secs(20);

impl Git {
    /// The names of all tags at an address, such as `v1.2.3`, in no particular order.
    ///
    /// # Errors
    /// [`GitError::InvalidAddress`] if the address is neither https nor an absolute path. [`GitError::Remote`] if it
    /// cannot be reached or is not a repository. Other variants if git cannot be run or exceeds its time limit.
    pub fn tags_at(&self, address: &str) -> Result<Vec<String>, GitError> {
        if !is_address(address) {
            return Err(GitError::InvalidAddress { address: address.to_owned() });
        }
        let folder = std::env::temp_dir();
        let program = self
            .prepared(WAIT)
            .env("GIT_ALLOW_PROTOCOL", "https:file")
            // Without a repository, only the user's own settings apply, such as a proxy.
            .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(Path::new("/")))
            .env("GIT_ASKPASS", "")
            .env("SSH_ASKPASS", "")
            .args(["-c", "credential.helper=", "ls-remote", "--tags", "--refs", "--quiet", "--", address]);
        let done = self.run(DOING, &folder, program)?;
        if !done.ok() {
            let said = text::cut(&text::one_line(&done.err()), 500);
            return Err(GitError::Remote { doing: DOING, remote: address.to_owned(), said });
        }
        let out = done.out();
        Ok(out
            .lines()
            .filter_map(|line| line.split_once("refs/tags/"))
            .map(|(_, tag)| tag.to_owned())
            .collect())
    }
}

/// Whether git may get this address: https or an absolute path, and nothing that git could take for an option.
fn is_address(address: &str) -> bool {
    let host = address.strip_prefix("https://");
    let named = host.is_some_and(|host| host.starts_with(|first: char| first.is_ascii_alphanumeric()));
    (named || Path::new(address).is_absolute()) && !address.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[test]
    fn tags_of_a_repository_are_listed_by_name() {
        let sandbox = Sandbox::with_commit();
        let address = sandbox.root().to_string_lossy().into_owned();
        assert_eq!(sandbox.git().tags_at(&address).unwrap(), Vec::<String>::new());
        sandbox.run(&["tag", "v0.1.0"]);
        sandbox.run(&["-c", "user.name=a", "-c", "user.email=a@b", "tag", "-a", "v0.2.0", "-m", "x"]);
        let mut tags = sandbox.git().tags_at(&address).unwrap();
        tags.sort();
        assert_eq!(tags, ["v0.1.0", "v0.2.0"]);
    }

    #[test]
    fn only_https_addresses_and_folders_are_accepted() {
        let git = Sandbox::new().git();
        for address in [
            "",
            "--upload-pack=touch x",
            "ext::sh -c true",
            "http://example.org",
            "https://-x",
            "ssh://h/x",
            "a/b",
            "https://a\n",
        ] {
            let error = git.tags_at(address).unwrap_err();
            assert!(matches!(error, GitError::InvalidAddress { .. }), "{address:?}: {error}");
        }
        let dir = tempfile::tempdir().unwrap();
        let error = git.tags_at(&dir.path().to_string_lossy()).unwrap_err();
        assert!(matches!(error, GitError::Remote { .. }), "{error}");
    }
}
