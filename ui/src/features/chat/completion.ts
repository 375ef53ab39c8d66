/** What is being completed in a text, what fits, and the text with it put in. Pure. */
import fuzzysort from "fuzzysort";
import type { Completions } from "../../generated/api";

/** The beginning of a command, or of a file's name after an `@`: from its sign up to the caret. */
export interface Token {
  kind: "command" | "file";
  /** Without the sign. */
  query: string;
  from: number;
  to: number;
}

export interface Choice {
  /** What is put in, with its sign. */
  text: string;
  about: string;
}

/** More are not shown: one types another letter. */
const LIMIT = 40;
/** What fits worse is rather something else: 1 is the same text, 0 has not even its letters. */
const FITS = 0.25;

export function tokenAt(text: string, caret: number): Token | null {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  return file ? { kind: "file", query: file[1] ?? "", from: caret - (file[1] ?? "").length - 1, to: caret } : null;
}

export function choicesFor({ kind, query }: Token, { commands, files }: Completions): Choice[] {
  if (kind === "command") {
    const found = query === "" ? commands.slice(0, LIMIT) : fuzzysort.go(query, commands, { key: "name", limit: LIMIT, threshold: FITS }).map((result) => result.obj);
    return found.map(({ name, about }) => ({ text: `/${name}`, about }));
  }
  const found = query === "" ? files.slice(0, LIMIT) : fuzzysort.go(query, files, { limit: LIMIT, threshold: FITS }).map((result) => result.target);
  return found.map((path) => ({ text: `@${path}`, about: "" }));
}

/** The text with a choice in the token's place, and where the caret is then. */
export function put(text: string, token: Token, choice: Choice): { text: string; caret: number } {
  const after = text.slice(token.to);
  const whole = choice.text + (/^\s/.test(after) ? "" : " ");
  return { text: text.slice(0, token.from) + whole + after, caret: token.from + choice.text.length + 1 };
}
