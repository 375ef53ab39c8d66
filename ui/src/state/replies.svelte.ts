/** Unfinished answers to permission requests. They outlive the card, which is re-created when the layout changes. */
import type { Draft } from "../words/question";

export interface PlanReply {
  kind: "plan";
  /** Remarks by line of the plan, from 1. */
  remarks: Readonly<Record<number, string>>;
  /** The line whose remark is being written, and its text so far. */
  editing: { line: number; text: string } | null;
}

export type Reply =
  | { kind: "deny"; reason: string }
  | PlanReply
  | { kind: "always" }
  | { kind: "answers"; drafts: Readonly<Record<string, Draft>> };

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
