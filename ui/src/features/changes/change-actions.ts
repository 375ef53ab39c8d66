/** Actions on a session's changes, with their results as toasts. */
import type { FileDiff, FileLines, KeptRevert, SessionId } from "../../generated/api";
import { asCallError } from "../../platform";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { visible } from "../../words/text";
import type { Changes } from "./changes.svelte";

export class ChangeActions {
  readonly #app: App;
  readonly #project: Project;
  readonly #id: SessionId;
  readonly #changes: Changes;

  constructor(app: App, project: Project, id: SessionId, changes: Changes) {
    this.#app = app;
    this.#project = project;
    this.#id = id;
    this.#changes = changes;
  }

  /** Reverts a file or a hunk, and offers to undo it. */
  async revert({ path, content }: FileDiff, hunk: number | null): Promise<void> {
    try {
      const kept = await this.#project.call("session.revert", { id: this.#id, path, hunk, content });
      const text = hunk === null ? `${visible(path)} reverted` : `Hunk in ${visible(path)} reverted`;
      this.#project.edits.undo.offer({ text, run: () => this.#undo(kept) });
    } catch (thrown) {
      this.#app.toasts.error(thrown);
    }
    await this.#changes.again();
  }

  async undo(kept: KeptRevert): Promise<void> {
    try {
      await this.#undo(kept);
      this.#app.toasts.done(`Revert of ${visible(kept.path)} undone`);
    } catch (thrown) {
      this.#app.toasts.error(thrown);
    }
  }

  /** Opens a file in the user's editor; of a file at a place, a read-only copy. */
  async open(path: string, atPlace: boolean): Promise<void> {
    try {
      await this.#project.call("session.open_file", { id: this.#id, path });
      if (atPlace) this.#app.toasts.done(`Opened a read-only copy of ${visible(path)}`);
    } catch (thrown) {
      const settings = { label: "Settings", run: () => this.#app.dialogs.show({ kind: "settings" }) };
      const missing = asCallError(thrown).code === "editor_missing";
      this.#app.toasts.error(thrown, missing ? settings : undefined);
    }
  }

  /** Loads lines of a file; null if that fails, which is reported. */
  async lines(path: string, from: number, to: number): Promise<FileLines | null> {
    try {
      return await this.#project.call("session.file_lines", { id: this.#id, path, from, to });
    } catch (thrown) {
      this.#app.toasts.error(thrown);
      return null;
    }
  }

  async #undo({ revert }: KeptRevert): Promise<void> {
    try {
      await this.#project.call("session.undo_revert", { id: this.#id, revert });
    } finally {
      await this.#changes.again();
    }
  }
}
