/** Unsent message drafts, stored on this machine. */
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
      // Storage is full; the text is still in its field.
    }
  }

  #slot(id: SessionId): string {
    return `draft:${this.#key}:${id}`;
  }
}
