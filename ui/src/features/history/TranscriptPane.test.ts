import { fireEvent, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { expect, it, vi } from "vitest";
import { mounted, world } from "../../testing/mounted";
import TranscriptPane from "./TranscriptPane.svelte";

// jsdom has no layout: every element has the height of one row.
vi.stubGlobal(
  "ResizeObserver",
  class {
    constructor(private readonly seen: ResizeObserverCallback) {}
    observe(target: Element) {
      const contentRect = { width: 600, height: 60 } as DOMRectReadOnly;
      queueMicrotask(() => this.seen([{ target, contentRect } as ResizeObserverEntry], this as never));
    }
    unobserve() {}
    disconnect() {}
  },
);
Object.defineProperty(HTMLElement.prototype, "offsetParent", { get: () => document.body });

it("loads all of a shortened message on demand", async () => {
  const here = await world();
  const session = here.project.sessions.list[0];
  if (!session) throw new Error("the sample project has sessions");
  const message = { id: "m1", role: "assistant", timestamp: "2026-11-20T10:00:00Z", content: "The beginning" };
  const answers: Record<string, unknown> = {
    "session.page": { messages: [{ ...message, left_out: 900 }], first: 0, total: 1 },
    "session.message": { ...message, content: "The beginning and the end" },
  };
  vi.spyOn(here.project, "call").mockImplementation(((method: string) => Promise.resolve(answers[method])) as never);
  const empty = createRawSnippet(() => ({ render: () => "<span></span>" }));
  mounted(here, TranscriptPane, { session, changes: empty, timeline: empty });
  await fireEvent.click(await screen.findByRole("button", { name: "Show all" }));
  await screen.findByText("The beginning and the end");
  expect(screen.queryByRole("button", { name: "Show all" })).toBeNull();
});
