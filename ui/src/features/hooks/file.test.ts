import { describe, expect, it } from "vitest";
import { FRESH, put, read, without } from "./file";

const TEXT = JSON.stringify({
  version: 1,
  owner: "me",
  hooks: {
    preToolUse: [
      { type: "command", bash: "./a.sh", env: { A: "1" } },
      { type: "command", bash: "./b.sh", timeoutSec: 5 },
    ],
  },
});
const json = (text: string | null) =>
  JSON.parse(text ?? "null") as { owner?: string; hooks: Record<string, unknown[]> };

describe("hooks file", () => {
  it("is created on demand and omits default values", () => {
    const text = put(null, { ...FRESH, command: "./end.sh" }, null);
    expect(json(text)).toEqual({ version: 1, hooks: { sessionEnd: [{ type: "command", bash: "./end.sh" }] } });
    expect(read(text)).toEqual([{ ...FRESH, command: "./end.sh", at: 0 }]);
  });

  it("keeps unknown and unchanged content", () => {
    const text = json(
      put(
        TEXT,
        { event: "preToolUse", command: "./c.sh", cwd: ".", seconds: 30, enabled: false },
        { event: "preToolUse", at: 0 },
      ),
    );
    expect(text.owner).toBe("me");
    expect(text.hooks["preToolUse"]).toEqual([
      { type: "command", bash: "./c.sh", env: { A: "1" }, enabled: false },
      { type: "command", bash: "./b.sh", timeoutSec: 5 },
    ]);
  });

  it("moves an entry to another event, and removes the empty one", () => {
    const once = put(TEXT, { ...FRESH, command: "./a.sh" }, { event: "preToolUse", at: 0 });
    const text = json(without(once, { event: "preToolUse", at: 0 }));
    expect(text.hooks).toEqual({ sessionEnd: [{ type: "command", bash: "./a.sh", env: { A: "1" } }] });
  });

  it("is left alone if it is not JSON", () => {
    expect(read("// mine\n{}")).toBeNull();
    expect(put("[1]", FRESH, null)).toBeNull();
    expect(without("{", { event: "preToolUse", at: 0 })).toBeNull();
  });
});
