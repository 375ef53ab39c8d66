/** Estimates as text. Pure. */

/** The minutes of a working day, for `2d`. */
const DAY = 8 * 60;
const UNITS: Record<string, number> = { m: 1, min: 1, h: 60, d: DAY, w: 5 * DAY };

/** An estimate as text: `45 min`, `3 h`, `1 h 30 min`; empty if there is none. */
export function estimateText(minutes: number | undefined): string {
  if (!minutes) return "";
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}

/** Parses an estimate such as `90`, `90m`, `1.5h`, `1 h 30 min` or `2d`, in minutes; 0 for an empty text, null if
 * invalid. */
export function minutesOf(text: string): number | null {
  const words = text.trim().toLowerCase();
  if (words === "") return 0;
  if (!/^(\d+(?:[.,]\d+)?\s*(?:min|m|h|d|w)?\s*)+$/.test(words)) return null;
  let sum = 0;
  for (const [, number = "0", unit = "m"] of words.matchAll(/(\d+(?:[.,]\d+)?)\s*(min|m|h|d|w)?/g))
    sum += Number(number.replace(",", ".")) * (UNITS[unit] ?? 1);
  const whole = Math.round(sum);
  return whole <= 10_000_000 ? whole : null;
}
