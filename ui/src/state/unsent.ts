/** Unsent review comments, per bead or session. They outlive the components that show them. */
import { SvelteMap } from "svelte/reactivity";
import type { BeadId, SessionId } from "../generated/api";
import type { ReviewComment } from "../words/review-comments";

type Whose = BeadId | SessionId;
const NONE: readonly ReviewComment[] = [];

export class Unsent {
  readonly #remarks = new SvelteMap<Whose, readonly ReviewComment[]>();
  readonly #said = new SvelteMap<Whose, string>();

  /** Line comments. */
  remarks(whose: Whose): readonly ReviewComment[] {
    return this.#remarks.get(whose) ?? NONE;
  }

  /** The general comment. */
  said(whose: Whose): string {
    return this.#said.get(whose) ?? "";
  }

  remark(whose: Whose, remarks: readonly ReviewComment[]): void {
    if (remarks.length > 0) this.#remarks.set(whose, remarks);
    else this.#remarks.delete(whose);
  }

  say(whose: Whose, text: string): void {
    if (text !== "") this.#said.set(whose, text);
    else this.#said.delete(whose);
  }

  /** Removes the comments that were sent. Comments edited in the meantime stay. */
  sent(whose: Whose, remarks: readonly ReviewComment[], said = ""): void {
    this.remark(
      whose,
      this.remarks(whose).filter((one) => !remarks.includes(one)),
    );
    if (this.said(whose) === said) this.say(whose, "");
  }
}
