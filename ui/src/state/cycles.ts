/** Dependency cycles among the beads that the window has loaded; the tracker checks all beads. Pure. */
import type { Bead, BeadId } from "../generated/api";

const BLOCKING = ["blocks", "parent-child", "conditional-blocks", "waits-for"];

/** Whether a dependency of this kind makes beads wait. */
export function isBlocking(kind: string): boolean {
  return BLOCKING.includes(kind);
}

/**
 * The cycle that "`id` depends on `on`" would close: `id`, `on` and the beads between, ending before `id`. Null if
 * there is none.
 */
export function cycleOf(
  beads: ReadonlyMap<BeadId, Bead>,
  id: BeadId,
  on: BeadId,
  kind: string = "blocks",
): BeadId[] | null {
  if (id === on) return [id];
  if (!isBlocking(kind)) return null;
  const cameFrom = new Map<BeadId, BeadId>();
  const queue = [on];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const bead = beads.get(at);
    for (const next of [...(bead?.blocked_by ?? []), ...(bead?.parent ? [bead.parent] : [])]) {
      if (next === on || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      if (next === id) return [id, ...pathTo(id, on, cameFrom)];
      queue.push(next);
    }
  }
  return null;
}

/** The beads from `on` up to, but without, `id`, in the order of the dependencies. */
function pathTo(id: BeadId, on: BeadId, cameFrom: ReadonlyMap<BeadId, BeadId>): BeadId[] {
  const path: BeadId[] = [];
  for (let at = cameFrom.get(id); at !== undefined && at !== on; at = cameFrom.get(at)) path.unshift(at);
  return [on, ...path];
}
