//! An imitation of claude's input box. Long pastes are shown as placeholders. Performs no I/O.

/// A paste that exceeds one of these limits is shown as a placeholder.
const SHOWN_CHARS: usize = 800;
const SHOWN_LINES: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    text: String,
    placeholder: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct InputBox {
    pieces: Vec<Piece>,
    pastes: usize,
}

impl InputBox {
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn insert(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(piece) if piece.placeholder.is_none() => piece.text.push_str(text),
            _ => self.pieces.push(Piece { text: text.to_owned(), placeholder: None }),
        }
    }

    pub(crate) fn paste(&mut self, text: &str) {
        let lines = text.lines().count();
        if text.chars().count() <= SHOWN_CHARS && lines <= SHOWN_LINES {
            return self.insert(text);
        }
        self.pastes += 1;
        let placeholder = format!("[Pasted text #{} +{lines} lines]", self.pastes);
        self.pieces.push(Piece { text: text.to_owned(), placeholder: Some(placeholder) });
    }

    /// Deletes the last character, or the last paste if it is shown as a placeholder.
    pub(crate) fn backspace(&mut self) {
        let Some(piece) = self.pieces.last_mut() else { return };
        piece.text.pop();
        if piece.placeholder.is_some() || piece.text.is_empty() {
            self.pieces.pop();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
    }

    /// Returns the whole text, including the pastes, and empties the box.
    pub(crate) fn take(&mut self) -> String {
        self.pieces.drain(..).map(|piece| piece.text).collect()
    }

    /// The text on the screen, with placeholders for long pastes.
    pub(crate) fn shown(&self) -> String {
        self.pieces.iter().map(|piece| piece.placeholder.as_ref().unwrap_or(&piece.text).as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paste_is_shown_as_a_placeholder_and_sent_completely() {
        let mut editor = InputBox::default();
        editor.insert("see ");
        editor.paste(&"line\n".repeat(50));
        editor.insert("!");
        assert_eq!(editor.shown(), "see [Pasted text #1 +50 lines]!");
        assert_eq!(editor.take(), format!("see {}!", "line\n".repeat(50)));
        assert!(editor.is_empty());
    }

    #[test]
    fn backspace_removes_a_character_or_a_placeholder() {
        let mut editor = InputBox::default();
        editor.paste("größe");
        editor.backspace();
        assert_eq!(editor.shown(), "größ");
        editor.paste(&"x".repeat(900));
        editor.backspace();
        assert_eq!(editor.shown(), "größ");
        editor.clear();
        editor.backspace();
        assert!(editor.is_empty());
    }
}
