//! Tests the program's error message if there is no display.
#![cfg(target_os = "linux")]

#[test]
fn without_a_display_the_alternative_is_named() {
    // The program under test, which no product code starts as a child.
    #[allow(clippy::disallowed_methods)]
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_beads-console-desktop"));
    for display in [None, Some(":4711")] {
        program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        program.envs(display.map(|display| ("DISPLAY", display)));
        let ended = program.output().expect("it starts");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.contains("no display") && said.contains("`beads-console serve`"), "{said}");
    }
}
