/**
 * Answering permission requests. Invariants: a request is answered once; a request that was answered anywhere
 * cannot be answered again; a click meant for one request never answers the next one.
 */
import type {
  PermissionAnswer,
  PermissionMode,
  PermissionRequest,
  QuestionAnswer,
  SessionView,
} from "../generated/api";
import { asCallError } from "../platform";
import { sentence } from "../words/text";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

/** How long a request that replaced another one cannot be answered, in milliseconds: a click may be meant for the
 * earlier one. */
const IGNORED_MS = 350;

export class Permissions {
  /** The IDs of answered requests. An ID is removed only if its answer failed, so that the request is open again. */
  #answered = $state.raw<ReadonlySet<string>>(new Set());
  #shown: string | null = null;
  #pressable = 0;
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** A session's unanswered requests, oldest first. */
  open(session: SessionView): readonly PermissionRequest[] {
    if (session.status !== "active") return [];
    return (session.live?.permissions ?? []).filter((request) => !this.#answered.has(request.id));
  }

  /** Notes the displayed request. One that replaces another cannot be answered for a moment. */
  shows(request: PermissionRequest, now: number = performance.now()): void {
    const key = request.id;
    if (key === this.#shown) return;
    this.#pressable = this.#shown === null ? 0 : now + IGNORED_MS;
    this.#shown = key;
  }

  /** Notes that no request is displayed. */
  showsNone(): void {
    this.#shown = null;
  }

  /** Answers a request. Returns false if it is no longer open or just replaced another one, or if the call failed. */
  async answer(
    session: SessionView,
    request: PermissionRequest,
    answer: PermissionAnswer,
    reason = "",
    now: number = performance.now(),
    answers: QuestionAnswer[] = [],
    /** The permission mode in which Claude carries out an approved plan. */
    mode: PermissionMode | null = null,
  ): Promise<boolean> {
    const known = this.#project.sessions.get(session.id) ?? session;
    const key = request.id;
    const stale = !this.open(known).some((other) => other.id === key);
    if (stale || (key === this.#shown && now < this.#pressable)) return false;
    this.#answered = new Set([...this.#answered, key]);
    try {
      const message = reason.trim() === "" ? null : reason.trim();
      this.#project.sessions.put(
        await this.#project.call("session.permission", {
          id: session.id,
          request: request.id,
          answer,
          message,
          ...(answers.length > 0 ? { answers } : {}),
          ...(mode === null ? {} : { mode }),
        }),
      );
      this.#project.replies.drop(key);
      return true;
    } catch (thrown) {
      const error = asCallError(thrown);
      if (error.code === "session_state") {
        // It was answered in another window or in the terminal, which is not an error.
        this.#app.toasts.done(sentence(error.message));
      } else {
        // The request may still be open, so it is offered again.
        this.#answered = new Set([...this.#answered].filter((other) => other !== key));
        this.#app.toasts.error(error);
      }
      return false;
    }
  }
}
