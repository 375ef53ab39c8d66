import { fireEvent, screen, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import type { PackPiece } from "../../generated/api";
import { mounted, world } from "../../testing/mounted";
import { Pack } from "./pack.svelte";
import { linesOf, reasonOf } from "./pack-words";
import StartWorkDialog from "./StartWorkDialog.svelte";

async function opened() {
  const here = await world();
  const bead = here.project.beads.get("BC-101");
  if (!bead) throw new Error("the sample project has it");
  mounted(here, StartWorkDialog, { bead });
  const list = await screen.findByRole("list", { name: "Pieces of the context pack" });
  return { here, list };
}

const requests = (here: Awaited<ReturnType<typeof world>>) =>
  here.callsOf("session.context_pack").map(({ pack }) => pack);

describe("the context pack", () => {
  it("is shown before the start, and exactly the shown pieces are sent", async () => {
    const { here, list } = await opened();
    expect(within(list).getByText("src/lex/tokenizer.rs")).toBeTruthy();
    await screen.findByText(/of 10,000 tokens/);
    await fireEvent.click(within(list).getByRole("checkbox", { name: "Include AGENTS.md" }));
    await vi.waitFor(() => expect(requests(here).at(-1)?.remove).toEqual(["AGENTS.md"]));
    const start = await vi.waitUntil(() => {
      const button = screen.getByRole("button", { name: /^Start Work/ });
      return button.hasAttribute("disabled") ? null : button;
    });
    await fireEvent.click(start);
    await vi.waitFor(() => expect(here.callsOf("session.start")).toHaveLength(1));
    const { context, pack } = here.callsOf("session.start")[0]!;
    expect(context).toBe("automatic");
    expect(pack?.only).toContain("src/lex/tokenizer.rs");
    expect(pack?.only).not.toContain("AGENTS.md");
  });

  it("follows the budget, and leaves out pieces that do not fit", async () => {
    const { here, list } = await opened();
    await fireEvent.click(screen.getByRole("radio", { name: "2k" }));
    await vi.waitFor(() => expect(requests(here).at(-1)?.budget).toBe(2000));
    await screen.findByText(/of 2,000 tokens/);
    expect(within(list).getAllByText(/^Left out for its size\./).length).toBeGreaterThan(0);
    await fireEvent.click(screen.getByRole("radio", { name: "None" }));
    expect(screen.queryByRole("list", { name: "Pieces of the context pack" })).toBeNull();
  });

  it("shows a piece's text and pins it", async () => {
    const { here, list } = await opened();
    await fireEvent.click(within(list).getByRole("button", { name: /src\/lex\/span\.rs/, expanded: false }));
    expect(within(list).getByLabelText("Lines 20 to 60 of src/lex/span.rs").textContent).toContain("string_literal");
    await fireEvent.click(within(list).getByRole("button", { name: /^Pin src\/lex\/span\.rs/ }));
    await within(list).findByRole("button", { name: "Unpin src/lex/span.rs" });
    expect(requests(here).at(-1)?.pin).toEqual(["src/lex/span.rs"]);
  });

  it("adds a file, and keeps the pack if a file is refused", async () => {
    const { here, list } = await opened();
    const field = screen.getByLabelText("Add a file");
    await fireEvent.input(field, { target: { value: "../secret" } });
    await fireEvent.keyDown(field, { key: "Enter" });
    await screen.findByText(/is outside the repository/, { selector: ":not(p.note)" });
    await vi.waitFor(() => expect(requests(here).at(-1)?.add).toEqual([]));
    await fireEvent.input(field, { target: { value: "src/main.rs:1-9" } });
    await fireEvent.keyDown(field, { key: "Enter" });
    await within(list).findByText("src/main.rs");
    expect(requests(here).at(-1)?.add).toEqual(["src/main.rs:1-9"]);
  });

  it("uses a template with its budget", async () => {
    const { here, list } = await opened();
    await fireEvent.click(screen.getByRole("button", { name: /^Template: / }));
    await fireEvent.click(await screen.findByRole("menuitem", { name: /^parser/ }));
    await within(list).findByText(/the template parser names it/i);
    expect(requests(here).at(-1)).toMatchObject({ template: "parser", budget: 25_000 });
  });

  it("says why a template cannot be used", async () => {
    await opened();
    expect(screen.getByText(/shared names .*passwd, which is outside the repository/)).toBeTruthy();
  });
});

describe("a custom budget", () => {
  it("accepts separators and a suffix, and refuses other texts", async () => {
    const { project } = await world();
    const pack = new Pack(project);
    pack.budget = "custom";
    const tokens = (text: string) => ((pack.custom = text), pack.tokens);
    expect(["8000", "8,000", "2.5k", "", "many", "-1"].map(tokens)).toEqual([8000, 8000, 2500, null, null, null]);
  });
});

it("names the lines and the reason of a piece", () => {
  const piece: PackPiece = {
    ...{ key: "a.rs", kind: "match", path: "a.rs", relevance: 1, tokens: 1, state: "left_out", pinned: false },
    reason: "defines x; contains “y”",
    excerpts: [
      { first: 3, last: 9, whole: false, text: "" },
      { first: 20, last: 21, whole: false, text: "" },
    ],
  };
  expect(linesOf(piece)).toBe(":3–9, 20–21");
  expect(linesOf({ ...piece, kind: "symbols" })).toBe("");
  expect(reasonOf(piece)).toBe("Left out for its size. Defines x, contains “y”.");
  expect(reasonOf({ ...piece, state: "included" })).toBe("Defines x, contains “y”.");
});
