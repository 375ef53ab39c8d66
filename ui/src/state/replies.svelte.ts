/**
 * Answers to permission requests that somebody began and did not give: they outlive the card, which comes
 * and goes as the window is laid out anew.
 */
export type Reply = { kind: "deny"; reason: string } | { kind: "always" };

export class Replies {
  #begun = $state.raw<ReadonlyMap<string, Reply>>(new Map());

  of(request: string): Reply | null {
    return this.#begun.get(request) ?? null;
  }

  begin(request: string, reply: Reply): void {
    this.#begun = new Map(this.#begun).set(request, reply);
  }

  drop(request: string): void {
    const rest = new Map(this.#begun);
    if (rest.delete(request)) this.#begun = rest;
  }
}
