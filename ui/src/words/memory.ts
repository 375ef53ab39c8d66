/** Memories in words. */
import type { MemoryPlace, MemoryType, Reason, Relation } from "../generated/api";

export const MEMORY_TYPES: { value: MemoryType; name: string; says: string }[] = [
  { value: "learning", name: "Learning", says: "what was found out" },
  { value: "decision", name: "Decision", says: "what was decided, and why" },
  { value: "pattern", name: "Pattern", says: "how things are done here" },
  { value: "context", name: "Context", says: "what one has to know" },
  { value: "artifact", name: "Artifact", says: "something that was made" },
  { value: "conversation", name: "Conversation", says: "what was talked about" },
];

/** A tracker keeps five steps, each with the number in its middle. */
const STEPS = [
  { value: 9, name: "Critical" },
  { value: 7, name: "High" },
  { value: 5, name: "Medium" },
  { value: 3, name: "Low" },
  { value: 1, name: "Very low" },
];

export function typeName(type: MemoryType): string {
  return MEMORY_TYPES.find((known) => known.value === type)?.name ?? type;
}

/** 10 and 9 are critical, 8 and 7 high, 6 to 4 medium, 3 and 2 low. */
export function importanceName(importance: number): string {
  const at = importance >= 9 ? 0 : importance >= 7 ? 1 : importance >= 4 ? 2 : importance >= 2 ? 3 : 4;
  return STEPS[at]?.name ?? "";
}

/** The steps, the one that holds now with its own number. */
export function importanceChoices(now: number): { value: string; name: string }[] {
  return STEPS.map(({ value, name }) => ({ value: String(importanceName(now) === name ? now : value), name }));
}

export const RELATIONS: { value: Relation; name: string }[] = [
  { value: "related", name: "Has to do with" },
  { value: "discovered-from", name: "Came up with" },
  { value: "blocks", name: "Waits for" },
];

/** How one stands to the other, read from the one that is shown. */
export function relationName(kind: Relation, isChild: boolean): string {
  if (kind === "related") return "Has to do with";
  if (kind === "blocks") return isChild ? "Is waited for by" : "Waits for";
  return isChild ? "Led to" : "Came up with";
}

export function placeName(place: MemoryPlace): string {
  return { bd: "Kept in bd, out of the way of its work", br: "Kept in br, out of the way of its work", file: "Kept in .beads/memories.jsonl" }[place];
}

export function reasonName(reason: Reason): string {
  return String(reason).replaceAll("_", " ");
}
