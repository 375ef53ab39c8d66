/** Lifecycle hooks of the sample project: a repository file that is not allowed yet, and the user's file. */
import type { HookEntry, HookFile, HookFiles, HookRun, HookRunOf, HookTest } from "../../generated/api";
import { refuse, type Commands } from "./commands";
import { sessionId } from "./sessions";

type HookCommands = Pick<
  Commands,
  "hooks.list" | "hooks.trust" | "hooks.allow" | "hooks.save" | "hooks.test" | "hooks.reload" | "hooks.runs"
>;

/** A successful run. */
const RUN = {
  version: 1,
  duration_ms: 24,
  exit: 0,
  stdout: "{}",
  stderr: "",
  warning: null,
  decision: null,
  context_bytes: 0,
};

const entry = (event: HookEntry["event"], bash: string): HookEntry => ({
  event,
  bash,
  powershell: null,
  cwd: ".",
  timeout_ms: 30_000,
  env: {},
  enabled: true,
});

const textOf = (hooks: HookEntry[]) => {
  const all: Record<string, unknown[]> = {};
  for (const hook of hooks) (all[hook.event] ??= []).push({ type: "command", bash: hook.bash });
  return `${JSON.stringify({ version: 1, hooks: all }, null, 2)}\n`;
};

function fileOf(path: string, scope: HookFile["scope"], state: HookFile["state"], hooks: HookEntry[]): HookFile {
  const there = state !== "absent";
  return {
    path,
    scope,
    state,
    fingerprint: there ? "5f2c" : null,
    text: there ? textOf(hooks) : null,
    hooks,
    scripts: [],
    change: "",
    warnings: [],
  };
}

/** Filters from the repository's git settings that are not allowed yet. */
function gitPrograms(root: string): HookFile {
  const text = "filter.notebook.clean = ./tools/strip-output.sh\nfilter.notebook.smudge = cat\n";
  const script = {
    path: `${root}/tools/strip-output.sh`,
    sha256: "71c0",
    text: "#!/bin/sh\njq 'del(.cells[].outputs)'\n",
  };
  return { ...fileOf(`${root}/.git/config`, "git", "new", []), text, fingerprint: "git-1", scripts: [script] };
}

/**
 * The commands of hooks on a sample list. `made`: `changed-hooks`, a file that changed after it was allowed;
 * `git-programs`, a repository whose git settings name filters.
 */
export function hookCommands(now: number, made: string | null | undefined): HookCommands {
  const changed = made === "changed-hooks";
  const root = "/home/dv/work/gatehouse";
  const backup = fileOf(`${root}/.beads/hooks.json`, "workspace", changed ? "changed" : "new", [
    entry("sessionEnd", "./backup.sh"),
  ]);
  backup.scripts = [
    { path: `${root}/.beads/backup.sh`, sha256: "9a1e", text: "#!/bin/bash\nbd backup > /dev/null\necho '{}'\n" },
  ];
  if (changed)
    backup.change =
      "--- .beads/backup.sh, as it was allowed\n" +
      "+++ .beads/backup.sh\n" +
      "@@ -1,3 +1,3 @@\n" +
      " #!/bin/bash\n" +
      "-bd export > /dev/null\n" +
      "+bd backup > /dev/null\n" +
      " echo '{}'\n";
  let shown: HookFiles = {
    workspace_allowed: false,
    files: [
      fileOf("/home/dv/.config/beads-console/hooks.json", "user", "own", [entry("preToolUse", "./no-push.sh")]),
      ...[".github/hooks/hooks.json", ".github/hooks.json", "hooks.json"].map((name) =>
        fileOf(`${root}/${name}`, "workspace", "absent", []),
      ),
      backup,
      ...(made === "git-programs" ? [gitPrograms(root)] : []),
    ],
    warnings: [],
  };
  const put = (path: string, change: (file: HookFile) => Partial<HookFile>) => {
    const there = shown.files.find((file) => file.path === path) ?? refuse("usage", `${path} is no place for hooks`);
    shown = { ...shown, files: shown.files.map((file) => (file === there ? { ...file, ...change(file) } : file)) };
    return shown;
  };
  return {
    "hooks.list": () => shown,
    "hooks.trust": ({ path, trusted }) => {
      if (trusted) shown = { ...shown, workspace_allowed: true };
      return put(path, () => ({ state: trusted ? "trusted" : "new" }));
    },
    "hooks.allow": ({ workspace }) => {
      const from = workspace ? "off" : "trusted";
      const to = workspace ? "trusted" : "off";
      const files = shown.files.map((file) => (file.state === from ? ({ ...file, state: to } as HookFile) : file));
      shown = { ...shown, workspace_allowed: workspace, files };
      return shown;
    },
    "hooks.save": ({ path, text }) =>
      put(path, (file) => ({
        text,
        fingerprint: "77b0",
        state: file.state === "absent" ? (file.scope === "user" ? "own" : "new") : file.state,
      })),
    "hooks.test": ({ event, payload }) => tested(shown, event, payload ?? { sample: true }),
    "hooks.reload": () => ({ sessions: 1 }),
    "hooks.runs": ({ session, event, failed }) => {
      const fits = ranOf(now).filter(
        ({ session_id, run }) =>
          (!session || session === session_id) && (!event || run.event === event) && !(failed && run.warning === null),
      );
      return { runs: fits, total: fits.length, warnings: [] };
    },
  };
}

function tested(shown: HookFiles, event: HookEntry["event"], payload: HookTest["payload"]): HookTest {
  const running = shown.files.filter((file) => file.state === "own" || file.state === "trusted");
  const runs = running.flatMap((file) =>
    file.hooks
      .filter((hook) => hook.event === event)
      .map((hook) => ({
        ...RUN,
        at: new Date().toISOString(),
        event,
        reason: "test",
        file: file.path,
        command: hook.bash ?? "",
      })),
  );
  return { payload, runs, context: [], decision: null, reason: null, warnings: [] };
}

/** The hook runs of the sample sessions. */
function ranOf(now: number): HookRunOf[] {
  const ran = (n: number, minutes: number, run: Partial<HookRun> & Pick<HookRun, "event" | "command">): HookRunOf => ({
    session_id: sessionId(n),
    run: {
      ...RUN,
      at: new Date(now - minutes * 60_000).toISOString(),
      reason: null,
      file: "/home/dv/.config/beads-console/hooks.json",
      ...run,
    },
  });
  const pushed = '{"permissionDecision":"deny","permissionDecisionReason":"Only people push."}';
  return [
    ran(1, 3, {
      event: "preToolUse",
      reason: "Bash",
      command: "./no-push.sh",
      duration_ms: 31,
      stdout: pushed,
      decision: "deny",
    }),
    ran(1, 9, {
      event: "postToolUse",
      reason: "Edit",
      command: "./format.sh",
      exit: 2,
      duration_ms: 1840,
      stdout: "",
      stderr: "gofmt: internal/auth/login.go:41:2: expected declaration",
      warning: "it ended with exit code 2",
    }),
    ran(1, 52, {
      event: "sessionStart",
      reason: "startup",
      command: "./known.sh",
      duration_ms: 412,
      stdout: '{"additionalContext":"The gate code is on the board."}',
      context_bytes: 30,
    }),
    ran(2, 130, {
      event: "sessionEnd",
      reason: "pause",
      command: "./backup.sh",
      exit: null,
      duration_ms: 30_000,
      stdout: "",
      stderr: "waiting for the lock of the remote",
      warning: "it was still running after 30 seconds and was ended with everything that it started",
    }),
    ran(2, 260, { event: "sessionStart", reason: "resume", command: "./known.sh", duration_ms: 388 }),
  ];
}
