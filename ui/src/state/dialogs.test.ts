import { describe, expect, it } from "vitest";
import { Dialogs } from "./dialogs.svelte";

const opened = (...keys: string[]) => {
  const dialogs = new Dialogs();
  dialogs.show({ kind: "palette" });
  return { dialogs, taken: keys.map((key) => dialogs.typeAhead(key)) };
};

describe("what is typed before the palette is there", () => {
  it("is its text, with what was rubbed out, and its choice", () => {
    const { dialogs } = opened("a", "b", "Backspace", "ü", " ", "👍", "Backspace", "c", "Enter", "x");
    expect(dialogs.takeTyped()).toEqual({ text: "aü c", entered: true });
    expect(dialogs.takeTyped()).toEqual({ text: "", entered: false });
  });

  it("is nothing of another dialog's, or of a palette that was closed", () => {
    const { dialogs, taken } = opened("a", "ArrowDown", "Escape", "b");
    expect(taken).toEqual([true, false, true, false]);
    expect(dialogs.open).toBeNull();
    dialogs.show({ kind: "palette" });
    expect(dialogs.takeTyped().text).toBe("");
    dialogs.show({ kind: "help" });
    expect(dialogs.typeAhead("a")).toBe(false);
  });
});

describe("an answer that comes late", () => {
  it("closes the dialog that asked, and none that was opened meanwhile", () => {
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
