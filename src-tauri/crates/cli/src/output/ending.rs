//! Ends, and what becomes of old sessions, in words.

use super::{Cell, Looks, Table, Tone, moment, section, session};
use bc_core::text::{one_line, plain};
use bc_wire::session::{CleanedUp, Deleted, EndPreview, Trash};

/// What an end would ask.
pub(crate) fn preview(preview: &EndPreview, looks: &Looks) -> String {
    let mut text = match &preview.bead {
        Some(bead) => format!(
            "{}  {} is {}\n",
            looks.paint(Tone::Strong, bead.id.as_str()),
            one_line(&bead.title),
            one_line(bead.status.as_str())
        ),
        None => String::new(),
    };
    if preview.suggest_review {
        text.push_str("  `--review` moves it to in review\n");
    }
    text.push_str(&section(looks, "Execution log", &preview.log));
    text
}

/// What was deleted, and how to bring it back.
pub(crate) fn deleted(deleted: &Deleted, dry_run: bool, looks: &Looks) -> String {
    let mut text = String::new();
    for view in &deleted.sessions {
        let id = view.meta.id.short();
        let title = one_line(session::title(view));
        match dry_run {
            true => text.push_str(&format!("would delete {}  {title}\n", looks.paint(Tone::Strong, &id))),
            false => text.push_str(&format!(
                "deleted {}  {title}\n  beads-console session restore {id}\n",
                looks.paint(Tone::Strong, &id)
            )),
        }
    }
    for refused in &deleted.refused {
        let what = plain(&refused.error.message);
        text.push_str(&format!("{} {what}\n", looks.paint(Tone::Bad, "not deleted:")));
    }
    if text.is_empty() { "No closed session is in that range.\n".to_owned() } else { text }
}

/// What is in the trash folder.
pub(crate) fn trash(trash: &Trash, looks: &Looks) -> String {
    if trash.sessions.is_empty() {
        return "The trash folder is empty.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "BEAD", "DELETED", "UNTIL", "TITLE"], 4);
    for trashed in &trash.sessions {
        table.row(vec![
            Cell::new(Tone::Strong, &trashed.meta.id.short()),
            Cell::plain(trashed.meta.bead_id.as_ref().map(|id| id.as_str()).unwrap_or_default()),
            Cell::new(Tone::Faint, &moment(looks, &trashed.deleted_at)),
            Cell::new(Tone::Faint, &moment(looks, &trashed.removed_at)),
            Cell::plain(trashed.meta.title.as_deref().unwrap_or("Untitled session")),
        ]);
    }
    table.print(looks)
}

/// What a cleanup did.
pub(crate) fn cleaned(cleaned: &CleanedUp) -> String {
    let drafts = match cleaned.closed_drafts.len() {
        1 => "1 draft that nobody started was closed".to_owned(),
        n => format!("{n} drafts that nobody started were closed"),
    };
    let removed = match cleaned.removed.len() {
        1 => "1 session was removed from the trash folder for good".to_owned(),
        n => format!("{n} sessions were removed from the trash folder for good"),
    };
    format!("{drafts}\n{removed}\n")
}
