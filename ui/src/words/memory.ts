/** UI text for memories. */
import type { MemoryPlace, MemoryType, Reason, Relation } from "../generated/api";

export const MEMORY_TYPES: { value: MemoryType; name: string; description: string }[] = [
  { value: "learning", name: "Learning", description: "something learned" },
  { value: "decision", name: "Decision", description: "a decision and its reason" },
  { value: "pattern", name: "Pattern", description: "how things are done here" },
  { value: "context", name: "Context", description: "background to know" },
  { value: "artifact", name: "Artifact", description: "something produced" },
  { value: "conversation", name: "Conversation", description: "a discussion" },
];

/** The five levels that a tracker stores, each with the value that stands for it. */
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

/** The name of a level: 10 and 9 are critical, 8 and 7 high, 6 to 4 medium, 3 and 2 low, 1 very low. */
export function importanceName(importance: number): string {
  const at = importance >= 9 ? 0 : importance >= 7 ? 1 : importance >= 4 ? 2 : importance >= 2 ? 3 : 4;
  return STEPS[at]?.name ?? "";
}

/** The levels as choices; the current level keeps its exact value. */
export function importanceChoices(now: number): { value: string; name: string }[] {
  return STEPS.map(({ value, name }) => ({ value: String(importanceName(now) === name ? now : value), name }));
}

export const RELATIONS: { value: Relation; name: string }[] = [
  { value: "related", name: "Related to" },
  { value: "discovered-from", name: "Discovered from" },
  { value: "blocks", name: "Blocked by" },
];

/** The relation of the shown memory to another memory or bead. `isChild`: the other one is the child of the link. */
export function relationName(kind: Relation, isChild: boolean): string {
  if (kind === "related") return "Related to";
  if (kind === "blocks") return isChild ? "Blocks" : "Blocked by";
  return isChild ? "Led to" : "Discovered from";
}

export function placeName(place: MemoryPlace): string {
  return {
    bd: "Stored in bd, separate from its issues",
    br: "Stored in br, separate from its issues",
    file: "Stored in .beads/memories.jsonl",
  }[place];
}

export function reasonName(reason: Reason): string {
  return String(reason).replaceAll("_", " ");
}
