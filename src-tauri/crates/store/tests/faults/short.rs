//! Real short writes: with a file size limit, a write across the limit is short and the next write is
//! refused, as on a full disk.

use crate::{
    operations::{ALL, Operation},
    program,
    scene::Scene,
    seen::{Going, take_over},
    trace,
    tree::Thing,
};
use std::{fs, process::Command};

#[test]
fn a_short_write_loses_no_acknowledged_operation() {
    let few = ["append messages", "replace meta.json"];
    let few: Vec<_> = ALL.iter().filter(|operation| few.contains(&operation.name)).collect();
    cut_off("a_short_write_loses_no_acknowledged_operation", &few, 149);
}

#[test]
#[ignore = "takes minutes"]
fn every_short_write_of_every_operation_loses_no_acknowledged_operation() {
    let test = "every_short_write_of_every_operation_loses_no_acknowledged_operation";
    cut_off(test, &ALL.iter().collect::<Vec<_>>(), 7);
}

fn cut_off(test: &str, operations: &[&'static Operation], step: usize) {
    if !trace::strace_available(test) {
        return;
    }
    let (mut runs, mut refused) = (0, 0);
    for operation in operations {
        let scene = Scene::of(operation);
        let longest = longest_write(&scene);
        // A limit below a file's current size refuses every write; a limit above its final size refuses no
        // write.
        for (number, limit) in (0..longest + 2).step_by(step).enumerate() {
            let root = scene.lay_out(number + 2);
            let ended = limited(limit).args(["once", operation.name]).arg(&root).output().unwrap();
            let (output, err) =
                (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
            assert!(
                ended.status.success() && !err.contains("panicked"),
                "{}, {limit} bytes: {err}",
                operation.name
            );
            scene.assert_holds(&root, &output, false, &format!("no file beyond {limit} bytes"));
            take_over(&root, Going::On);
            runs += 1;
            refused += usize::from(output.contains('-'));
            fs::remove_dir_all(&root).unwrap();
        }
    }
    assert!(refused > 0, "no write was short");
    println!("COUNTED writes cut off in {} operations: {runs} runs, {refused} refusals", operations.len());
}

/// Returns an upper bound for the size of a file during the operation, in bytes.
fn longest_write(scene: &Scene) -> usize {
    let calls = trace::list_calls(scene);
    let writes = calls.iter().filter(|call| call.name == "write" && call.fd != Some(1));
    let written: i64 = writes.filter_map(|call| call.result).sum();
    let len = |thing: &Thing| match thing {
        Thing::File(bytes) => bytes.len(),
        Thing::Folder => 0,
    };
    usize::try_from(written).unwrap() + scene.before.values().map(len).max().unwrap_or(0)
}

/// Returns the program's command with a file size limit. The program ignores the limit's signal.
#[allow(clippy::disallowed_methods, reason = "this crate is below the one that spawns")]
fn limited(bytes: usize) -> Command {
    let mut command = Command::new("sh");
    command.env_remove("LD_LIBRARY_PATH");
    let script = r#"trap '' XFSZ; limit=$1; shift; exec prlimit --fsize="$limit" "$@""#;
    command.args(["-c", script, "sh", &bytes.to_string()]).arg(program().get_program());
    command
}
