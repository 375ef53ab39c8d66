//! Signs packages. Environment variables enable signing; without them, packages are not signed.
//!
//! Tauri's tool reads most of them itself: `APPLE_SIGNING_IDENTITY`, `APPLE_CERTIFICATE` and
//! `APPLE_CERTIFICATE_PASSWORD` to sign an app; `APPLE_ID`, `APPLE_PASSWORD` and `APPLE_TEAM_ID` (or
//! `APPLE_API_KEY`, `APPLE_API_ISSUER` and `APPLE_API_KEY_PATH`) to notarise it; `TAURI_SIGNING_RPM_KEY` and
//! `TAURI_SIGNING_RPM_KEY_PASSPHRASE` to sign an rpm.

use serde_json::json;

/// The variable with the command that signs a program or an installer on Windows. `%1` stands for the file.
const WINDOWS: &str = "BC_WINDOWS_SIGN_COMMAND";

/// Returns additional arguments for Tauri's tool that enable signing.
pub(super) fn configuration() -> Vec<String> {
    configuration_for(std::env::var(WINDOWS).ok().as_deref())
}

fn configuration_for(command: Option<&str>) -> Vec<String> {
    match command.map(str::trim).filter(|command| !command.is_empty()) {
        Some(command) => {
            let signing = json!({ "bundle": { "windows": { "signCommand": command } } });
            vec!["--config".to_owned(), signing.to_string()]
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_from_the_environment_is_passed_on() {
        assert_eq!(configuration_for(None), Vec::<String>::new());
        assert_eq!(configuration_for(Some(" ")), Vec::<String>::new());
        let passed = configuration_for(Some("signtool sign /fd SHA256 \"%1\""));
        assert_eq!(passed[1], r#"{"bundle":{"windows":{"signCommand":"signtool sign /fd SHA256 \"%1\""}}}"#);
    }
}
