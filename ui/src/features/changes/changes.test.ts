import { describe, expect, it } from "vitest";
import type { SessionChanges } from "../../generated/api";
import { fakeHost } from "../../platform/fake";
import { sessionId } from "../../platform/fake/sessions";
import { CallError } from "../../platform/host";
import { Changes } from "./changes.svelte";

const project = {
  call: ((method, params) => fakeHost().call(method, params, "gatehouse")) as ConstructorParameters<
    typeof Changes
  >[0]["call"],
};

describe("session changes", () => {
  it("sum the lines of text files", async () => {
    const changes = new Changes(project, sessionId(1));
    await changes.read(false);
    const files = changes.now?.files ?? [];
    expect(files.some(({ added }) => added === null)).toBe(true);
    expect(changes.sums).toEqual({
      added: files.reduce((n, f) => n + (f.added ?? 0), 0),
      removed: files.reduce((n, f) => n + (f.removed ?? 0), 0),
    });
    expect(changes.sums.added).toBeGreaterThan(0);
  });

  it("coalesce requests during a read into one more read with the latest options", async () => {
    const requests: [boolean | undefined, (answer: SessionChanges) => void][] = [];
    const changes = new Changes(
      {
        call: ((method, { ignore_space }: { ignore_space?: boolean }) =>
          method === "session.reverts"
            ? Promise.resolve({ reverts: [] })
            : new Promise((answer) =>
                requests.push([ignore_space, answer as (answer: SessionChanges) => void]),
              )) as typeof project.call,
      },
      "s",
    );
    const result: SessionChanges = {
      of: "folder",
      base: null,
      base_branch: null,
      commits: [],
      files: [],
      cut: false,
      uncommitted: [],
      before: [],
      notes: ["first"],
    };
    const done = changes.read(false);
    void changes.read(false);
    void changes.read(true);
    expect(requests).toHaveLength(1);
    requests[0]?.[1](result);
    await expect.poll(() => requests.length).toBe(2);
    expect(requests[1]?.[0]).toBe(true);
    requests[1]?.[1]({ ...result, notes: ["last"] });
    await done;
    expect([requests.length, changes.now?.notes]).toEqual([2, ["last"]]);
  });

  it("keep the last result if a reload fails", async () => {
    let fails = false;
    const changes = new Changes(
      {
        call: (async (method, params) =>
          fails
            ? Promise.reject(new CallError("git_missing", "There is no git."))
            : project.call(method, params)) as typeof project.call,
      },
      sessionId(1),
    );
    await changes.read(false);
    fails = true;
    await changes.read(false);
    expect([changes.error?.message, changes.now !== null]).toEqual(["There is no git.", true]);
    fails = false;
    await changes.read(false);
    expect(changes.error).toBeNull();
  });
});
