/** Session actions for lists, bars and menus. Most report an error as a toast. */
import type { PermissionMode, SessionEndParams, SessionResumeParams, SessionView, Status } from "../generated/api";
import { asCallError, saveFile, type CallError } from "../platform";
import { notice } from "../words/errors";
import { titleOf } from "../words/session";
import type { App } from "./app.svelte";
import { startedNext } from "./next-bead.svelte";
import type { Project } from "./project.svelte";

/** The session that an action changes, and its status afterwards. */
interface Target {
  session: SessionView;
  wanted: Exclude<Status, "draft">;
}

export class SessionActions {
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** Opens the session in the panel and closes all sheets. */
  open(session: SessionView): void {
    this.#app.dialogs.closeSheets();
    this.#project.layout.openSession(session.id);
  }

  pause(session: SessionView): Promise<void> {
    return this.#update(() => this.#project.call("session.pause", { id: session.id }), { session, wanted: "paused" });
  }

  /** Resumes at once with the generated prompt. If the user must decide something, opens the dialog. */
  resume(session: SessionView): Promise<void> {
    return this.#try(
      async () => {
        try {
          await this.resumeWith(session, {});
        } catch (thrown) {
          if (asCallError(thrown).code !== "confirmation_needed") throw thrown;
          this.askResume(session);
        }
      },
      { session, wanted: "active" },
    );
  }

  /** Opens a dialog with the prompt and the changes since the pause. `own` is the user's message, which replaces the
   * prompt; `sent` is called once it is sent. */
  askResume(session: SessionView, own?: { text: string; sent: () => void }): void {
    this.#app.dialogs.show({ kind: "resume", session: session.id, ...(own ? { own } : {}) });
  }

  /** Resumes with the user's own message. If the user must decide something, opens the dialog and returns false.
   * Rejects if the session cannot be resumed. */
  async resumeWithText(session: SessionView, text: string, sent: () => void): Promise<boolean> {
    try {
      await this.resumeWith(session, { prompt: text });
      return true;
    } catch (thrown) {
      if (asCallError(thrown).code !== "confirmation_needed") throw thrown;
      this.askResume(session, { text, sent });
      return false;
    }
  }

  /** Rejects if the session cannot be resumed. */
  async resumeWith({ id }: SessionView, params: Omit<SessionResumeParams, "id" | "size">): Promise<void> {
    const started = await this.#project.call("session.resume", { id, size: this.#project.layout.terminal, ...params });
    this.#project.sessions.put(started.session);
    this.open(started.session);
    started.warnings.forEach((warning) => this.#app.toasts.done(notice(warning)));
  }

  /** Sets a permission mode, or Claude's next one if `mode` is null. Bypass asks for confirmation. */
  mode(session: SessionView, mode: PermissionMode | null = null): Promise<void> {
    const change = () => this.#update(() => this.#project.call("session.mode", { id: session.id, mode }));
    if (mode !== "bypassPermissions" || session.mode === mode) return change();
    this.#app.dialogs.show({
      kind: "confirm",
      title: "Switch to Bypass mode?",
      text: "In Bypass mode, Claude runs every command and makes every edit without asking.",
      action: "Switch to Bypass",
      danger: true,
      run: () => void change(),
    });
    return Promise.resolve();
  }

  interrupt(session: SessionView): Promise<void> {
    return this.#update(() => this.#project.call("session.interrupt", { id: session.id }));
  }

  /** Sends a message again that Claude did not confirm, or that it returned. */
  retry(session: SessionView, text: string): Promise<void> {
    return this.#update(() => this.#project.call("session.retry", { id: session.id, text }));
  }

  /** Discards a queued message; the toast offers Undo. */
  forget(session: SessionView, text: string, putBack: () => void): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.forget", { id: session.id, text }));
      this.#app.toasts.done("Message discarded", { label: "Undo", run: putBack });
    });
  }

  /** Opens the dialog that ends the session. */
  askEnd(session: SessionView): void {
    this.#app.dialogs.show({ kind: "end-session", session: session.id });
  }

  /** Ends the session. Returns the error, so that the dialog can show it and keep the execution log. */
  async end(session: SessionView, params: Omit<SessionEndParams, "id">): Promise<CallError | null> {
    let failed: CallError | null = null;
    await this.#try(
      async () => {
        const ended = await this.#project.call("session.end", { id: session.id, ...params });
        this.#project.sessions.put(ended.session);
        const moved = ended.bead_status === "in_review" && session.bead_id;
        this.#app.toasts.done(moved ? `${session.bead_id} moved to In review` : `${this.#name(session)} ended`);
        if (ended.next) startedNext(ended.next, this.#app.toasts, this.#project.layout);
        else if (ended.bead_status === "closed" && session.bead_id) void this.#project.next.offer(session.bead_id);
        ended.warnings.forEach((warning) => this.#app.toasts.done(notice(warning)));
      },
      { session, wanted: "closed" },
      (error) => (failed = error),
    );
    return failed;
  }

  /** Opens the export dialog. */
  askExport(sessions: readonly SessionView[]): void {
    if (sessions.length > 0) this.#app.dialogs.show({ kind: "export", sessions: sessions.map(({ id }) => id) });
  }

  /** Opens the session metrics. */
  showFigures(session: SessionView): void {
    this.#app.dialogs.show({ kind: "figures", session: session.id });
  }

  export(session: SessionView, format: "md" | "json" = "md"): Promise<void> {
    return this.#try(async () => {
      const { file_name, text } = await this.#project.call("session.export", { id: session.id, format });
      const place = await saveFile(file_name, text, format === "md" ? "text/markdown" : "application/json");
      this.#app.toasts.done(`Exported to ${place}`);
    });
  }

  /** Moves the session to the trash; the toast offers Undo. */
  delete(session: SessionView): Promise<void> {
    return this.#try(async () => {
      await this.#project.call("session.delete", { id: session.id });
      this.#project.sessions.remove(session.id);
      if (this.#project.layout.session === session.id) this.#project.layout.closePanel();
      this.#app.toasts.done(`${this.#name(session)} deleted`, {
        label: "Undo",
        run: () => void this.restore(session),
      });
    });
  }

  restore(session: SessionView): Promise<void> {
    return this.#update(() => this.#project.call("session.restore", { id: session.id }));
  }

  #name(session: SessionView): string {
    return titleOf(session, this.#project.beads.get(session.bead_id));
  }

  /** Runs a command that returns the changed session. */
  #update(command: () => Promise<SessionView>, to?: Target): Promise<void> {
    return this.#try(async () => void this.#project.sessions.put(await command()), to);
  }

  /** Runs an action. If another window already did the same, reports that instead of an error. */
  async #try(
    work: () => Promise<void>,
    to?: Target,
    fail: (error: CallError) => unknown = (error) => this.#app.toasts.error(error),
  ): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const stale = to && asCallError(thrown).code === "session_state";
      const now = stale ? await this.#project.call("session.show", { id: to.session.id }).catch(() => null) : null;
      if (now) this.#project.sessions.put(now);
      if (to && now?.status === to.wanted)
        this.#app.toasts.done(`${this.#name(now)} was already ${BECAME[to.wanted]} in another window`);
      else fail(asCallError(thrown));
    }
  }
}

const BECAME = { active: "resumed", paused: "paused", closed: "ended" };
