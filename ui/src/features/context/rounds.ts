/** Groups injected texts by occasion, since the start of a conversation sends several. Pure. */
import type { Injection } from "../../generated/api";

/** Texts that were sent together, in order. */
export interface Round {
  /** Does not change when new rounds are added. */
  key: string;
  at: string;
  reason: Injection["reason"];
  texts: readonly Injection[];
}

/** The maximum time from the first to the last text of a round, in milliseconds. */
const ROUND_MS = 15_000;

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
  const near = Date.parse(next.at) - Date.parse(first.at) < ROUND_MS;
  // A second recovery block means that the conversation has started again.
  const again = next.source === "recovery" && texts.some((text) => text.source === "recovery");
  return (
    next.reason === first.reason &&
    next.conversation === first.conversation &&
    first.reason !== "prompt" &&
    near &&
    !again
  );
}

export const REASONS: Record<Injection["reason"], string> = {
  start: "The conversation started",
  resume: "The session was resumed",
  compaction: "The conversation was compacted",
  clear: "The conversation was cleared",
  prompt: "With a prompt",
};

/** The display name of a source. */
export function nameOf(source: string): string {
  if (source === "recovery") return "Recovery block";
  return source.charAt(0).toUpperCase() + source.slice(1);
}

/** The bead of a recovery block, or the part of a text in several parts; "" for other texts. */
export function aboutOf({ source, text }: Injection): string {
  if (source === "recovery") return /^## Resuming: (.+)$/m.exec(text)?.[1] ?? "No bead";
  return /^# .*\b(part \d+ of \d+)$/m.exec(text)?.[1] ?? "";
}
