/** Numbers as people read them. */

/** `840`, `84k`, `1.2M`. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) return n < 9_950 ? `${trim(n / 1000)}k` : `${Math.round(n / 1000)}k`;
  return `${trim(n / 1_000_000)}M`;
}

/** `96,412`. */
export function grouped(n: number): string {
  return n.toLocaleString("en-US");
}

export function dollars(n: number): string {
  return `$${n.toFixed(2)}`;
}

/** `1 hit`, `4 hits`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

function trim(n: number): string {
  return n.toFixed(1).replace(/\.0$/, "");
}
