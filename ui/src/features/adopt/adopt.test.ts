import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { mounted, world } from "../../testing/mounted";
import AdoptDialog from "./AdoptDialog.svelte";
import ElsewhereList from "./ElsewhereList.svelte";

async function conversation(here: Awaited<ReturnType<typeof world>>, title: RegExp) {
  const { conversations } = await here.project.call("session.conversations", {});
  const found = conversations.find((one) => title.test(one.title));
  if (!found) throw new Error("the sample project has it");
  return found;
}

describe("conversations outside sessions", () => {
  it("are listed below the sessions and opened for adoption", async () => {
    const here = await world();
    mounted(here, ElsewhereList, { text: "" });
    await fireEvent.click(await screen.findByRole("button", { name: /^Begun in Claude Code/ }));
    await fireEvent.click(screen.getByRole("button", { name: /^Adopt Why does the token cache/ }));
    expect(here.app.dialogs.open).toMatchObject({ kind: "adopt" });
  });

  it("follow the search", async () => {
    const here = await world();
    mounted(here, ElsewhereList, { text: "argon2" });
    await fireEvent.click(await screen.findByRole("button", { name: /^Begun in Claude Code 1/ }));
    expect(screen.getByText("…Benchmark Argon2 parameters…")).toBeTruthy();
    expect(here.callsOf("session.conversations").at(-1)).toEqual({ text: "argon2" });
  });
});

describe("an adoption", () => {
  it("creates a session and continues it", async () => {
    const here = await world();
    mounted(here, AdoptDialog, { conversation: await conversation(here, /token cache/) });
    await fireEvent.click(screen.getByRole("button", { name: /^Adopt/ }));
    await vi.waitFor(() => expect(here.callsOf("session.resume")).toHaveLength(1));
    expect(here.callsOf("session.resume")[0]).toMatchObject({ prompt: "" });
    expect(here.project.layout.session).toBe(here.callsOf("session.resume")[0]!.id);
  });

  it("keeps the session if Claude cannot continue it", async () => {
    const here = await world({ "session.resume": new CallError("claude_missing", "no claude") });
    mounted(here, AdoptDialog, { conversation: await conversation(here, /token cache/) });
    await fireEvent.click(screen.getByRole("button", { name: /^Adopt/ }));
    await vi.waitFor(() => expect(here.app.toasts.list.some(({ kind }) => kind === "error")).toBe(true));
    const id = here.project.layout.session ?? undefined;
    expect(here.project.sessions.get(id)?.status).toBe("paused");
  });

  it("asks for a confirmation if the conversation is in use", async () => {
    const here = await world();
    mounted(here, AdoptDialog, { conversation: await conversation(here, /grammar/) });
    await fireEvent.click(screen.getByRole("checkbox"));
    await fireEvent.click(screen.getByRole("button", { name: /^Adopt/ }));
    await fireEvent.click(await screen.findByRole("button", { name: "Adopt anyway" }));
    await vi.waitFor(() => expect(here.callsOf("session.adopt").at(-1)).toMatchObject({ anyway: true }));
    expect(here.callsOf("session.resume")).toEqual([]);
  });
});
