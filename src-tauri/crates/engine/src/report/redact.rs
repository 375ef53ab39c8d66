//! Removes from a report the data that identifies the user or grants access: the home folder, the user name,
//! and secrets.

use bc_redact::redact_text;

/// The minimum length of a user name that is replaced, in bytes; shorter names are often ordinary words.
const NAME_MIN: usize = 3;

pub(super) struct Redactor {
    /// The names with their replacements; the home folder comes first, because it can contain the user name.
    names: Vec<(String, &'static str)>,
    removed: u32,
}

impl Redactor {
    pub(super) fn for_this_user() -> Redactor {
        let home = std::env::home_dir().map(|home| home.display().to_string());
        let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        Redactor::new(home, user)
    }

    fn new(home: Option<String>, user: Option<String>) -> Redactor {
        let home = home.filter(|home| home.len() > 1).map(|home| (home, "~"));
        let user = user.filter(|user| user.len() >= NAME_MIN && user != "root").map(|user| (user, "USER"));
        Redactor { names: home.into_iter().chain(user).collect(), removed: 0 }
    }

    pub(super) fn text(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        // Search line by line, so that no rule matches across lines.
        for line in text.split_inclusive('\n') {
            let (line, removed) = redact_text(line);
            self.removed += removed;
            out.push_str(&line);
        }
        self.names.iter().fold(out, |out, (name, by)| replaced(&out, name, by))
    }

    /// The number of removed secrets.
    pub(super) fn removed(&self) -> u32 {
        self.removed
    }
}

/// Replaces a name unless it is part of a longer word.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let whole = !before.ends_with(word) && !after.starts_with(word);
        out.push_str(before);
        out.push_str(if whole { by } else { name });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let mut redactor = Redactor::new(Some("/home/ann".to_owned()), Some("ann".to_owned()));
        assert_eq!(redactor.text(text), expect);
    }

    #[test]
    fn the_home_folder_and_the_user_are_replaced_as_whole_words() {
        check("at /home/ann/work, /home/anna/work", "at ~/work, /home/anna/work");
        check("user ann, an annotation, ann_1", "user USER, an annotation, ann_1");
    }

    #[test]
    fn secrets_are_removed_and_counted_line_by_line() {
        let mut redactor = Redactor::new(None, None);
        let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).expect("long enough"));
        let text = redactor.text(&format!("first\ntoken = \"{key}\"\nlast\n"));
        assert!(!text.contains(&key) && text.starts_with("first\n") && text.ends_with("\nlast\n"), "{text}");
        assert_eq!(redactor.removed(), 1);
    }
}
