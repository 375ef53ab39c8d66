/** Changes to a session's prompt queue. Each reports its error and returns whether it succeeded. */
import type { SessionView } from "../generated/api";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

export class QueueActions {
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  edit({ id }: SessionView, text: string, content: string): Promise<boolean> {
    return this.#try(() => this.#project.call("session.edit_queued", { id, text, content }));
  }

  /** Moves a message before another one, or to the end. */
  move({ id }: SessionView, text: string, before: string | null): Promise<boolean> {
    return this.#try(() => this.#project.call("session.move_queued", { id, text, before }));
  }

  /** Moves a message to the front of the queue and stops the running turn. */
  sendNow({ id }: SessionView, text: string): Promise<boolean> {
    return this.#try(() => this.#project.call("session.send_now", { id, text }));
  }

  /** Removes a message; the toast offers Undo. */
  remove({ id }: SessionView, text: string, putBack: () => void): Promise<boolean> {
    return this.#try(async () => {
      const session = await this.#project.call("session.forget", { id, text });
      this.#app.toasts.done("Message removed", { label: "Undo", run: putBack });
      return session;
    });
  }

  async #try(work: () => Promise<SessionView>): Promise<boolean> {
    try {
      this.#project.sessions.put(await work());
      return true;
    } catch (thrown) {
      this.#app.toasts.error(thrown);
      return false;
    }
  }
}
