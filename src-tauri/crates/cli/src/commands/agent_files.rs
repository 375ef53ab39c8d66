//! `init-agent`: installs and removes the files that teach agents about beads.

use super::Context;
use crate::{args::InitAgentArgs, failure::Failure, output::agent_files as show};
use bc_wire::agent_files::{AgentFile, AgentFilesParams, AgentFilesPreviewParams};

pub(super) fn run(args: &InitAgentArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let files = args.files();
    let rules_named = files.contains(&AgentFile::Permissions);
    let plan = match (args.dry_run, args.remove) {
        (true, remove) => context.api.agent_files_preview(AgentFilesPreviewParams { files, remove })?,
        (false, false) => context.api.agent_files_install(AgentFilesParams { files })?,
        (false, true) => context.api.agent_files_remove(AgentFilesParams { files })?,
    };
    context.print(&plan, |plan, style| show::plan(plan, args.dry_run, style))?;
    if !args.remove && !rules_named {
        context.note("With --permissions, claude runs these commands without asking.")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser};
    use serde_json::{Value, json};

    fn plan() -> Value {
        json!({"root": "/home/alice/app", "files": [
            {"file": "skill", "path": ".claude/skills/beads/SKILL.md", "state": "absent", "change": "create", "diff": "+# Beads\n"},
            {"file": "claude_md", "path": "CLAUDE.md", "state": "newer", "change": "none", "diff": ""},
            {"file": "permissions", "path": ".claude/settings.json", "state": "refused", "change": "none", "diff": "",
             "problem": "it is \u{1b}[31mnot JSON"}
        ]})
    }

    #[test]
    fn selected_files_are_installed_and_listed() {
        let fake = FakeProject::new().answers("agent_files.install", plan());
        let ran = fake.run(&["init-agent", "--permissions", "--skill", "--claude-md"], FakeUser::away());
        assert_eq!(ran.calls[0].1, json!({"files": ["skill", "claude_md", "permissions"]}));
        assert!(ran.out.starts_with("created    .claude/skills/beads/SKILL.md\n"), "{}", ran.out);
        assert!(
            ran.out.contains("unchanged  CLAUDE.md  (written by a newer Beads Console)\n"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("refused    .claude/settings.json  (it is not JSON)\n"), "{}", ran.out);
        assert!(!ran.out.contains("# Beads") && !ran.err.contains("--permissions"));
    }

    #[test]
    fn dry_run_only_requests_a_preview() {
        let fake =
            FakeProject::new().answers("agent_files.preview", plan()).answers("agent_files.remove", plan());
        let ran = fake.run(&["init-agent", "--dry-run"], FakeUser::away());
        assert_eq!(ran.calls, [("agent_files.preview", json!({"files": [], "remove": false}))]);
        assert!(ran.out.contains("to create  .claude/skills/beads/SKILL.md\n  +# Beads\n"), "{}", ran.out);
        assert!(ran.err.contains("--permissions"), "{}", ran.err);
        let ran = fake.run(&["init-agent", "--remove", "--agent"], FakeUser::away());
        assert_eq!(ran.calls, [("agent_files.remove", json!({"files": ["agent"]}))]);
    }
}
