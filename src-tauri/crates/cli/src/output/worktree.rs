//! Worktrees: lists, and the results of changes.

use super::{Cell, Style, Table, Tone, field, units::size_at_least};
use bc_core::text::{one_line, plain};
use bc_wire::worktree::*;

pub(crate) fn all(worktrees: &Worktrees, style: &Style) -> String {
    if worktrees.worktrees.is_empty() {
        return format!("No worktrees. New ones are created in {}.\n", one_line(&worktrees.folder));
    }
    let mut table = Table::new(&["BRANCH", "SIZE", "STATE", "SESSION", "BEAD", "FOLDER"], 5);
    for tree in &worktrees.worktrees {
        let (tone, state) = state(tree);
        let session = tree.session.as_ref().map(|session| session.id.short()).unwrap_or_default();
        table.row(vec![
            Cell::new(Tone::Strong, tree.branch.as_deref().unwrap_or("(no branch)")),
            Cell::plain(&tree.bytes.map(|bytes| size_at_least(bytes, tree.counted)).unwrap_or_default()),
            Cell::new(tone, &state),
            Cell::plain(&session),
            Cell::plain(tree.bead_id.as_ref().map_or("", |bead| bead.as_str())),
            Cell::plain(&tree.path),
        ]);
    }
    format!(
        "{}\n{} in total\n",
        table.print(style),
        size_at_least(worktrees.bytes, worktrees.worktrees.iter().all(|t| t.counted))
    )
}

fn state(tree: &WorktreeShown) -> (Tone, String) {
    match (tree.state, &tree.trouble) {
        (_, Some(_)) => (Tone::Bad, "cannot be inspected".to_owned()),
        (WorktreeState::Gone, None) => (Tone::Bad, "missing".to_owned()),
        (WorktreeState::Moved, None) => {
            (Tone::Bad, format!("moved to {}", tree.moved_to.as_deref().unwrap_or("?")))
        }
        (WorktreeState::Here, None) if tree.clean => (
            Tone::Good,
            match tree.commits {
                0 => "clean".to_owned(),
                n => format!("clean, {n} commits on no other branch"),
            },
        ),
        (WorktreeState::Here, None) => {
            let counts = [
                (tree.uncommitted, "uncommitted"),
                (tree.untracked, "untracked"),
                (tree.commits, "commits on no other branch"),
            ];
            let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
            (Tone::Attention, counts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The files, submodules and commits that the removal of a worktree would lose.
pub(crate) fn loss(loss: &WorktreeLoss, style: &Style) -> String {
    let mut text = format!("{}\n", style.paint(Tone::Strong, &one_line(&loss.path)));
    text.extend(loss.branch.as_ref().map(|branch| field(style, "Branch", branch)));
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("  {}\n", one_line(line))));
        }
    };
    list(
        "Uncommitted changes",
        loss.uncommitted.iter().map(|line| format!("{} {}", line.change.as_str(), line.path)).collect(),
    );
    list("Untracked files", loss.untracked.clone());
    list("Submodules with their own repositories", loss.submodules.clone());
    let kept = match &loss.branch {
        Some(branch) => format!("Commits on no other branch; they stay on {branch}"),
        None => "Commits on no branch".to_owned(),
    };
    let short = |hash: &str| hash.get(..8).unwrap_or(hash).to_owned();
    list(&kept, loss.commits.iter().map(|c| format!("{} {}", short(&c.hash), c.subject)).collect());
    text.push_str(if loss.clean { "\nRemoving it loses nothing.\n" } else { "\nRemoving it loses this.\n" });
    text
}

pub(crate) fn removed(removed: &WorktreeRemoved, _: &Style) -> String {
    let stays = removed.branch.as_ref().map(|branch| format!("; its branch {} stays", one_line(branch)));
    format!("removed {}{}\n", one_line(&removed.path), stays.unwrap_or_default())
}

pub(crate) fn restored(restored: &WorktreeRestored, _: &Style) -> String {
    match &restored.action {
        Some(action) => format!("{}\n{}\n", one_line(action), one_line(&restored.path)),
        None => format!("restored {}\n", one_line(&restored.path)),
    }
}

pub(crate) fn setup(setup: &WorktreeSetup, style: &Style) -> String {
    let state = match setup.state {
        SetupState::None => {
            return "No setup command. Set one with `beads-console fleet settings worktree_setup …`.\n"
                .to_owned();
        }
        SetupState::Own => (Tone::Good, "runs: it uses no file of the repository"),
        SetupState::Allowed => (Tone::Good, "runs: you allowed the repository files that it runs"),
        SetupState::Asks => {
            (Tone::Attention, "does not run: you have not allowed the current repository files that it runs")
        }
    };
    let mut text =
        format!("{} · {}\n", one_line(&shell_words::join(&setup.command)), style.paint(state.0, state.1));
    if !setup.files.is_empty() {
        text.push_str(&field(style, "Files", &one_line(&setup.files.join(", "))));
    }
    if !setup.change.is_empty() {
        text.push_str(&format!("\n{}\n", plain(&setup.change)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_counts_what_would_be_lost() {
        let tree = WorktreeShown {
            path: "/p-worktrees/a".into(),
            state: WorktreeState::Here,
            moved_to: None,
            branch: Some("a".into()),
            locked: false,
            session: None,
            bead_id: None,
            bytes: Some(1),
            counted: true,
            clean: false,
            uncommitted: 2,
            untracked: 0,
            commits: 1,
            trouble: None,
        };
        assert_eq!(state(&tree).1, "2 uncommitted, 1 commits on no other branch");
        assert_eq!(state(&WorktreeShown { clean: true, commits: 0, ..tree }).1, "clean");
    }
}
