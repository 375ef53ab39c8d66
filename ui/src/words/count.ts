/** The formats of numbers and sizes. */

/** A short count: `840`, `84k`, `1.2M`. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) return n < 9_950 ? `${trim(n / 1000)}k` : `${Math.round(n / 1000)}k`;
  return `${trim(n / 1_000_000)}M`;
}

/** `96,412`. */
export function grouped(n: number): string {
  return n.toLocaleString("en-US");
}

/** `$1.84`; a dash if the cost is unknown. */
export function dollars(n: number | null): string {
  return n === null ? "–" : `$${n.toFixed(2)}`;
}

/** `1 hit`, `4 hits`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** A size in decimal units: `48 MB`; with a plus sign if `counted` is false, since not all bytes were counted. */
export function size(bytes: number, counted = true): string {
  const units = ["B", "kB", "MB", "GB", "TB"] as const;
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const number = unit === 0 || value >= 9.95 ? Math.round(value).toString() : value.toFixed(1);
  return `${number} ${units[unit]}${counted ? "" : "+"}`;
}

/** `1,840 bytes`, `12.4 kB`: the size of a text, exact while it is small. */
export function textSize(bytes: number): string {
  return bytes < 10_000 ? plural(bytes, "byte") : `${(bytes / 1000).toFixed(1)} kB`;
}

/** `740 MB`, `6.2 GB`, from mebibytes; unlike in `size`, the units are binary. */
export function mebibytes(mib: number): string {
  return mib < 1000 ? `${mib} MB` : `${trim(mib / 1024)} GB`;
}

function trim(n: number): string {
  return n.toFixed(1).replace(/\.0$/, "");
}
