//! A title for a session that was given none.

/// The first line of the objective, else of the first prompt, cut to 60 characters.
pub fn title_from(objective: Option<&str>, first_prompt: Option<&str>) -> Option<String> {
    [objective, first_prompt].into_iter().flatten().find_map(|text| {
        let line = text.lines().map(str::trim).find(|l| !l.is_empty())?;
        Some(crate::text::cut(&crate::text::one_line(line), 60))
    })
}
