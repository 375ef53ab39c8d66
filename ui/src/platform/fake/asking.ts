/** Questions about the beads of the sample state: queries, what to start next, what is stale, the graph. */
import type { Bead, GraphNode, StaleLevel } from "../../generated/api";
import type { Commands } from "./commands";
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
  const matching = (query: string): Bead[] => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return state.beads.filter((bead) =>
      words.every((word) => `${bead.id} ${bead.title} ${bead.labels.join(" ")}`.toLowerCase().includes(word)),
    );
  };
  return {
    "bead.query": ({ query }) => ({ ids: matching(query).map(({ id }) => id), problems: [] }),
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
              const bead = state.beads.find((one) => one.id === id);
              const since = new Date(state.now - hours * 36e5).toISOString();
              return bead ? [{ id, title: bead.title, status: bead.status, since, level }] : [];
            })
          : [],
    }),
    "bead.graph": ({ query = "", closed = false }) => {
      const beads = matching(query).filter((bead) => closed || bead.status !== "closed");
      const ids = new Set(beads.map(({ id }) => id));
      const nodes = beads.map(({ id, title, status, ready, priority, issue_type, unblocks }): GraphNode => ({
        ...{ id, title, status, ready, priority, issue_type },
        unblocks_all: unblocks.length,
      }));
      const edges = state.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
      return { nodes, edges, cycles: [], critical_path: [] };
    },
  };
}
