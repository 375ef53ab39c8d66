//! Tests the program's error message if there is no display.
#![cfg(target_os = "linux")]

#[test]
fn without_a_display_the_alternative_is_named() {
    #[allow(clippy::disallowed_methods, reason = "the test starts the program as a user does")]
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_beads-console-desktop"));
    for display in [None, Some(":4711")] {
        program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        program.envs(display.map(|display| ("DISPLAY", display)));
        let ended = program.output().expect("the program starts");
        let error = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{error}");
        assert!(error.contains("no display") && error.contains("`beads-console serve`"), "{error}");
    }
}
