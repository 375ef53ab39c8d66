/** Converts date fields to times in the local time zone. Pure. */
import type { DeleteManyParams } from "../../generated/api";

/** The range of two days, both included; an empty one is open. Null if both are empty or in the wrong order. */
export function rangeOf(first: string, last: string): Pick<DeleteManyParams, "after" | "before"> | null {
  const after = midnight(first, 0);
  const before = midnight(last, 1);
  if (after === null && before === null) return null;
  if (after !== null && before !== null && after >= before) return null;
  return { after: after?.toISOString() ?? null, before: before?.toISOString() ?? null };
}

function midnight(day: string, later: number): Date | null {
  const parts = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day);
  if (!parts) return null;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
}
