import { cleanup, fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionView } from "../../generated/api";
import { CallError } from "../../platform/host";
import { sessionId } from "../../platform/fake/sessions";
import { mounted, world, type World } from "../../testing/mounted";
import ChangesTab from "./ChangesTab.svelte";
import CommitDialog from "./CommitDialog.svelte";
import PublishDialog from "./PublishDialog.svelte";

beforeAll(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.checkVisibility ??= () => true;
  Element.prototype.scrollTo ??= () => {};
});

async function shown(here: World, different: Partial<SessionView> = {}) {
  const session = await vi.waitUntil(() => here.project.sessions.get(sessionId(1)));
  mounted(here, ChangesTab, { session: { ...session, ...different } });
  return screen.findByRole("region", { name: "src/auth/login.rs" });
}

describe("the changes of a session", () => {
  it("are all in one scroll", async () => {
    await shown(await world());
    for (const name of ["src/auth/login.rs", "src/auth/legacy.rs", "src/store/user.rs"])
      expect(screen.getByRole("region", { name })).toBeTruthy();
  });

  it("are reverted as displayed, and the revert is undone", async () => {
    const here = await world();
    const file = await shown(here);
    await fireEvent.click(within(file).getByRole("button", { name: "Revert file" }));
    const [params] = await vi.waitUntil(() => {
      const calls = here.callsOf("session.revert");
      return calls.length > 0 ? calls : null;
    });
    expect(params).toMatchObject({ path: "src/auth/login.rs", hunk: null, content: "made up: src/auth/login.rs" });
    await vi.waitFor(() => expect(screen.queryByRole("region", { name: "src/auth/login.rs" })).toBeNull());
    await fireEvent.click(await screen.findByRole("button", { name: "1 revert" }));
    await fireEvent.click(within(screen.getByRole("list", { name: "Reverts" })).getByRole("button", { name: "Undo" }));
    await screen.findByRole("region", { name: "src/auth/login.rs" });
    expect(here.callsOf("session.undo_revert")).toHaveLength(1);
  });

  it("are committed and reverted, and opened as copies, if the agent works at a place", async () => {
    const here = await world();
    const file = await shown(here, { place: "far" });
    expect(within(file).getByRole("button", { name: "Revert file" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Commit…" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Publish…" })).toBeTruthy();
    await fireEvent.click(within(file).getByRole("button", { name: "Open in editor" }));
    await vi.waitFor(() => expect(here.callsOf("session.open_file")).toHaveLength(1));
  });

  it("are reverted by hunk", async () => {
    const here = await world();
    const file = await shown(here);
    await fireEvent.click(within(file).getAllByRole("button", { name: "Revert hunk" }).at(-1) as HTMLElement);
    await vi.waitFor(() => expect(here.callsOf("session.revert")[0]?.hunk).toBeGreaterThan(0));
  });

  it("show more lines on demand", async () => {
    const here = await world();
    const file = await shown(here);
    const more = within(file).getAllByRole("button", { name: /^Show \d+ lines above$/ })[0] as HTMLElement;
    const before = file.querySelectorAll(".line").length;
    await fireEvent.click(more);
    await vi.waitFor(() => expect(file.querySelectorAll(".line").length).toBeGreaterThan(before));
  });

  it("keep a sent comment until it is resolved", async () => {
    const here = await world();
    const file = await shown(here);
    await fireEvent.click(within(file).getByRole("button", { name: "Comment on line 43, added" }));
    await fireEvent.input(screen.getByRole("textbox", { name: "Comment on line 43" }), { target: { value: "Why?" } });
    await fireEvent.click(screen.getByRole("button", { name: /^Comment(?! on)/ }));
    await screen.findByText("1 unsent comment");
    await fireEvent.click(screen.getByRole("button", { name: /^Send to/ }));
    const comment = await screen.findByRole("group", { name: "Comment on line 43" });
    await within(comment).findByText("Sent");
    expect(here.callsOf("session.send")[0]?.text).toMatch(/^`src\/auth\/login\.rs`, line 43:\n> .+\n\nWhy\?$/);
    await fireEvent.click(within(comment).getByRole("button", { name: "Resolve" }));
    await vi.waitFor(() => expect(screen.queryByText("Why?")).toBeNull());
  });

  it("say where to choose an editor", async () => {
    const here = await world();
    const file = await shown(here);
    await fireEvent.click(within(file).getByRole("button", { name: "Open in editor" }));
    await vi.waitFor(() => expect(here.app.toasts.list.at(-1)?.action?.label).toBe("Settings"));
  });
});

describe("a commit", () => {
  it("keeps the message when git refuses", async () => {
    const refusal = new CallError("git_failed", "Git refused the commit: x");
    const here = await world({ "session.commit": refusal });
    mounted(here, CommitDialog, { session: sessionId(1) });
    const message = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    expect(message.value).toBe("Implement login validation (BC-097)");
    await fireEvent.input(message, { target: { value: "My own words" } });
    await fireEvent.click(screen.getByRole("button", { name: /^Commit 2 files/ }));
    await screen.findByText("Git refused the commit: x");
    expect(message.value).toBe("My own words");
    cleanup();
    mounted(here, CommitDialog, { session: sessionId(1) });
    expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Message" })).value).toBe("My own words");
  });

  it("has the chosen files, and names hooks that do not run", async () => {
    const here = await world();
    mounted(here, CommitDialog, { session: sessionId(1) });
    await screen.findByText(/git hooks do not run here: pre-commit/);
    await fireEvent.click(screen.getByRole("checkbox", { name: /user\.rs/ }));
    await fireEvent.click(screen.getByRole("button", { name: /^Commit 1 file/ }));
    await vi.waitFor(() => expect(here.callsOf("session.commit")[0]?.paths).toEqual(["src/auth/login.rs"]));
  });
});

describe("a pull request", () => {
  it("can be opened while the session's place does not answer, with a warning", async () => {
    const here = await world();
    vi.spyOn(here.project, "call").mockResolvedValueOnce({
      branch: "feat/BC-097-login",
      remote: "origin",
      base: "main",
      unpushed: 1,
      uncommitted: null,
      gh: true,
      title: "Login",
      body: "",
    });
    mounted(here, PublishDialog, { session: sessionId(1) });
    await screen.findByText(/place are unknown\. It may have newer commits/);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Push and open pull request" }).disabled).toBe(false);
  });

  it("is opened with the edited texts, and its address is shown", async () => {
    const here = await world();
    mounted(here, PublishDialog, { session: sessionId(1) });
    const title = await screen.findByRole("textbox", { name: "Title" });
    await fireEvent.input(title, { target: { value: "A better title" } });
    await fireEvent.click(screen.getByRole("button", { name: "Push and open pull request" }));
    await screen.findByRole("link", { name: /pull\/42$/ });
    expect(here.callsOf("session.pull_request")[0]).toMatchObject({ title: "A better title", base: "main" });
  });
});

afterEach(cleanup);
