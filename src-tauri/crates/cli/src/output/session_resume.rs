//! The preview of a resume.

use super::{Style, Tone, field, indented, section};
use bc_core::{
    text::one_line,
    work::{CommitLine, FileLine},
};
use bc_wire::session::{ResumeConversation, ResumePreview};

pub(crate) fn preview(preview: &ResumePreview, style: &Style) -> String {
    let mut text = String::new();
    if let Some(bead) = &preview.bead {
        let by = bead.assignee.as_deref().map(|by| format!(", {}", one_line(by))).unwrap_or_default();
        let state =
            format!("{}  {} ({}{by})", bead.id, one_line(&bead.title), one_line(bead.status.as_str()));
        text.push_str(&field(style, "Bead", &state));
    }
    text.push_str(&field(style, "Folder", &one_line(&preview.folder.cwd)));
    text.extend(preview.folder.branch.as_ref().map(|branch| field(style, "Branch", &one_line(branch))));
    let conversation = match preview.conversation {
        ResumeConversation::Continues => "continues the conversation",
        ResumeConversation::Begins => "has no messages yet",
        ResumeConversation::Primed => "no longer has the conversation; a new one receives the record",
    };
    text.push_str(&field(style, "Claude", conversation));
    for obstacle in &preview.obstacles {
        text.push_str(&field(style, "Decide", &style.paint(Tone::Attention, &one_line(&obstacle.message))));
    }
    text.push_str(&section(style, "Changed since the pause", &changes(preview)));
    text.push_str(&section(style, "Prompt", &preview.prompt));
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
    let (yours, others): (Vec<&CommitLine>, Vec<&CommitLine>) =
        changes.commits.iter().partition(|c| changes.user_commits.contains(&c.hash));
    list("your commits on its branch".to_owned(), yours.into_iter().map(commit).collect());
    list("commits on its branch by others".to_owned(), others.into_iter().map(commit).collect());
    let base = changes.base.as_ref().map(ToString::to_string).unwrap_or_default();
    list(format!("commits on {base}"), changes.base_commits.iter().map(commit).collect());
    list("files of the session".to_owned(), changes.files.iter().map(file).collect());
    let tree = changes.tree.iter().map(|tree| match tree.before_pause {
        true => format!("{} (unchanged)", file(&tree.file)),
        false => file(&tree.file),
    });
    list("uncommitted".to_owned(), tree.collect());
    lines.extend(changes.unknown.as_ref().map(|why| one_line(why)));
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}
