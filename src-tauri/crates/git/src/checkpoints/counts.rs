//! Counts the changed files and lines between checkpoints, with one git process for a whole list.

use crate::{
    commit_builder::ObjectId,
    error::GitError,
    program::{path_from, refusal},
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
        let lines = differ.iter().map(|&at| format!("{} {}\n", pairs[at].0.as_str(), pairs[at].1.as_str()));
        let input: String = lines.collect();
        let args = [
            "diff-tree",
            "--stdin",
            "-r",
            "-z",
            "--numstat",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
        ];
        let done = self.git().make(DOING, self.top_level(), &args, input.as_bytes(), &[])?;
        if !done.ok() {
            return Err(refusal(DOING, self.top_level(), &done));
        }
        // Each pair begins with its two hashes on a line; a record of a file is `ADDED\tREMOVED\tPATH\0`.
        let heads: Vec<String> =
            differ.iter().map(|&at| format!("{} {}\n", pairs[at].0.as_str(), pairs[at].1.as_str())).collect();
        let mut rest = done.stdout.as_slice();
        let mut next = 0;
        let mut current = None;
        while !rest.is_empty() {
            if next < heads.len() && rest.starts_with(heads[next].as_bytes()) {
                rest = &rest[heads[next].len()..];
                current = Some(differ[next]);
                next += 1;
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
