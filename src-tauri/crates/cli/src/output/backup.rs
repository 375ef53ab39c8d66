//! Backups: the result of a backup or restore, and the status.

use super::{
    Style, Tone, field,
    units::{moment, number_of},
};
use bc_core::text::{one_line, plain};
use bc_wire::backup::*;

pub(crate) fn done(done: &BackupDone, style: &Style) -> String {
    let Some(commit) = &done.commit else { return "Nothing to do.\n".to_owned() };
    let short = style.paint(Tone::Strong, &format!("{commit:.10}"));
    let mut text = match done.changed {
        true => format!("Backed up {} as {short} on the branch beads-backup\n", counted(done.counts)),
        false => format!("No changes: {} are in {short} on the branch beads-backup\n", counted(done.counts)),
    };
    if done.secrets_removed > 0 {
        let what = number_of(done.secrets_removed, "secret", "secrets");
        text.push_str(&format!("{what} redacted; --keep-secrets keeps them\n"));
    }
    match &done.push {
        BackupPush::NotWanted => {}
        BackupPush::NoRemote => {
            text.push_str(
                &style.paint(Tone::Attention, "Not pushed: there is no remote, or none is named origin\n"),
            );
        }
        BackupPush::Done { remote } => text.push_str(&format!("Pushed to {}\n", one_line(remote))),
        BackupPush::Failed { remote, error } => {
            let what = format!("Not pushed to {}: {}\n", one_line(remote), one_line(error));
            text.push_str(&style.paint(Tone::Bad, &what));
            text.push_str("The backup is safe on this machine; the next backup retries the push\n");
        }
    }
    text + &warnings(&done.warnings, style)
}

/// The result of a restore; with `would`, its preview.
pub(crate) fn restore(plan: &Restore, would: bool, style: &Style) -> String {
    let from: Vec<String> = plan.from.iter().map(|commit| format!("{commit:.10}")).collect();
    let at = plan.made_at.as_ref().map(|at| format!(", created {}", moment(style, at))).unwrap_or_default();
    let mut text = format!("From {}{at}: {}\n", from.join(" and "), counted(plan.counts));
    if plan.fresh_tracker && would {
        text.push_str("The tracker has no database on this machine yet; it is created first\n");
    }
    for item in &plan.items {
        let word = match (item.change, would) {
            (RestoreChange::Added, true) => "to add",
            (RestoreChange::Added, false) => "added",
            (RestoreChange::Changed, true) => "to update",
            (RestoreChange::Changed, false) => "updated",
            (RestoreChange::Kept, _) => "unchanged",
        };
        let kind = match item.kind {
            RestoreKind::Bead => "bead",
            RestoreKind::Memory => "memory",
            RestoreKind::Session => "session",
        };
        let key = style.paint(Tone::Strong, &one_line(&item.key));
        text.push_str(&format!("{word:<14} {kind:<8} {key}  {}\n", one_line(&item.title)));
    }
    let parts = [("beads", plan.beads), ("memories", plan.memories), ("sessions", plan.sessions)];
    let news: u32 = parts.iter().map(|(_, counts)| counts.added + counts.changed).sum();
    if news == 0 {
        text.push_str("Nothing to restore: everything is already on this machine\n");
    }
    text + &warnings(&plan.warnings, style)
}

/// The state of the three places: this machine, the backup branch, the tracker's remote.
pub(crate) fn status(status: &BackupStatus, style: &Style) -> String {
    let BackupStatus { local, branch, tracker } = status;
    let state = match &local.problem {
        Some(problem) => one_line(problem),
        None => format!("{}, {}", one_line(&local.tracker), number_of(local.sessions, "session", "sessions")),
    };
    let mut text = field(style, "Machine", &state);
    let made = match (&branch.commit, branch.counts) {
        (Some(commit), Some(counts)) => format!("{} in {commit:.10}", counted(counts)),
        _ => "no backup yet".to_owned(),
    };
    text.push_str(&field(style, "Branch", &made));
    if let Some(at) = &branch.last_at {
        text.push_str(&field(style, "", &format!("last created {}", moment(style, at))));
    }
    let when = if branch.at_end { "created when a session ends" } else { "created only on request" };
    let push = if branch.push { "pushed" } else { "not pushed" };
    let conversations = if branch.transcripts { "with conversations" } else { "without conversations" };
    text.push_str(&field(style, "", &format!("{when}, {push}, {conversations}")));
    let remote = match &branch.remote {
        None => "no remote to push it to".to_owned(),
        Some(remote) => format!("{}: {} ahead, {} behind", one_line(remote), branch.ahead, branch.behind),
    };
    text.push_str(&field(style, "", &remote));
    for trouble in branch.problem.iter().chain(&branch.push_error) {
        text.push_str(&field(style, "", &style.paint(Tone::Attention, &one_line(trouble))));
    }
    let theirs = match (&tracker.problem, &tracker.remotes) {
        (Some(problem), _) => one_line(problem),
        (None, Some(remotes)) if !remotes.is_empty() => {
            let names = remotes.iter().map(|remote| format!("{} {}", remote.name, remote.url));
            one_line(&names.collect::<Vec<_>>().join(", "))
        }
        _ if tracker.possible => "not configured (`bd dolt remote add origin URL`)".to_owned(),
        _ => "not supported by this tracker".to_owned(),
    };
    text + &field(style, "Tracker's", &theirs)
}

fn warnings(warnings: &[String], style: &Style) -> String {
    warnings
        .iter()
        .map(|warning| format!("{} {}\n", style.paint(Tone::Attention, "Note:"), plain(warning)))
        .collect()
}

fn counted(counts: BackupCounts) -> String {
    let mut text = [
        number_of(counts.beads, "bead", "beads"),
        number_of(counts.memories, "memory", "memories"),
        number_of(counts.sessions, "session", "sessions"),
    ]
    .join(", ");
    if counts.transcripts > 0 {
        text.push_str(&format!(" ({} with conversations)", counts.transcripts));
    }
    text
}
