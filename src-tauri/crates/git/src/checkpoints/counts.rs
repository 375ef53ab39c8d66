//! Counts the changed files and lines between checkpoints, with one git process for a whole list.

use crate::{
    commit_builder::ObjectId,
    error::GitError,
    program::{path_from, succeeded},
    repo::Repo,
    status::is_tracker_data,
};

/// The numbers of changed files and lines of a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileCount {
    pub files: u32,
    /// Added lines of text files.
    pub added: u32,
    /// Removed lines of text files.
    pub removed: u32,
}

impl Repo {
    /// The size of the difference between the two trees of each pair, without `.beads`.
    pub fn tree_counts(&self, pairs: &[(&ObjectId, &ObjectId)]) -> Result<Vec<FileCount>, GitError> {
        const DOING: &str = "count what changed between checkpoints";
        let mut counts = vec![FileCount::default(); pairs.len()];
        let differ: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].0 != pairs[at].1).collect();
        if differ.is_empty() {
            return Ok(counts);
        }
        let heads: Vec<String> =
            differ.iter().map(|&at| format!("{} {}\n", pairs[at].0.as_str(), pairs[at].1.as_str())).collect();
        let mut args = vec!["diff-tree", "--stdin", "-r", "-z", "--numstat", "--no-renames"];
        args.extend(["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]);
        let done = self.git().make(DOING, self.top_level(), &args, heads.concat().as_bytes(), &[])?;
        let done = succeeded(DOING, self.top_level(), done)?;
        // Git repeats each pair's line before its files; a record of a file is `ADDED\tREMOVED\tPATH\0`.
        let mut rest = done.stdout.as_slice();
        let mut upcoming = differ.iter().zip(&heads).peekable();
        let mut current = None;
        while !rest.is_empty() {
            if let Some((&at, head)) = upcoming.next_if(|(_, head)| rest.starts_with(head.as_bytes())) {
                rest = &rest[head.len()..];
                current = Some(at);
                continue;
            }
            let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
            if let Some(at) = current {
                add(&mut counts[at], &rest[..end]);
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        Ok(counts)
    }
}

fn add(count: &mut FileCount, record: &[u8]) {
    let mut fields = record.splitn(3, |&byte| byte == b'\t');
    let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
        return;
    };
    if is_tracker_data(&path_from(path)) {
        return;
    }
    // Git prints `-` for binary files.
    let number =
        |field: &[u8]| std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    count.files += 1;
    count.added = count.added.saturating_add(number(added));
    count.removed = count.removed.saturating_add(number(removed));
}
