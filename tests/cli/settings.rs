//! Settings of the user and of a project, from the command line.

use crate::{
    console::{Console, need_sim},
    session_states::write_settings,
};
use bc_testkit::Sandbox;
use serde_json::{Value, json};

#[test]
fn user_settings_are_shown_changed_and_reset_without_a_project() {
    let console = Console::in_sandbox(Sandbox::without_git("plain"));
    write_settings(&console, json!({"version": 1, "later": [1]}));
    assert_eq!(console.json(&["settings"])["inactivity_minutes"], 30);
    assert_eq!(console.ok(&["settings", "inactivity_minutes", "5"]), "5\n");
    assert_eq!(console.ok(&["settings", "enter_sends", "off"]), "off\n");
    let all = console.json(&["settings"]);
    assert_eq!(
        (&all["inactivity_minutes"], &all["enter_sends"], &all["theme"]),
        (&json!(5), &json!(false), &json!("system"))
    );
    assert_eq!(console.ok(&["settings", "inactivity_minutes", "default"]), "30\n");
    let file =
        std::fs::read_to_string(console.sandbox.home().join(".config/beads-console/settings.json")).unwrap();
    assert!(file.contains("\"later\""), "{file}");
    for line in [
        &["settings", "nothing"][..],
        &["settings", "theme", "blue"],
        &["settings", "inactivity_minutes", "-1"],
        &["settings", "inactivity_minutes", "99999999999"],
        &["settings", "reviews", "on"],
    ] {
        let ran = console.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line:?}: {ran:?}");
    }
}

#[test]
fn project_settings_apply_only_to_their_project() {
    let console = Console::new();
    write_settings(&console, json!({"inactivity_minutes": 50}));
    let in_force = |console: &Console| console.json(&["settings", "--project-only"])["in_force"].clone();
    assert_eq!(in_force(&console)["inactivity_minutes"], 50);
    let shown = console.json(&["settings", "--project-only", "inactivity_minutes", "10"]);
    assert_eq!(
        (&shown["own"]["inactivity_minutes"], &shown["in_force"]["inactivity_minutes"]),
        (&json!(10), &json!(10))
    );
    assert_eq!(console.json(&["settings"])["inactivity_minutes"], 50, "the user's setting was changed");
    let table = console.ok(&["settings", "--project-only"]);
    assert!(table.contains("inactivity_minutes   10     the project"), "{table}");

    console.fails(&["settings", "--project-only", "theme", "dark"], "usage", 2);

    let other = console.sandbox.root().join("other");
    std::fs::create_dir_all(&other).unwrap();
    let other = other.to_str().unwrap();
    console.ok(&["--project", other, "init"]);
    let in_other = console.json(&["--project", other, "settings", "--project-only"]);
    assert_eq!(in_other["in_force"]["inactivity_minutes"], 50);

    let reset = console.json(&["settings", "--project-only", "inactivity_minutes", "default"]);
    assert_eq!(
        (&reset["own"]["inactivity_minutes"], &reset["in_force"]["inactivity_minutes"]),
        (&Value::Null, &json!(50))
    );
}

#[test]
fn repository_files_do_not_change_settings() {
    let console = Console::new();
    let set =
        json!({"version": 1, "reviews": false, "inactivity_minutes": 0, "single_active": true}).to_string();
    for name in [
        ".beads/settings.json",
        ".beads/sessions/settings.json",
        ".beads-console/settings.json",
        "settings.json",
    ] {
        console.sandbox.write(name, &set);
    }
    let in_force = console.json(&["settings", "--project-only"])["in_force"].clone();
    assert_eq!(
        (&in_force["reviews"], &in_force["inactivity_minutes"], &in_force["single_active"]),
        (&json!(true), &json!(30), &json!(false))
    );
}

#[test]
fn without_review_agents_are_told_to_close_beads() {
    let console = Console::new();
    let bead = console.bead("First", &[]);
    let block = || console.ok(&["recovery", "--bead", &bead]);
    assert!(block().contains("beads-console bead submit <id>"), "{}", block());
    console.ok(&["settings", "--project-only", "reviews", "off"]);
    let text = block();
    assert!(text.contains("beads-console bead close <id> --reason") && !text.contains("submit"), "{text}");
}

#[test]
fn single_active_can_be_a_project_setting() {
    if need_sim("single_active_can_be_a_project_setting").is_none() {
        return;
    }
    let console = Console::new();
    let first = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&first);
    console.ok(&["settings", "--project-only", "single_active", "on"]);
    let second = console.start(&["--simulated", "--prompt", "hello"]);
    assert_eq!(console.show(&first)["pause_reason"], "superseded");
    write_settings(&console, json!({"single_active": true}));
    console.ok(&["settings", "--project-only", "single_active", "off"]);
    console.ok(&["session", "resume", &first]);
    assert_eq!(console.show(&second)["status"], "active", "the project's setting takes precedence");
}
