/** Read-only bead commands on the sample state: queries, the next beads, stale beads, and the graph. */
import type { StaleLevel } from "../../generated/api";
import type { Commands } from "./commands";
import { graphOf } from "./graph";
import { queried } from "./query-matches";
import type { FakeState } from "./state";

const STALE: readonly [id: string, hours: number, level: StaleLevel][] = [
  ["BC-102", 80, "critical"],
  ["BC-093", 26, "warning"],
  ["BC-107", 9, "critical"],
  ["BC-109", 3, "warning"],
];

export function askCommands(
  state: FakeState,
): Pick<Commands, "bead.query" | "bead.next" | "bead.stale" | "bead.graph"> {
  return {
    "bead.query": ({ query }) => queried(state.beads, query, state.now),
    "bead.next": ({ limit }) => ({
      beads: state.beads
        .filter((bead) => bead.ready)
        .map((bead) => ({
          bead,
          score: 10 * (4 - bead.priority) + bead.unblocks.length,
          reasons: [`P${bead.priority}`, ...(bead.unblocks.length > 0 ? [`unblocks ${bead.unblocks.length}`] : [])],
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit ?? 5),
    }),
    "bead.stale": () => ({
      beads:
        state.options.get("with") === "stale"
          ? STALE.flatMap(([id, hours, level]) => {
              const bead = state.bead(id);
              const since = new Date(state.now - hours * 36e5).toISOString();
              return bead ? [{ id, title: bead.title, status: bead.status, since, level }] : [];
            })
          : [],
    }),
    "bead.graph": (params) => graphOf(state.beads, state.edges, params, state.now),
  };
}
