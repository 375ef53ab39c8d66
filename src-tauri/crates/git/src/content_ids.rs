//! Identifies the two contents of a difference by their git object ids, so that a difference that the user has
//! reviewed is recognized later. A file keeps its id when it is committed unchanged.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ContentIds {
    was: Option<String>,
    pub(crate) is: Option<String>,
    mode: Option<String>,
}

impl ContentIds {
    /// Parses the modes, hashes and letter of a raw line: `:100644 100644 1f… 2e… M`.
    pub(crate) fn of_raw(head: &[u8]) -> Option<ContentIds> {
        let mut fields = std::str::from_utf8(head).ok()?.strip_prefix(':')?.split(' ');
        let (old, new) = (fields.next()?, fields.next()?);
        let (was, is) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let gone = fields.next()?.starts_with('D');
        // In a raw line, a null id of the new content means that the content is only in the working tree and
        // has no id yet. Only for a deleted file is the null id the real value.
        let is = (gone || !is_null(&is)).then_some(is);
        let mode = (!gone && !is_null(old) && old != new).then(|| new.to_owned());
        Some(ContentIds { was: Some(was), is, mode })
    }

    /// Adds a missing id of the new content from the head of a patch, which has it unless only the mode differs.
    pub(crate) fn complete(&mut self, patch: &str) {
        if self.is.is_none() {
            let head = patch.split_once("\n@@").map_or(patch, |(head, _)| head);
            let names = head.lines().find_map(|line| line.strip_prefix("index "));
            let new = names.and_then(|names| names.split(' ').next()?.split_once(".."));
            self.is = new.map(|(_, new)| new.to_owned());
        }
    }

    /// Whether the old content is the same as another file's new content.
    pub(crate) fn was_content_of(&self, other: &ContentIds) -> bool {
        self.was.is_some() && self.was == other.is
    }

    pub(crate) fn old(&self) -> Option<&str> {
        self.was.as_deref()
    }

    /// One string that identifies both contents and a changed mode; `None` if the new content's id is unknown.
    pub(crate) fn name(&self) -> Option<String> {
        let was = self.was.as_deref().unwrap_or_default().trim_start_matches('0');
        let mode = self.mode.as_ref().map_or_else(String::new, |mode| format!(" {mode}"));
        self.is.as_ref().map(|is| format!("{was}..{is}{mode}"))
    }
}

fn is_null(name: &str) -> bool {
    name.bytes().all(|byte| byte == b'0')
}
