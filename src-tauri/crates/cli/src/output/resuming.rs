//! What a resume would do, in words.

use super::{Looks, Tone, field, indented, section};
use bc_core::{
    text::one_line,
    work::{CommitLine, FileLine},
};
use bc_wire::session::{ResumeConversation, ResumePreview};

/// The preview as a page.
pub(crate) fn preview(preview: &ResumePreview, looks: &Looks) -> String {
    let mut text = String::new();
    if let Some(bead) = &preview.bead {
        let by = bead.assignee.as_deref().map(|by| format!(", {}", one_line(by))).unwrap_or_default();
        let state =
            format!("{}  {} ({}{by})", bead.id, one_line(&bead.title), one_line(bead.status.as_str()));
        text.push_str(&field(looks, "Bead", &state));
    }
    text.push_str(&field(looks, "Folder", &one_line(&preview.folder.cwd)));
    if let Some(branch) = &preview.folder.branch {
        text.push_str(&field(looks, "Branch", &one_line(branch)));
    }
    let conversation = match preview.conversation {
        ResumeConversation::Continues => "claude goes on with it",
        ResumeConversation::Begins => "nothing was said yet",
        ResumeConversation::Primed => "claude has it no more; a new one is told what was recorded",
    };
    text.push_str(&field(looks, "Talk", conversation));
    for obstacle in &preview.obstacles {
        text.push_str(&field(looks, "Decide", &looks.paint(Tone::Attention, &one_line(&obstacle.message))));
    }
    text.push_str(&section(looks, "Changed since the pause", &changes(preview)));
    text.push_str(&section(looks, "Prompt", &preview.prompt));
    text
}

fn changes(preview: &ResumePreview) -> String {
    let changes = &preview.changes;
    let mut lines = Vec::new();
    let commit = |c: &CommitLine| format!("{} {} ({})", c.short(), one_line(&c.subject), one_line(&c.author));
    let file = |f: &FileLine| format!("{}: {}", f.change.as_str(), one_line(&f.path));
    let mut list = |heading: String, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(heading);
            lines.push(indented(&items.join("\n"), "  "));
        }
    };
    list("commits by others on its branch".to_owned(), changes.commits.iter().map(commit).collect());
    let base = changes.base.as_ref().map(ToString::to_string).unwrap_or_default();
    list(format!("commits on {base}"), changes.base_commits.iter().map(commit).collect());
    list("files of the session".to_owned(), changes.files.iter().map(file).collect());
    let tree = changes.tree.iter().map(|tree| match tree.before_pause {
        true => format!("{} (as it was left)", file(&tree.file)),
        false => file(&tree.file),
    });
    list("not committed".to_owned(), tree.collect());
    lines.extend(changes.unknown.as_ref().map(|why| one_line(why)));
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}
