/** Reorders a list. Pure. The functions return the item before which `id` goes; null for the end, undefined for no
 * move. */

/** Moves `id` by this many positions. */
export function beforeOf(line: readonly string[], id: string, by: number): string | null | undefined {
  const at = line.indexOf(id);
  const to = at + by;
  if (at < 0 || by === 0 || to < 0 || to >= line.length) return undefined;
  return line.filter((other) => other !== id)[to] ?? null;
}

/** Drops `id` on the position of `over`. */
export function dropBefore(line: readonly string[], id: string, over: string): string | null | undefined {
  const [at, to] = [line.indexOf(id), line.indexOf(over)];
  return at < 0 || to < 0 ? undefined : beforeOf(line, id, to - at);
}
