import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import type { ProjectSetup } from "../../generated/api";
import { mounted, world } from "../../testing/mounted";
import { paramsOf, trackersOf, type Wanted } from "./setup";
import SetupDialog from "./SetupDialog.svelte";

const BARE: ProjectSetup = {
  root: "/p",
  has_beads: false,
  prefix: "p",
  trackers: [
    { tracker: "embedded", version: null, problem: null },
    { tracker: "bd", version: null, problem: "bd is not installed" },
  ],
  git: "no_repository",
  author: "Ana <a@b.c>",
  files: 3,
};
const WANTED: Wanted = {
  ...{ tracker: "bd", prefix: " app ", gitInit: true, commit: true, content: "all", name: " Ana ", email: "a@b.c" },
} as Wanted;

describe("the setup", () => {
  it("requests only what the folder lacks", () => {
    expect(paramsOf(BARE, WANTED)).toEqual({
      tracker: "bd",
      prefix: "app",
      git_init: true,
      first_commit: { content: "all", author: null },
    });
    expect(paramsOf({ ...BARE, author: null }, WANTED).first_commit?.author).toEqual({ name: "Ana", email: "a@b.c" });
    expect(paramsOf({ ...BARE, has_beads: true, git: "no_commit" }, WANTED)).toMatchObject({
      tracker: "keep",
      prefix: null,
      git_init: false,
      first_commit: { content: "all" },
    });
    const none = { git_init: false, first_commit: null };
    expect(paramsOf({ ...BARE, git: "ready" }, WANTED)).toMatchObject(none);
    expect(paramsOf({ ...BARE, git: "missing" }, WANTED)).toMatchObject(none);
    expect(paramsOf(BARE, { ...WANTED, gitInit: false })).toMatchObject(none);
  });

  it("offers only trackers that can be used", () => {
    expect(trackersOf(BARE).map(({ value }) => value)).toEqual(["embedded"]);
  });

  it("cannot be started in a folder that is set up already", async () => {
    const here = await world();
    mounted(here, SetupDialog, {});
    await screen.findByText("The repository is ready.");
    expect(screen.getByRole("button", { name: "Set up" }).hasAttribute("disabled")).toBe(true);
  });

  it("asks for the author if git has none, and shows a refusal", async () => {
    const here = await world({ "project.init": new Error("The disk is full.") }, { with: "no-git", author: "none" });
    mounted(here, SetupDialog, {});
    const button = await screen.findByRole("button", { name: "Set up" });
    await screen.findByLabelText("E-mail");
    expect(button.hasAttribute("disabled")).toBe(true);
    await fireEvent.input(screen.getByLabelText("E-mail"), { target: { value: "dana@example.org" } });
    await fireEvent.click(button);
    await screen.findByText("The disk is full.");
    expect(here.callsOf("project.init")).toEqual([
      {
        tracker: "keep",
        prefix: null,
        git_init: true,
        first_commit: { content: "beads", author: { name: "Dana Voss", email: "dana@example.org" } },
      },
    ]);
    await vi.waitFor(() => expect(here.callsOf("project.setup")).toHaveLength(2));
  });
});
