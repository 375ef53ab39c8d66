/** What an agent was told, as moments: one start of a conversation gives it several texts. Pure. */
import type { Injection } from "../../generated/api";
import { grouped } from "../../words/count";

/** Texts that were given together, in the order in which claude got them. */
export interface Round {
  /** The same for the same round, however many come after it. */
  key: string;
  at: string;
  reason: Injection["reason"];
  texts: readonly Injection[];
}

/** What is given together is given within this time, in milliseconds. */
const TOGETHER = 15_000;

/** The rounds, newest first. */
export function roundsOf(injections: readonly Injection[]): Round[] {
  const rounds: { first: Injection; texts: Injection[] }[] = [];
  for (const injection of injections) {
    const last = rounds.at(-1);
    if (last && belongs(injection, last.first, last.texts)) last.texts.push(injection);
    else rounds.push({ first: injection, texts: [injection] });
  }
  return rounds
    .map(({ first, texts }, n) => ({ key: `${n} ${first.at}`, at: first.at, reason: first.reason, texts }))
    .reverse();
}

function belongs(next: Injection, first: Injection, texts: readonly Injection[]): boolean {
  const near = Date.parse(next.at) - Date.parse(first.at) < TOGETHER;
  // A conversation that starts twice at a time is told of its bead twice.
  const again = next.source === "recovery" && texts.some((text) => text.source === "recovery");
  return next.reason === first.reason && next.conversation === first.conversation && first.reason !== "prompt" && near && !again;
}

export const REASONS: Record<Injection["reason"], string> = {
  start: "The conversation began",
  resume: "The session was resumed",
  compaction: "The conversation was compacted",
  clear: "The conversation was cleared",
  prompt: "With a prompt",
};

/** What a text is. */
export function nameOf(source: string): string {
  if (source === "recovery") return "Recovery block";
  return source.charAt(0).toUpperCase() + source.slice(1);
}

/** What stands in it, in a few words: the bead that it is about, which part of a pack it is. */
export function aboutOf({ source, text }: Injection): string {
  if (source === "recovery") return /^## Resuming: (.+)$/m.exec(text)?.[1] ?? "No bead";
  return /^# .*\b(part \d+ of \d+)$/m.exec(text)?.[1] ?? "";
}

/** `840 bytes`, `2.0 kB`: what counts against the size of a block is bytes, not characters. */
export function sizeOf(bytes: number): string {
  return bytes < 10_000 ? `${grouped(bytes)} ${bytes === 1 ? "byte" : "bytes"}` : `${(bytes / 1000).toFixed(1)} kB`;
}
