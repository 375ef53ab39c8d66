/** Finds the token to complete and the choices for it, and inserts a choice. Pure. */
import fuzzysort from "fuzzysort";
import type { Completions } from "../../generated/api";

/** The part of a command, or of a file name after `@`, before the caret. */
export interface Token {
  kind: "command" | "file";
  /** The typed text without the prefix. */
  query: string;
  from: number;
  to: number;
}

export interface Choice {
  /** The text to insert, with its prefix. */
  text: string;
  about: string;
}

/** The maximum number of matches. */
const LIMIT = 40;
/** The minimum score: 1 is a perfect match, 0 is no match. */
const MIN_SCORE = 0.25;

/** The token that ends at the caret; null if there is none. */
export function tokenAt(text: string, caret: number): Token | null {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  return file ? { kind: "file", query: file[1] ?? "", from: caret - (file[1] ?? "").length - 1, to: caret } : null;
}

export function choicesFor({ kind, query }: Token, { commands, files }: Completions): Choice[] {
  if (kind === "command") {
    const found =
      query === ""
        ? commands.slice(0, LIMIT)
        : fuzzysort
            .go(query, commands, { key: "name", limit: LIMIT, threshold: MIN_SCORE })
            .map((result) => result.obj);
    return found.map(({ name, about }) => ({ text: `/${name}`, about }));
  }
  const found =
    query === ""
      ? files.slice(0, LIMIT)
      : fuzzysort.go(query, files, { limit: LIMIT, threshold: MIN_SCORE }).map((result) => result.target);
  return found.map((path) => ({ text: `@${path}`, about: "" }));
}

/** The text with the choice inserted, and the new caret position. */
export function put(text: string, token: Token, choice: Choice): { text: string; caret: number } {
  const after = text.slice(token.to);
  const whole = choice.text + (/^\s/.test(after) ? "" : " ");
  return { text: text.slice(0, token.from) + whole + after, caret: token.from + choice.text.length + 1 };
}
