//! Settings, one line each.

use super::{Cell, Style, Table, Tone};
use bc_wire::{app::Settings, settings::ProjectSettingsShown};
use serde_json::{Map, Value};

/// The user's settings. With a key, only the value of that setting.
pub(crate) fn of_user(settings: &Settings, key: Option<&str>, style: &Style) -> String {
    let fields = fields(settings);
    if let Some(key) = key {
        return format!("{}\n", word(fields.get(key)));
    }
    let mut table = Table::new(&["KEY", "VALUE"], 0);
    for (key, value) in &fields {
        table.row(vec![Cell::new(Tone::Strong, key), Cell::plain(&word(Some(value)))]);
    }
    table.print(style)
}

/// A project's effective settings, each with its origin: the project or the user.
pub(crate) fn of_project(shown: &ProjectSettingsShown, key: Option<&str>, style: &Style) -> String {
    let (own, held) = (fields(&shown.own), fields(&shown.in_force));
    if let Some(key) = key {
        return format!("{}\n", word(held.get(key)));
    }
    let mut table = Table::new(&["KEY", "VALUE", "FROM"], 0);
    for (key, value) in &held {
        let is_own = own.get(key).is_some_and(|value| !value.is_null());
        let from = if is_own { Cell::new(Tone::Good, "the project") } else { Cell::new(Tone::Faint, "you") };
        table.row(vec![Cell::new(Tone::Strong, key), Cell::plain(&word(Some(value))), from]);
    }
    table.print(style)
}

/// The settings' JSON fields by name.
pub(crate) fn fields(settings: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn word(value: Option<&Value>) -> String {
    match value {
        Some(Value::Bool(true)) => "on".to_owned(),
        Some(Value::Bool(false)) => "off".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) if list.is_empty() => "none".to_owned(),
        Some(Value::Array(list)) => list.iter().map(|one| word(Some(one))).collect::<Vec<_>>().join(","),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_wire::settings::{ProjectSettings, SettingsInForce};
    use expect_test::expect;

    #[test]
    fn project_settings_are_distinguished_from_user_settings() {
        let own = ProjectSettings { reviews: Some(false), ..ProjectSettings::default() };
        let in_force = SettingsInForce::of(&Settings::default(), &own);
        let shown = ProjectSettingsShown { own, in_force };
        expect![[r#"
            KEY                  VALUE  FROM
            single_active        off    you
            inactivity_minutes   30     you
            comment_commits      on     you
            comment_files        on     you
            checkpoint_comments  on     you
            remind_after_turns   8      you
            backup_at_end        on     you
            backup_push          off    you
            backup_transcripts   off    you
            reviews              off    the project
            auto_next            0      you
        "#]]
        .assert_eq(&of_project(&shown, None, &Style::default()));
        assert_eq!(of_project(&shown, Some("reviews"), &Style::default()), "off\n");
        assert!(of_user(&Settings::default(), None, &Style::default()).contains("theme"));
    }
}
