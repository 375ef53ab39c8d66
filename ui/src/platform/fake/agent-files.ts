/** The agent instructions of the sample project. None is installed at first; AGENTS.md has other text. */
import type { AgentFile, AgentFilePlan, AgentFilesPlan } from "../../generated/api";
import { refuse, type Commands } from "./commands";

const SECTION = `<!-- beads-console:begin v1 -->
## Beads

Work is tracked as beads, and what agents find out is kept as memories. Both outlive this conversation.

- **Begin** with \`beads-console prime\`: the rules here, the bead that you are on, what is known already.
- **Find work** with \`beads-console bead ready\`, take it with \`beads-console bead claim <id>\`.
- **Remember at the moment of discovery**: \`beads-console remember "<what, and why it matters>"\`.
- **Finish** with \`beads-console bead submit <id>\`.
<!-- beads-console:end -->`;

const RULES = ["prime", "remember", "memories", "recall", "forget", "recovery", "bead"]
  .map((word) => `      "Bash(beads-console ${word}:*)"`)
  .join(",\n");

const FILES: { file: AgentFile; path: string; head: string; text: string; made: boolean }[] = [
  {
    file: "skill",
    path: ".claude/skills/beads/SKILL.md",
    head: "",
    text: `---\nname: beads\n---\n${SECTION}`,
    made: true,
  },
  {
    file: "skill",
    path: ".claude/skills/beads/remember.md",
    head: "",
    text: SECTION.replace("Beads", "Remember at the moment of discovery"),
    made: true,
  },
  { file: "agent", path: ".claude/agents/beads.md", head: "", text: `---\nname: beads\n---\n${SECTION}`, made: true },
  { file: "claude_md", path: "CLAUDE.md", head: "", text: SECTION, made: true },
  {
    file: "agents_md",
    path: "AGENTS.md",
    head: "@@ line 14\n - Tests wait on conditions and never sleep.\n - Run `cargo test` before a commit.\n",
    text: `\n${SECTION}`,
    made: false,
  },
  {
    file: "permissions",
    path: ".claude/settings.json",
    head: "",
    text: `{\n  "permissions": {\n    "allow": [\n${RULES}\n    ]\n  }\n}`,
    made: true,
  },
];
const USUAL: AgentFile[] = ["skill", "agents_md"];

type TeachingCommands = Pick<Commands, "agent_files.preview" | "agent_files.install" | "agent_files.remove">;

/** With `refused`, Claude's settings are not valid JSON. */
export function teachingCommands(refused: boolean): TeachingCommands {
  const installed = new Set<AgentFile>();
  const problem = "invalid JSON: trailing comma at line 4 column 3; claude ignores such a file, fix it first";

  function planOf(wanted: readonly AgentFile[], remove: boolean): AgentFilesPlan {
    const usual = remove ? FILES.map((one) => one.file) : USUAL;
    const asked = wanted.length > 0 ? wanted : usual;
    const files = FILES.filter((one) => asked.includes(one.file)).map(
      ({ file, path, head, text, made }): AgentFilePlan => {
        if (refused && file === "permissions")
          return { file, path, state: "refused", change: "none", diff: "", problem };
        const there = installed.has(file);
        const changes = there === remove;
        const sign = remove ? "-" : "+";
        const diff = changes
          ? head +
            text
              .split("\n")
              .map((line) => `${sign}${line}\n`)
              .join("")
          : "";
        const change = !changes ? "none" : !made ? "change" : remove ? "delete" : "create";
        return { file, path, state: there ? "current" : "absent", change, diff, problem: null };
      },
    );
    return { root: "/home/dv/work/gatehouse", files };
  }

  function carryOut(wanted: readonly AgentFile[], remove: boolean): AgentFilesPlan {
    const plan = planOf(wanted, remove);
    if (plan.files.some((one) => one.state === "refused")) refuse("file_refused", problem, "nothing was changed");
    for (const { file } of plan.files) installed[remove ? "delete" : "add"](file);
    return plan;
  }

  return {
    "agent_files.preview": ({ files, remove }) => planOf(files ?? [], remove ?? false),
    "agent_files.install": ({ files }) => carryOut(files ?? [], false),
    "agent_files.remove": ({ files }) => carryOut(files ?? [], true),
  };
}
