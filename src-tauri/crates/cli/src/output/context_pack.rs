//! A context pack before it is sent.

use super::{Cell, Style, Table, Tone, units::count};
use bc_core::text::{one_line, plain};
use bc_wire::session::{PackKind, PackPiece, PackPreview, PackState};

/// The pieces with their reasons; with `text`, also the text of the included ones.
pub(crate) fn preview(pack: &PackPreview, text: bool, style: &Style) -> String {
    let mut out = String::new();
    if pack.pieces.is_empty() {
        out.push_str("The context pack is empty: no file matches.\n");
    } else {
        let mut table = Table::new(&["PIECE", "KIND", "TOKENS", "RELEVANCE", "STATE", "REASON"], 5);
        for piece in &pack.pieces {
            let (tone, state) = state(piece);
            table.row(vec![
                Cell::new(Tone::Strong, &place(piece)),
                Cell::plain(kind(piece.kind)),
                Cell::plain(&count(piece.tokens.into())),
                Cell::plain(&format!("{:.0} %", piece.relevance.clamp(0.0, 1.0) * 100.0)),
                Cell::new(tone, state),
                Cell::new(Tone::Faint, &piece.reason),
            ]);
        }
        out.push_str(&table.print(style));
    }
    out.push_str(&format!("\n{} of {} tokens\n", count(pack.tokens.into()), count(pack.budget.into())));
    for template in &pack.templates {
        let about = match (&template.problem, &template.description) {
            (Some(problem), _) => format!(": {}", one_line(&problem.message)),
            (None, Some(description)) => format!(": {}", one_line(description)),
            (None, None) => String::new(),
        };
        out.push_str(&format!("Template {}{about}\n", one_line(&template.name)));
    }
    if text {
        for piece in pack.pieces.iter().filter(|piece| piece.state == PackState::Included) {
            for excerpt in &piece.excerpts {
                let (first, last) = (excerpt.first, excerpt.last);
                let lines = if excerpt.whole { String::new() } else { format!(":{first}-{last}") };
                let heading = format!("{}{lines}", one_line(&piece.path));
                out.push_str(&format!("\n{}\n{}", style.paint(Tone::Strong, &heading), plain(&excerpt.text)));
            }
        }
    }
    out
}

/// The key of the piece; for excerpts, also their line numbers.
fn place(piece: &PackPiece) -> String {
    let parts: Vec<String> = piece
        .excerpts
        .iter()
        .filter(|excerpt| !excerpt.whole)
        .map(|excerpt| format!("{}-{}", excerpt.first, excerpt.last))
        .collect();
    match (piece.kind, parts.is_empty()) {
        (PackKind::Symbols | PackKind::Commits, _) | (_, true) => piece.key.clone(),
        (_, false) => format!("{}:{}", piece.key, parts.join(",")),
    }
}

fn state(piece: &PackPiece) -> (Tone, &'static str) {
    match (piece.state, piece.pinned) {
        (PackState::Included, true) => (Tone::Good, "pinned"),
        (PackState::Included, false) => (Tone::Good, "included"),
        (PackState::LeftOut, _) => (Tone::Attention, "left out"),
        (PackState::Removed, _) => (Tone::Faint, "removed"),
    }
}

fn kind(kind: PackKind) -> &'static str {
    match kind {
        PackKind::Added => "added",
        PackKind::Named => "named",
        PackKind::Template => "template",
        PackKind::Match => "match",
        PackKind::Earlier => "earlier session",
        PackKind::Convention => "convention",
        PackKind::Config => "configuration",
        PackKind::Symbols => "definitions",
        PackKind::Commits => "commits",
    }
}
