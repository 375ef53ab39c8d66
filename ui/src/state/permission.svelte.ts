/**
 * Answering permission requests. Invariants: a request is answered once; what was answered, here or
 * anywhere, cannot be pressed again; a press meant for one request never lands on the next.
 */
import type { PermissionRequest, SessionView } from "../generated/api";
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
    if (request.id === this.#shown) return;
    this.#pressable = this.#shown === null ? 0 : now + SETTLE;
    this.#shown = request.id;
  }

  /** Says that none is drawn. */
  showsNone(): void {
    this.#shown = null;
  }

  /** Answers it; false where it cannot be answered any more or not yet. */
  async answer(session: SessionView, request: PermissionRequest, allow: boolean, reason = "", now: number = performance.now()): Promise<boolean> {
    const known = this.#project.sessions.get(session.id) ?? session;
    const stale = !this.open(known).some((other) => other.id === request.id);
    if (stale || (request.id === this.#shown && now < this.#pressable)) return false;
    this.#answered = new Set([...this.#answered, request.id]);
    try {
      const message = reason.trim() === "" ? null : reason.trim();
      this.#project.sessions.put(await this.#project.call("session.permission", { id: session.id, request: request.id, allow, message }));
      return true;
    } catch (thrown) {
      // It may still wait: it is offered again unless the engine says that it is gone.
      this.#answered = new Set([...this.#answered].filter((id) => id !== request.id));
      this.#app.toasts.error(thrown);
      return false;
    }
  }
}
