/** Where in the line something comes when it is moved. Pure. `null` is behind all others, `undefined` nowhere else. */

/** Before which one `id` comes, so many places on. */
export function beforeOf(line: readonly string[], id: string, by: number): string | null | undefined {
  const at = line.indexOf(id);
  const to = at + by;
  if (at < 0 || by === 0 || to < 0 || to >= line.length) return undefined;
  return line.filter((other) => other !== id)[to] ?? null;
}

/** Before which one `id` comes that is let go over `over`: in its place, from above and from below. */
export function dropBefore(line: readonly string[], id: string, over: string): string | null | undefined {
  const [at, to] = [line.indexOf(id), line.indexOf(over)];
  return at < 0 || to < 0 ? undefined : beforeOf(line, id, to - at);
}
