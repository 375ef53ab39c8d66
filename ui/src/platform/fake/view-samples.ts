/** Epics, links, estimates and saved views that scenes add to the sample project. */
import type { Bead, BeadId, GraphEdge } from "../../generated/api";

interface Viewed {
  beads: Bead[];
  edges: GraphEdge[];
  layout: unknown;
}

const EPICS: readonly [id: BeadId, title: string, below: string][] = [
  ["BC-150", "Policy language v2", "BC-126 BC-130 BC-115 BC-119 BC-127 BC-109 BC-099 BC-088 BC-085 BC-101"],
  [
    "BC-151",
    "Sign-in that cannot be replayed",
    "BC-118 BC-121 BC-133 BC-112 BC-097 BC-104 BC-111 BC-107 BC-093 BC-082",
  ],
];
const ESTIMATES: Record<BeadId, number> = { "BC-118": 360, "BC-133": 240, "BC-104": 120, "BC-126": 480, "BC-130": 60 };
const SAVED = [
  { id: "1", name: "My open", view: "list", query: "assignee:me status:open,in_progress" },
  { id: "2", name: "Bugs P0–P1", view: "list", query: "type:bug priority<=1" },
  { id: "3", name: "Sign-in", view: "graph", query: "label:auth" },
];

/** The options with epics and saved views. */
const RICH = ["views", "cycle", "refused-bulk"];

/** `option`: `views` and `refused-bulk` add epics and saved views, `cycle` also a cycle, `linked` links between
 * generated beads. */
export function viewed(beads: readonly Bead[], edges: readonly GraphEdge[], option: string | null): Viewed {
  const all = [...beads];
  const links = [...edges];
  if (option === "linked") links.push(...linked(beads));
  if (!RICH.includes(option ?? "")) return { beads: all, edges: links, layout: null };
  const [sample] = beads;
  for (const [id, title] of EPICS) {
    if (sample) all.push({ ...bare(sample), id, title, issue_type: "epic", status: "open", priority: 1, labels: [] });
  }
  const parentOf = new Map(EPICS.flatMap(([id, , below]) => below.split(" ").map((one) => [one, id] as const)));
  const block = (from: BeadId, to: BeadId) => links.push({ from, to, kind: "blocks" });
  block("BC-133", "BC-112");
  block("BC-112", "BC-121");
  block("BC-127", "BC-115");
  if (option === "cycle") {
    block("BC-123", "BC-128");
    block("BC-128", "BC-123");
  }
  return {
    beads: all.map((bead) => {
      const [parent, estimated_minutes] = [parentOf.get(bead.id), ESTIMATES[bead.id]];
      return { ...bead, ...(parent ? { parent } : {}), ...(estimated_minutes ? { estimated_minutes } : {}) };
    }),
    edges: links,
    layout: { beads: { saved: SAVED } },
  };
}

function bare(bead: Bead): Bead {
  const { assignee: _who, closed_at: _closed, parent: _parent, ...rest } = bead;
  return rest;
}

/** Links the generated beads in chains and trees. */
function linked(beads: readonly Bead[]): GraphEdge[] {
  const ids = beads.filter(({ labels }) => labels.includes("load")).map(({ id }) => id);
  return ids.flatMap((id, n): GraphEdge[] => {
    const to = ids[n - (n % 41 === 0 ? 0 : (n % 5) + 1)];
    return to === undefined || to === id ? [] : [{ from: id, to, kind: "blocks" }];
  });
}
