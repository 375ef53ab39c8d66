//! Places an entry of the execution log in a bead's notes.

/// The heading above all entries.
pub const HEADING: &str = "## Execution Log";

/// The edit that adds an entry to the notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesEdit {
    /// Append this text, so that concurrent changes by others are kept.
    Append(String),
    Replace(String),
    /// No edit is needed: the entry is empty or already present.
    Nothing,
}

/// The edit that adds an entry under [`HEADING`]. An entry with the same first line, from an earlier attempt,
/// is replaced.
pub fn with_log(notes: &str, entry: &str) -> NotesEdit {
    let entry = entry.trim_end();
    let entry = entry.strip_prefix(HEADING).map_or(entry, str::trim_start);
    if entry.trim().is_empty() {
        return NotesEdit::Nothing;
    }
    let lines: Vec<&str> = notes.lines().collect();
    let Some(start) = lines.iter().position(|line| line.trim_end() == HEADING) else {
        let gap = if notes.trim().is_empty() { "" } else { "\n" };
        return NotesEdit::Append(format!("{gap}{HEADING}\n\n{entry}"));
    };
    let end = section_end(&lines, start + 1, "## ");
    let first = entry.lines().next().unwrap_or_default();
    if let Some(old) = lines[start..end].iter().position(|line| line.trim_end() == first) {
        let old = start + old;
        let old_end = section_end(&lines, old + 1, "### ").min(end);
        let before = lines[..old].join("\n");
        let after = lines[old_end..].join("\n");
        let whole = joined(&[&before, entry, &after]);
        return if whole.trim_end() == notes.trim_end() {
            NotesEdit::Nothing
        } else {
            NotesEdit::Replace(whole)
        };
    }
    match lines[end..].iter().all(|line| line.trim().is_empty()) {
        true => NotesEdit::Append(format!("\n{entry}")),
        false => {
            let (before, after) = (lines[..end].join("\n"), lines[end..].join("\n"));
            NotesEdit::Replace(joined(&[&before, entry, &after]))
        }
    }
}

/// The end of a section that begins before `from`: the next heading of the same or a higher level.
fn section_end(lines: &[&str], from: usize, level: &str) -> usize {
    let ends = |line: &&str| {
        let hashes = line.chars().take_while(|c| *c == '#').count();
        (1..level.len()).contains(&hashes) && line[hashes..].starts_with(' ')
    };
    lines[from..].iter().position(ends).map_or(lines.len(), |at| from + at)
}

fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> =
        parts.iter().map(|part| part.trim_matches('\n')).filter(|p| !p.is_empty()).collect();
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "### session 1\n\n- Files: none\n";

    #[test]
    fn the_first_entry_comes_with_the_heading() {
        let entry = "## Execution Log\n\n### session 1\n\n- Files: none";
        assert_eq!(with_log("", ENTRY), NotesEdit::Append(entry.into()));
        assert_eq!(with_log("Mind the cookies.", ENTRY), NotesEdit::Append(format!("\n{entry}")));
        assert_eq!(with_log("", &format!("{HEADING}\n\n{ENTRY}")), NotesEdit::Append(entry.into()));
    }

    #[test]
    fn another_session_adds_its_entry_below() {
        let notes = "x\n\n## Execution Log\n\n### session 1\n\n- Files: none";
        let two = "### session 2\n\n- Files: 1 new";
        assert_eq!(with_log(notes, two), NotesEdit::Append(format!("\n{two}")));
        let more = format!("{notes}\n\n## Later\n\nother");
        assert_eq!(
            with_log(&more, two),
            NotesEdit::Replace(format!("{notes}\n\n{two}\n\n## Later\n\nother"))
        );
    }

    #[test]
    fn a_session_replaces_its_earlier_entry() {
        let notes = "## Execution Log\n\n### session 1\n\n- Files: old\n\n### session 2\n\n- x\n\n## Later";
        let expect = "## Execution Log\n\n### session 1\n\n- Files: none\n\n### session 2\n\n- x\n\n## Later";
        assert_eq!(with_log(notes, ENTRY), NotesEdit::Replace(expect.into()));
        assert_eq!(with_log(expect, ENTRY), NotesEdit::Nothing);
    }

    #[test]
    fn an_empty_entry_changes_nothing() {
        assert_eq!(with_log("x", " \n"), NotesEdit::Nothing);
        assert_eq!(with_log("x", HEADING), NotesEdit::Nothing);
    }
}
