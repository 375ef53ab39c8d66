import { beforeEach, describe, expect, it } from "vitest";
import { fakeHost } from "../../platform/fake";
import { sessionId } from "../../platform/fake/sessions";
import { CallError } from "../../platform/host";
import { restore, resultOf } from "./actions";
import { Checkpoints } from "./checkpoints.svelte";
import { rowsOf, turnsBetween, turnsOf } from "./rows";

type Call = ConstructorParameters<typeof Checkpoints>[0];

let call: Call;
beforeEach(() => {
  const host = fakeHost();
  call = ((method, params) => host.call(method, params, "gatehouse")) as Call;
});

async function read(): Promise<Checkpoints> {
  const checkpoints = new Checkpoints(call, sessionId(1));
  await checkpoints.read(false);
  return checkpoints;
}

describe("the list of turns", () => {
  it("has the newest turn first, and restores between turns", async () => {
    const { rows } = await read();
    expect(rows.map((row) => row.key).slice(0, 3)).toEqual(["turn 7", "restore 7", "turn 6"]);
    expect(rows[1]).toMatchObject({ turn: 5, files: ["src/auth/timing.rs"] });
  });

  it("has uncommitted work that was kept without a prompt", async () => {
    const { listed } = await read();
    const [first] = listed?.checkpoints ?? [];
    if (!first) throw new Error("the sample has checkpoints");
    expect(rowsOf([{ ...first, number: 9, turns: [], restore: null }])).toEqual([
      { kind: "work", key: "work 9", at: first.at, checkpoint: 9 },
    ]);
  });

  it("shows no change between turns with the same checkpoint", async () => {
    const { listed } = await read();
    const [first] = listed?.checkpoints ?? [];
    if (!first) throw new Error("the sample has checkpoints");
    const turns = [1, 2].map((turn) => ({ turn, at: first.at, words: "" }));
    const changed = { files: 1, added: 2, removed: 3 };
    const rows = turnsOf(rowsOf([{ ...first, turns, changed }]));
    expect(rows.map((row) => [row.turn, row.changed?.files])).toEqual([
      [2, 1],
      [1, 0],
    ]);
  });

  it("counts the turns of a comparison", async () => {
    const { rows } = await read();
    expect([turnsBetween(rows, 4, null), turnsBetween(rows, 4, 6)]).toEqual([4, 2]);
  });
});

describe("a comparison", () => {
  it("is of the last turn with now until another one is chosen", async () => {
    const checkpoints = await read();
    expect([checkpoints.from, checkpoints.to]).toEqual([8, null]);
    checkpoints.to = 8;
    checkpoints.choose(4);
    expect([checkpoints.from, checkpoints.to]).toEqual([4, 8]);
    checkpoints.choose(8);
    expect(checkpoints.to).toBeNull();
  });

  it("keeps the last result after an error", async () => {
    const checkpoints = await read();
    checkpoints.choose(99);
    const { changes } = checkpoints;
    await checkpoints.read(false);
    // The list does not have the chosen checkpoint, so the last turn is compared.
    expect([checkpoints.from, checkpoints.error]).toEqual([8, null]);
    checkpoints.to = 99;
    await checkpoints.read(false);
    expect(checkpoints.error?.code).toBe("checkpoint_not_found");
    expect(checkpoints.changes).toEqual(changes);
  });
});

describe("a restore", () => {
  function target() {
    const shown: { text: string; undo?: () => void }[] = [];
    const asked: { run: () => void }[] = [];
    const app = {
      toasts: {
        done: (text: string, action?: { run: () => void }) => shown.push({ text, ...(action && { undo: action.run }) }),
        error: (thrown: unknown) => shown.push({ text: String(thrown) }),
      },
      dialogs: { show: (dialog: { run: () => void }) => asked.push(dialog) },
    };
    return { app: app as unknown as Parameters<typeof restore>[0], shown, asked };
  }

  it("can be undone, which restores the files before", async () => {
    const checkpoints = await read();
    const { app, shown } = target();
    await restore(app, checkpoints, 4, ["src/auth/login.rs"], () => {}, true);
    expect(shown[0]?.text).toBe("Restored src/auth/login.rs");
    shown[0]?.undo?.();
    await expect.poll(() => shown.length).toBe(2);
    await checkpoints.read(false);
    expect(checkpoints.rows[0]).toMatchObject({ kind: "restore", turn: null, files: ["src/auth/login.rs"] });
  });

  it("asks first while Claude is working", async () => {
    const checkpoints = new Checkpoints(
      ((method: string, params: { anyway?: boolean }) =>
        method === "session.restore_files" && !params.anyway
          ? Promise.reject(new CallError("confirmation_needed", "claude is working"))
          : call(method as "session.restore_files", params as never)) as Call,
      sessionId(1),
    );
    await checkpoints.read(false);
    const { app, shown, asked } = target();
    await restore(app, checkpoints, 4, [], () => {});
    expect([shown.length, asked.length]).toEqual([0, 1]);
    asked[0]?.run();
    await expect.poll(() => shown.length).toBe(1);
    expect(shown[0]?.text).toMatch(/^Restored \d files$/);
  });

  it("names the skipped files", () => {
    const nothing = { undo: 1, reference: "r", deleted: [], submodules: 0 };
    const skipped = [
      { path: "a\u202e", why: "its folder is a link" },
      { path: "b", why: "" },
    ];
    const text = resultOf({ ...nothing, written: ["x", "y"], skipped });
    expect(text).toContain("Restored 2 files. Skipped: ");
    expect(text).toContain("(its folder is a link) and 1 more");
    expect(text).not.toContain("\u202e");
  });
});
