//! A disk without room: what was saved stays, what cannot be saved is refused with its reason, and once
//! there is room again everything goes on. On a small file system of its own, in a mount namespace.

#![cfg(target_os = "linux")]

use crate::console::{Console, finish, need_sim, program};
use std::fs;

/// Puts `.beads` on a file system of 256 KiB, fills it, and runs what is given; then makes room.
const SCRIPT: &str = r#"
set -e
cp -a .beads ../kept
mount -t tmpfs -o size=256k,mode=0700 tmpfs .beads
cp -a ../kept/. .beads/
head -c 1M /dev/zero > .beads/filler 2>/dev/null || true
set +e
"$CONSOLE" bead create second --json > ../create.out 2> ../create.err; echo $? > ../create.code
"$CONSOLE" session start --simulated --json > ../start.out 2> ../start.err; echo $? > ../start.code
"$CONSOLE" bead list --json > ../list.out 2> ../list.err; echo $? > ../list.code
rm .beads/filler
"$CONSOLE" bead create third --json > ../third.out 2> ../third.err; echo $? > ../third.code
"#;

#[test]
fn a_full_disk_costs_nothing_that_was_saved() {
    const TEST: &str = "a_full_disk_costs_nothing_that_was_saved";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let first = console.bead("First", &[]);
    let namespace = |script: &str| {
        let mut command = console.sandbox.command("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("CONSOLE", program());
        command
    };
    if !namespace("mount -t tmpfs tmpfs .beads").output().is_ok_and(|done| done.status.success()) {
        eprintln!("NOT RUN {TEST}: this system gives no mount namespaces");
        return;
    }
    let ran = finish(namespace(SCRIPT), Vec::new());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |name: &str| fs::read_to_string(console.sandbox.project().join("..").join(name)).unwrap();
    for step in ["create", "start"] {
        let said = read(&format!("{step}.err"));
        assert_eq!(read(&format!("{step}.code")).trim(), "1", "{step}: {said}");
        assert!(said.contains("\"disk_full\"") && said.contains("free some space"), "{step}: {said}");
    }
    assert!(read("list.out").contains(&first), "{} {}", read("list.out"), read("list.err"));
    assert_eq!(read("third.code").trim(), "0", "{}", read("third.err"));
}
