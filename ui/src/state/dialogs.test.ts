import { describe, expect, it } from "vitest";
import { Dialogs } from "./dialogs.svelte";

const opened = (...keys: string[]) => {
  const dialogs = new Dialogs();
  dialogs.show({ kind: "palette" });
  return { dialogs, taken: keys.map((key) => dialogs.typeAhead(key)) };
};

describe("keys typed before the palette is loaded", () => {
  it("become its query, including corrections and the choice", () => {
    const { dialogs } = opened("a", "b", "Backspace", "ü", " ", "👍", "Backspace", "c", "Enter", "x");
    expect(dialogs.takeTyped()).toEqual({ text: "aü c", entered: true });
    expect(dialogs.takeTyped()).toEqual({ text: "", entered: false });
  });

  it("are not passed to another dialog, or kept after the palette closes", () => {
    const { dialogs, taken } = opened("a", "ArrowDown", "Escape", "b");
    expect(taken).toEqual([true, false, true, false]);
    expect(dialogs.open).toBeNull();
    dialogs.show({ kind: "palette" });
    expect(dialogs.takeTyped().text).toBe("");
    dialogs.show({ kind: "help" });
    expect(dialogs.typeAhead("a")).toBe(false);
  });
});

describe("a late answer", () => {
  it("closes only the dialog that asked", () => {
    const dialogs = new Dialogs();
    dialogs.show({ kind: "create-bead" });
    const { open: mine } = dialogs;
    dialogs.close();
    dialogs.show({ kind: "create-bead" });
    dialogs.close(mine);
    expect(dialogs.open).toEqual({ kind: "create-bead" });
    dialogs.close(dialogs.open);
    expect(dialogs.open).toBeNull();
    dialogs.close(mine);
    expect(dialogs.open).toBeNull();
  });
});
