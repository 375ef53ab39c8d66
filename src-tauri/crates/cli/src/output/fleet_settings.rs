//! The fleet settings, one line each.

use super::{Cell, Style, Table, Tone, settings::fields};
use bc_core::fleet::FleetSettings;
use serde_json::Value;

pub(crate) fn all(settings: &FleetSettings, style: &Style) -> String {
    let default = rows(&FleetSettings::default());
    let mut table = Table::new(&["KEY", "VALUE"], 1);
    for (key, value) in rows(settings) {
        let tone = if default.contains(&(key.clone(), value.clone())) { Tone::Faint } else { Tone::Plain };
        table.row(vec![Cell::new(Tone::Strong, &key), Cell::new(tone, &value)]);
    }
    table.print(style)
}

/// The value of a setting. A key with several fields, such as `runners` or `runners.NAME`, has one line per
/// field.
pub(crate) fn one(settings: &FleetSettings, key: &str) -> String {
    let of_it = |name: &str| name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let found: Vec<(String, String)> = rows(settings).into_iter().filter(|(name, _)| of_it(name)).collect();
    match found.as_slice() {
        [(name, value)] if name == key => format!("{value}\n"),
        several => several.iter().map(|(name, value)| format!("{name}  {value}\n")).collect(),
    }
}

/// Names and values; each field of a runner has its own row.
fn rows(settings: &FleetSettings) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (key, value) in fields(settings) {
        match key.as_str() {
            "runners" => {
                for (name, runner) in &settings.runners {
                    rows.push((format!("runners.{name}"), shell_words::join(&runner.command)));
                    rows.push((format!("runners.{name}.probe"), shell_words::join(&runner.probe)));
                    for (field, path) in [("program", &runner.program), ("console", &runner.console)] {
                        rows.extend(
                            path.iter().map(|path| (format!("runners.{name}.{field}"), path.clone())),
                        );
                    }
                }
            }
            _ => rows.push((key, word(value))),
        }
    }
    rows
}

fn word(value: Value) -> String {
    match value {
        Value::Bool(true) => "on".to_owned(),
        Value::Bool(false) => "off".to_owned(),
        Value::String(text) => text,
        Value::Array(words) => {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            shell_words::join(&words)
        }
        Value::Null => "-".to_owned(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::fleet::Runner;

    #[test]
    fn all_settings_are_lines_and_a_single_one_is_its_value() {
        let runner =
            Runner { command: vec!["ssh".into(), "a b".into(), "{program}".into()], ..Runner::default() };
        let settings = FleetSettings {
            runners: [("far".to_owned(), runner)].into(),
            worktree_setup: vec!["npm".into(), "ci".into()],
            ..FleetSettings::default()
        };
        let text = all(&settings, &Style::default());
        assert!(text.contains("auto_dispatch           off\n"), "{text}");
        assert!(text.contains("runners.far             ssh 'a b' {program}\n"), "{text}");
        assert_eq!(one(&settings, "worktree_setup"), "npm ci\n");
        assert_eq!(one(&settings, "runners.far"), "runners.far  ssh 'a b' {program}\nrunners.far.probe  \n");
        assert_eq!(one(&settings, "model"), "-\n");
    }
}
