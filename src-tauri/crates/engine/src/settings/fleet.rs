//! The fleet's settings, which are a part of the user's settings for the project.

use super::{json_file, project};
use crate::context::{Project, Sessions};
use bc_core::fleet::FleetSettings;
use bc_wire::ApiError;
use serde_json::Value;

/// The key of the fleet's settings in the project's settings.
const PART: &str = "fleet";

/// The fleet's settings. A field that cannot be read has its default and does not affect the others.
pub(crate) fn fleet(project: &Project) -> FleetSettings {
    match project::part(project, PART) {
        Some(Value::Object(fields)) => json_file::readable(&fields),
        _ => FleetSettings::default(),
    }
}

/// Saves the settings without checking them.
pub(crate) fn save_fleet(project: &Project, _: &Sessions, wanted: &FleetSettings) -> Result<(), ApiError> {
    let value = serde_json::to_value(wanted).expect("settings have string keys");
    project::save_part(project, PART, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unreadable_field_does_not_affect_the_others() {
        let Value::Object(fields) = json!({"max_agents": "many", "auto_dispatch": true, "later": 1}) else {
            unreachable!()
        };
        let read: FleetSettings = json_file::readable(&fields);
        assert_eq!(read, FleetSettings { auto_dispatch: true, ..FleetSettings::default() });
    }
}
