/** What was said about changes and not sent yet, by whose changes they are: it outlives whatever shows it. */
import { SvelteMap } from "svelte/reactivity";
import type { BeadId, SessionId } from "../generated/api";
import type { Remark } from "../words/remarks";

type Whose = BeadId | SessionId;
const NONE: readonly Remark[] = [];

export class Unsent {
  readonly #remarks = new SvelteMap<Whose, readonly Remark[]>();
  readonly #said = new SvelteMap<Whose, string>();

  /** Comments on lines. */
  remarks(whose: Whose): readonly Remark[] {
    return this.#remarks.get(whose) ?? NONE;
  }

  /** What is said in general. */
  said(whose: Whose): string {
    return this.#said.get(whose) ?? "";
  }

  remark(whose: Whose, remarks: readonly Remark[]): void {
    if (remarks.length > 0) this.#remarks.set(whose, remarks);
    else this.#remarks.delete(whose);
  }

  say(whose: Whose, text: string): void {
    if (text !== "") this.#said.set(whose, text);
    else this.#said.delete(whose);
  }

  /** This was sent. What was written while it was on its way stays. */
  sent(whose: Whose, remarks: readonly Remark[], said = ""): void {
    this.remark(whose, this.remarks(whose).filter((one) => !remarks.includes(one)));
    if (this.said(whose) === said) this.say(whose, "");
  }
}
