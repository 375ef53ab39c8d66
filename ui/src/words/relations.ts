/** The kinds of dependencies between two beads, as text. Pure. */
import type { BeadLink, LinkDirection } from "../generated/api";
import { capital } from "./text";

export interface Relation {
  kind: string;
  direction: LinkDirection;
}

/** The heading of a bead's links of one relation. */
export function relationTitle({ kind, direction }: Pick<BeadLink, "kind" | "direction">): string {
  const to = direction === "depends_on";
  switch (kind) {
    case "blocks":
      return to ? "Blocked by" : "Unblocks";
    case "parent-child":
      return to ? "Parent" : "Children";
    case "discovered-from":
      return to ? "Discovered from" : "Led to";
    default:
      return kindName(kind) + (to || SYMMETRIC.includes(kind) ? "" : " (from the other bead)");
  }
}

/** The relation of the other bead to this one, as a choice. */
export function relationName({ kind, direction }: Relation): string {
  const to = direction === "depends_on";
  switch (kind) {
    case "blocks":
      return to ? "Blocks this bead" : "Blocked by this bead";
    case "parent-child":
      return to ? "Parent of this bead" : "Child of this bead";
    case "discovered-from":
      return to ? "Led to this bead" : "Discovered from this bead";
    default:
      if (SYMMETRIC.includes(kind)) return kindName(kind);
      return to ? `${kindName(kind)}: the other bead` : `${kindName(kind)}: this bead`;
  }
}

/** All relations of these kinds, in the order of the tracker. */
export function relationsOf(kinds: readonly string[]): Relation[] {
  return kinds.flatMap((kind): Relation[] => [
    { kind, direction: "depends_on" },
    ...(SYMMETRIC.includes(kind) ? [] : [{ kind, direction: "depended_on_by" } as const]),
  ]);
}

/** Relations that are the same in both directions. */
const SYMMETRIC = ["related", "relates-to", "duplicates"];

function kindName(kind: string): string {
  return capital(kind.replaceAll("-", " "));
}
