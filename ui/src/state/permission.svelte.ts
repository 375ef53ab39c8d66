/**
 * Answering permission requests. Invariants: a request is answered once; what was answered, here or
 * anywhere, cannot be pressed again; a press meant for one request never lands on the next.
 */
import type { PermissionAnswer, PermissionRequest, SessionView } from "../generated/api";
import { asCallError } from "../platform";
import { sentence } from "../words/text";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

/** A request that takes the place of another cannot be pressed at once: the press was for the other. */
const SETTLE = 350;

export class Permissions {
  /** Answered here; the engine's word that they are gone is on its way. */
  #answered = $state.raw<ReadonlySet<string>>(new Set());
  #shown: string | null = null;
  #pressable = 0;
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** Those of a session that nobody answered, oldest first. */
  open(session: SessionView): readonly PermissionRequest[] {
    if (session.status !== "active") return [];
    return (session.live?.permissions ?? []).filter((request) => !this.#answered.has(request.id));
  }

  /** Says which request is drawn now. */
  shows(request: PermissionRequest, now: number = performance.now()): void {
    const key = request.id;
    if (key === this.#shown) return;
    this.#pressable = this.#shown === null ? 0 : now + SETTLE;
    this.#shown = key;
  }

  /** Says that none is drawn. */
  showsNone(): void {
    this.#shown = null;
  }

  /** Answers it; false where it cannot be answered any more or not yet. */
  async answer(session: SessionView, request: PermissionRequest, answer: PermissionAnswer, reason = "", now: number = performance.now()): Promise<boolean> {
    const known = this.#project.sessions.get(session.id) ?? session;
    const key = request.id;
    const stale = !this.open(known).some((other) => other.id === key);
    if (stale || (key === this.#shown && now < this.#pressable)) return false;
    this.#answered = new Set([...this.#answered, key]);
    try {
      const message = reason.trim() === "" ? null : reason.trim();
      this.#project.sessions.put(await this.#project.call("session.permission", { id: session.id, request: request.id, answer, message }));
      this.#project.replies.drop(key);
      return true;
    } catch (thrown) {
      const error = asCallError(thrown);
      if (error.code === "session_state") {
        // Somebody was faster, in another window or in the terminal: it is gone, and nothing went wrong.
        this.#app.toasts.done(sentence(error.message));
      } else {
        // It may still wait: it is offered again.
        this.#answered = new Set([...this.#answered].filter((other) => other !== key));
        this.#app.toasts.error(error);
      }
      return false;
    }
  }
}
