/** Converts date fields to times in the local time zone. Pure. */
import type { DeleteManyParams } from "../../generated/api";
import { dayStart } from "../../words/time";

/** The range of two days, both included; an empty one is open. Null if both are empty or in the wrong order. */
export function rangeOf(first: string, last: string): Pick<DeleteManyParams, "after" | "before"> | null {
  const [after, before] = [dayStart(first), dayStart(last, 1)];
  if (after === null && before === null) return null;
  if (after !== null && before !== null && after >= before) return null;
  return { after: after?.toISOString() ?? null, before: before?.toISOString() ?? null };
}
