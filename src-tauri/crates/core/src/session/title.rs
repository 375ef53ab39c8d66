//! Derives a title for a session that has none.

/// The maximum length of a title made from text, in characters.
const TITLE_MAX: usize = 60;

/// Derives a title from the first line of the objective, or else of the first prompt, cut to 60 characters.
/// Lines without text are skipped; `None` without any text.
pub fn title_from(objective: Option<&str>, first_prompt: Option<&str>) -> Option<String> {
    [objective, first_prompt].into_iter().flatten().find_map(|text| {
        let text = crate::text::plain(text);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(crate::text::cut(&crate::text::one_line(line), TITLE_MAX))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_objective_comes_before_the_prompt() {
        assert_eq!(title_from(Some("Make it fast"), Some("do it")).as_deref(), Some("Make it fast"));
        assert_eq!(title_from(None, Some("do it")).as_deref(), Some("do it"));
        assert_eq!(title_from(Some(" \n\t"), Some("do it")).as_deref(), Some("do it"));
        assert_eq!(title_from(None, None), None);
    }

    #[test]
    fn the_title_is_the_first_visible_line_cut_to_sixty_characters() {
        assert_eq!(
            title_from(Some("\n\u{1b}[2J\n  First\tline \nsecond"), None).as_deref(),
            Some("First line")
        );
        let long = title_from(Some(&"wörter ".repeat(20)), None).unwrap();
        assert!(long.chars().count() <= 60 && long.ends_with('…'), "{long:?}");
    }
}
