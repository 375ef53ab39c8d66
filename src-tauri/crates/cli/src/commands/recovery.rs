//! `recovery`: prints an agent's recovery block.

use super::Context;
use crate::{failure::Failure, session_env};
use bc_core::ids::BeadId;
use bc_wire::recovery::RecoveryParams;

/// Prints the recovery block of the given bead; by default, of the current session's bead or, outside a
/// session, of the user's latest bead in progress.
pub(super) fn run(bead: Option<BeadId>, context: &mut Context<'_>) -> Result<(), Failure> {
    let folder = std::env::current_dir().ok().and_then(|dir| dir.to_str().map(str::to_owned));
    let params =
        RecoveryParams { session: session_env::session().filter(|_| bead.is_none()), bead, cwd: folder };
    let block = context.api.recovery_show(params)?;
    context.print(&block, |block, _| format!("{}\n", bc_core::text::plain(&block.text)))
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::json;

    #[test]
    fn recovery_block_is_printed_as_text_or_json() {
        let block = json!({"text": "# Beads\n\n## Resuming: BC-1 — größe", "bytes": 38, "bead_id": "BC-1", "because": "named"});
        let fake = FakeProject::new().answers("recovery.show", &block);
        let ran = fake.run(&["recovery", "--bead", "BC-1"], FakeUser::away());
        assert_eq!((ran.code, ran.out.as_str()), (0, "# Beads\n\n## Resuming: BC-1 — größe\n"));
        assert_eq!(ran.calls[0].1["bead"], "BC-1");
        let ran = fake.run(&["recovery", "--json"], FakeUser::away());
        let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(printed, block);
    }

    #[test]
    fn invalid_bead_id_is_a_usage_error() {
        let ran = FakeProject::new().run(&["recovery", "--bead", "--force"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (2, 0));
    }
}
