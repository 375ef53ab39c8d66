/** `bead.list`: all beads, the first of each column, or the changes. */
import type { Bead, BeadList, BeadListParams } from "../../generated/api";

let owners = 0;

/** How many versions of the list are remembered, to compute the changes since them. */
const MAX_VERSIONS = 20;

export function lists(beads: () => Bead[]): (params: BeadListParams) => BeadList {
  const contents: { name: string; beads: Map<string, string> }[] = [];
  const owner = ++owners;
  let count = 0;
  return ({ since, page }) => {
    const now = new Map(beads().map((bead) => [bead.id as string, JSON.stringify(bead)]));
    const last = contents.at(-1);
    if (
      last === undefined ||
      last.beads.size !== now.size ||
      [...now].some(([id, text]) => last.beads.get(id) !== text)
    ) {
      contents.push({ name: `${owner}-${++count}`, beads: now });
      contents.splice(0, contents.length - MAX_VERSIONS);
    }
    const content = contents.at(-1)?.name ?? "";
    const known = contents.find(({ name }) => name === since)?.beads;
    if (known) {
      return {
        beads: beads().filter(({ id }) => known.get(id) !== now.get(id)),
        warnings: [],
        content,
        changes_only: true,
        removed: [...known.keys()].filter((id) => !now.has(id)),
      };
    }
    if (page === undefined || page === null) return { beads: [...beads()], warnings: [], content };
    const counts = new Map<string, number>();
    const first = beads().filter(({ status, ready }) => {
      const count = (counts.get(`${status} ${ready}`) ?? 0) + 1;
      counts.set(`${status} ${ready}`, count);
      return count <= page;
    });
    return { beads: first, warnings: [], content, total: now.size };
  };
}
