/** Widths and texts of the list's cells. Pure. */
import { LIST_COLUMNS, type BeadsLayout, type ListColumn } from "../../state/beads-layout";

const CHECK = 36;
/** The minimum width of the title column until the user sets its width, in pixels. */
const MIN_TITLE = 200;

export const ROW = { comfortable: 28, compact: 24 } as const;
export const HEAD = 28;

export function widthOf(id: ListColumn, widths: BeadsLayout["widths"]): number {
  return widths[id] ?? LIST_COLUMNS.find((column) => column.id === id)?.width ?? MIN_TITLE;
}

/** The grid columns of a row. The title takes the remaining space until the user sets its width. */
export function gridOf(columns: readonly ListColumn[], widths: BeadsLayout["widths"]): string {
  const tracks = columns.map((id) =>
    id === "title" && widths.title === undefined ? `minmax(${MIN_TITLE}px, 1fr)` : `${widthOf(id, widths)}px`,
  );
  return [`${CHECK}px`, ...tracks, ...(widths.title === undefined ? [] : ["1fr"])].join(" ");
}

/** The minimum width of a row, in pixels. */
export function leastWidth(columns: readonly ListColumn[], widths: BeadsLayout["widths"]): number {
  const of = (id: ListColumn) => (id === "title" && widths.title === undefined ? MIN_TITLE : widthOf(id, widths));
  return CHECK + columns.reduce((sum, id) => sum + of(id), 0);
}

/** `8m`, `5h`, `23d`, `3y`: the age in one unit; empty if unknown. */
export function age(then: string | undefined, now: number): string {
  const minutes = Math.floor((now - Date.parse(then ?? "")) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 60) return `${Math.max(0, minutes)}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`;
}

/** `45m`, `6h`, `1h 30m`; empty if there is none. */
export function estimate(minutes: number | undefined): string {
  if (!minutes) return "";
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours}h` : "", rest > 0 ? `${rest}m` : ""].filter(Boolean).join(" ");
}
