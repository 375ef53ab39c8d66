//! Commands about the program itself: its version, completions and man pages.

use crate::console::Console;
use bc_testkit::Sandbox;

#[test]
fn the_version_check_lists_the_tags_of_the_repository_in_the_settings() {
    let console = Console::new();
    let own = console.json(&["version"])["version"].as_str().unwrap().to_owned();
    assert_eq!(console.ok(&["version"]), format!("beads-console {own}\n"));
    let error = console.fails(&["version", "--check"], "usage", 2);
    assert!(error.contains("no address"), "{error}");

    let releases = console.sandbox.project().to_owned();
    let releases = releases.to_str().unwrap();
    assert_eq!(console.ok(&["settings", "update_source", releases]), format!("{releases}\n"));
    let checked = console.json(&["version", "--check"]);
    assert_eq!((checked["latest"].as_str(), checked["newer"].as_bool()), (None, Some(false)), "{checked}");
    console.sandbox.git(["tag", &format!("v{own}")]);
    console.sandbox.git(["tag", "v999.0.0"]);
    console.sandbox.git(["tag", "v1000.0.0-rc.1"]);
    let checked = console.json(&["version", "--check"]);
    assert_eq!((checked["latest"].as_str(), checked["newer"].as_bool()), (Some("999.0.0"), Some(true)));
    let text = console.ok(&["version", "--check"]);
    assert!(text.contains("999.0.0 is available at"), "{text}");

    let error = console.fails(&["version", "--check", "--source", "ext::sh -c true"], "usage", 2);
    assert!(error.contains("neither an https address"), "{error}");
    let missing = console.sandbox.root().join("missing");
    console.fails(&["version", "--check", "--source", missing.to_str().unwrap()], "git_failed", 1);
}

#[test]
fn documents_are_printed_in_a_folder_without_a_project() {
    let console = Console::in_sandbox(Sandbox::without_git("plain"));
    let script = console.ok(&["completions", "bash"]);
    assert!(script.lines().any(|line| line.trim().starts_with("complete -F ")), "{script}");
    assert_eq!(console.run(&["completions", "tcsh"]).code, Some(2));
    let page = console.ok(&["man", "session", "start"]);
    assert!(page.contains("objective") && page.contains("SYNOPSIS"), "{page}");
    assert!(console.json(&["man"])["text"].as_str().unwrap().contains("Exit codes"));
    let pages = console.sandbox.root().join("man");
    console.ok(&["man", "--dir", pages.to_str().unwrap()]);
    assert!(pages.join("beads-console.1").is_file() && pages.join("beads-console-bead-list.1").is_file());
    assert_eq!(console.run(&["man", "nonsense"]).code, Some(2));
}

#[test]
fn completion_script_completes_in_bash() {
    let console = Console::in_sandbox(Sandbox::without_git("plain"));
    console.sandbox.write("completions.bash", &console.ok(&["completions", "bash"]));
    // Simulates Tab in bash: sets the words of the command line, then calls the completion function.
    let script = "source ./completions.bash; COMP_WORDS=(beads-console session st); COMP_CWORD=2; \
               function=$(complete -p beads-console | sed 's/.*-F \\([^ ]*\\) .*/\\1/'); \
               $function beads-console st session; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let bash = console
        .sandbox
        .command("bash")
        .args(["--norc", "-c", script])
        .current_dir(console.sandbox.project())
        .output();
    let Ok(done) = bash else {
        println!("SKIPPED completion_script_completes_in_bash: bash is not installed");
        return;
    };
    let replies = String::from_utf8(done.stdout).unwrap();
    assert!(
        replies.lines().any(|reply| reply == "start"),
        "{replies:?} {:?}",
        String::from_utf8_lossy(&done.stderr)
    );
}
