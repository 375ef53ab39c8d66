/** The checkpoints of the sample sessions: seven turns, and a restore that was made between two of them. */
import type { CheckpointLine, SessionId, SessionView } from "../../generated/api";
import { refuse, type Commands } from "./commands";
import { sampleFiles } from "./diffs";
import { startSession } from "./session-start";
import type { FakeState } from "./state";

const TURNS: readonly [minutes: number, words: string, files: number, added: number, removed: number][] = [
  [71, "Read the handler and the store first", 0, 0, 0],
  [64, "Add a test for a malformed address", 1, 18, 0],
  [56, "Where are the credentials checked?", 0, 0, 0],
  [45, "Validate email and password before the store is touched", 2, 9, 8],
  [28, "Keep the timing flat", 1, 9, 2],
  [17, "One error for an unknown account and a wrong password", 2, 4, 5],
  [5, "Compare the two answers in a property test", 1, 11, 0],
];
const HEAD = "4be19c70e5c3f91d20a07be4f1c9a07be9d2c1f0";

type CheckpointCommands = Pick<
  Commands,
  "session.checkpoints" | "session.compare" | "session.restore_files" | "session.fork"
>;

export function checkpointCommands(state: FakeState, sessionOf: (id: SessionId) => SessionView): CheckpointCommands {
  const kept = new Map<SessionId, CheckpointLine[]>();
  const linesOf = (id: SessionId): CheckpointLine[] => {
    const known = kept.get(id);
    if (known) return known;
    const made = sessionOf(id).commits.length > 0 ? madeLines(id, state.now) : [];
    kept.set(id, made);
    return made;
  };
  const lineOf = (id: SessionId, number: number) =>
    linesOf(id).find((line) => line.number === number) ??
    refuse("checkpoint_not_found", `session ${id.slice(0, 8)} has no checkpoint ${number}`);
  return {
    "session.checkpoints": ({ id }) => ({ checkpoints: [...linesOf(id)], has_folder: true, notes: [] }),
    "session.compare": ({ id, from, to, ignore_space }) => {
      lineOf(id, from);
      if (typeof to === "number") lineOf(id, to);
      return { files: sampleFiles(ignore_space ?? false), cut: false, uncommitted: to ? [] : ["src/auth/login.rs"] };
    },
    "session.restore_files": ({ id, checkpoint, files, anyway }) => {
      lineOf(id, checkpoint);
      if (sessionOf(id).live?.activity === "working" && !anyway)
        refuse("confirmation_needed", "claude is working and may write the same files");
      const lines = linesOf(id);
      const number = (lines.at(-1)?.number ?? 0) + 1;
      const at = state.stamp();
      lines.push({ ...line(id, number, at), restore: { checkpoint, files: files ?? [] } });
      const written = files?.length ? files : sampleFiles(false).map(({ path }) => path);
      return { undo: number, reference: reference(id, number), written, deleted: [], skipped: [], submodules: 0 };
    },
    "session.fork": ({ id, checkpoint }) => {
      lineOf(id, checkpoint);
      const { title = "Session", branch = "session" } = sessionOf(id);
      return startSession(state, { title: `${title} (fork)`, branch: `${branch}-2`, folder: "worktree" });
    },
  };
}

function madeLines(id: SessionId, now: number): CheckpointLine[] {
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const lines = TURNS.map(([minutes, words, files, added, removed], nth) => ({
    ...line(id, nth < 6 ? nth + 1 : nth + 2, at(minutes)),
    turns: [{ turn: nth + 1, at: at(minutes), words }],
    changed: { files, added, removed },
    left_out: nth === 3 ? [{ path: "fixtures/logins.bin", why: "too large" }] : [],
  }));
  const restore = { ...line(id, 7, at(12)), restore: { checkpoint: 5, files: ["src/auth/timing.rs"] } };
  return [...lines.slice(0, 6), restore, ...lines.slice(6)];
}

function line(id: SessionId, number: number, at: string): CheckpointLine {
  return {
    number,
    reference: reference(id, number),
    at,
    head: HEAD,
    branch: "main",
    turns: [],
    restore: null,
    changed: null,
    left_out: [],
    left_out_more: 0,
    submodules: 0,
  };
}

function reference(id: SessionId, number: number): string {
  return `refs/beads-console/checkpoints/${id}/${String(number).padStart(6, "0")}`;
}
