import { describe, expect, it } from "vitest";
import type { MemoryEntry, MemorySaveParams } from "../../generated/api";
import { CallError } from "../../platform";
import type { Call } from "../../state/memories.svelte";
import { importanceChoices, importanceName } from "../../words/memory";
import { Draft, tagsOf } from "./draft.svelte";

function setup(refusal?: CallError) {
  const requests: MemorySaveParams[] = [];
  const call = ((_: string, params: MemorySaveParams) => {
    requests.push(params);
    return refusal && !params.anyway
      ? Promise.reject(refusal)
      : Promise.resolve({ id: "m", key: "k", action: "remembered", kept_in: "bd", warnings: [] });
  }) as unknown as Call;
  return { requests, call };
}

describe("memory draft", () => {
  it("contains its source, and omits empty fields", async () => {
    const { requests, call } = setup();
    const draft = new Draft(call, { content: "Use the race flag", session: "s1", bead: "BC-1" });
    draft.tags = " testing, ,auth,testing";
    expect((await draft.save())?.key).toBe("k");
    expect(requests).toEqual([
      {
        key: null,
        title: null,
        content: "Use the race flag",
        memory_type: "learning",
        tags: ["testing", "auth"],
        importance: 5,
        bead: "BC-1",
        no_bead: false,
        session: "s1",
        anyway: false,
      },
    ]);
  });

  it("saves an apparent secret only after a confirmation", async () => {
    const { requests, call } = setup(
      new CallError("confirmation_needed", "the text seems to hold a secret (github-pat), and was not stored"),
    );
    const draft = new Draft(call, { content: "ghp_…" });
    expect(await draft.save()).toBeNull();
    expect(draft.secret).toBe(true);
    expect(await draft.save(true)).not.toBeNull();
    expect([requests.map(({ anyway }) => anyway), draft.secret]).toEqual([[false, true], false]);
  });

  it("cannot be saved while it is empty", async () => {
    const { requests, call } = setup();
    expect(await new Draft(call, { content: " \n" }).save()).toBeNull();
    expect(requests).toEqual([]);
  });

  it("is changed only while it differs from its source", () => {
    const draft = new Draft(setup().call, { content: "Use the race flag" });
    expect(draft.changed).toBe(false);
    draft.tags = "testing";
    expect(draft.changed).toBe(true);
    draft.tags = " ";
    expect(draft.changed).toBe(false);
  });

  it("removes its bead only if the user clears the field", async () => {
    const { requests, call } = setup();
    const memory = {
      key: "k",
      title: "t",
      content: "text",
      memory_type: "learning",
      tags: [],
      importance: 5,
      bead_id: "BC-1",
    } as unknown as MemoryEntry;
    const draft = new Draft(call, { memory });
    await draft.save();
    draft.bead = " ";
    await draft.save();
    expect(requests.map(({ bead, no_bead }) => [bead, no_bead])).toEqual([
      ["BC-1", false],
      [null, true],
    ]);
  });

  it("contains each tag once", () => expect(tagsOf("a,, b ,a")).toEqual(["a", "b"]));

  it("keeps the tracker's importance, including values between the choices", () => {
    expect([10, 9, 8, 7, 6, 4, 3, 2, 1].map(importanceName)).toEqual([
      "Critical",
      "Critical",
      "High",
      "High",
      "Medium",
      "Medium",
      "Low",
      "Low",
      "Very low",
    ]);
    expect(importanceChoices(8).map(({ value }) => value)).toEqual(["9", "8", "5", "3", "1"]);
  });
});
