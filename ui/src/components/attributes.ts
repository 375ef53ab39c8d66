/** Merges attributes from two sources for one element. */

type Attributes = Record<string | symbol, unknown>;

/** `after` wins. Event listeners of both run: first that of `before`, then that of `after` unless the default was
 * prevented. */
export function both(before: Attributes, after: Attributes): Attributes {
  const merged: Attributes = { ...before, ...after };
  for (const name of Object.keys(after)) {
    const [first, second] = [before[name], after[name]];
    if (typeof first !== "function" || typeof second !== "function") continue;
    merged[name] = (event: Event) => {
      first(event);
      if (!event.defaultPrevented) second(event);
    };
  }
  return merged;
}
