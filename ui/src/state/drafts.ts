/** What was typed to a session and not sent, kept on this machine. */
import type { ProjectKey, SessionId } from "../generated/api";

export class Drafts {
  readonly #key: ProjectKey;

  constructor(key: ProjectKey) {
    this.#key = key;
  }

  get(id: SessionId): string {
    return localStorage.getItem(this.#slot(id)) ?? "";
  }

  set(id: SessionId, text: string): void {
    try {
      if (text === "") localStorage.removeItem(this.#slot(id));
      else localStorage.setItem(this.#slot(id), text);
    } catch {
      // No room: the text is still in its field.
    }
  }

  #slot(id: SessionId): string {
    return `draft:${this.#key}:${id}`;
  }
}
