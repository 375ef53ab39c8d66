/** The beads of the sample project, with their dependencies and details. */
import type { Bead, BeadCapabilities, BeadDetail, BeadId, BeadLink, GraphEdge, NotReady } from "../../generated/api";
import { isBlocking } from "../../state/cycles";

type Row = [
  id: string,
  type: string,
  priority: number,
  title: string,
  status: string,
  labels: string,
  extra?: { blocked?: string[]; unblocks?: string[]; who?: string; closed?: number; later?: number },
];

const ROWS: Row[] = [
  [
    "BC-118",
    "feature",
    1,
    "Refresh-token rotation with reuse detection",
    "open",
    "auth",
    { blocked: ["BC-104"], unblocks: ["BC-133", "BC-140"] },
  ],
  ["BC-121", "task", 2, "Move session cookies to the __Host- prefix", "open", "auth", { blocked: ["BC-097"] }],
  [
    "BC-126",
    "feature",
    2,
    "Policy language: import statements",
    "open",
    "parser",
    { blocked: ["BC-109"], unblocks: ["BC-141"] },
  ],
  ["BC-130", "docs", 3, "Document the operator grammar", "open", "parser docs", { blocked: ["BC-109"] }],
  ["BC-131", "task", 2, "Publish the operator's guide", "hooked", "docs", { who: "rig/polecat-4f1c" }],
  ["BC-132", "task", 3, "Upgrade the build image", "open", "ops", { later: 13 }],
  ["BC-133", "task", 3, "Lock accounts after repeated refresh reuse", "open", "auth", { blocked: ["BC-118"] }],
  [
    "BC-101",
    "bug",
    0,
    "Unclosed string literal panics the tokenizer",
    "open",
    "parser",
    { unblocks: ["BC-142", "BC-143", "BC-144"] },
  ],
  [
    "BC-112",
    "feature",
    1,
    "Rate-limit login by account and address",
    "open",
    "auth",
    { unblocks: ["BC-145"], who: "Mara Klein" },
  ],
  ["BC-115", "task", 2, "Cache compiled policies by content hash", "open", "parser"],
  [
    "BC-119",
    "feature",
    2,
    "Recover from errors at statement boundaries",
    "open",
    "parser",
    { unblocks: ["BC-141", "BC-146"] },
  ],
  ["BC-123", "chore", 3, "Replace lazy_static with LazyLock", "open", "chore"],
  ["BC-127", "task", 4, "Fuzz the expression parser every night", "open", "parser"],
  ["BC-128", "task", 3, "Pin the base image of the release build", "open", "ops"],
  ["BC-129", "bug", 3, "Health endpoint counts its own requests", "open", "ops", { who: "Jo Reyes" }],
  [
    "BC-097",
    "feature",
    1,
    "Implement login validation",
    "in_progress",
    "auth",
    { unblocks: ["BC-121"], who: "dv/5e551001" },
  ],
  [
    "BC-104",
    "bug",
    0,
    "Rotate signing keys live",
    "in_progress",
    "auth",
    { unblocks: ["BC-118", "BC-147"], who: "dv/5e551002" },
  ],
  ["BC-111", "task", 2, "Compare tokens by digest", "in_progress", "auth", { who: "dv/5e551003" }],
  [
    "BC-109",
    "feature",
    2,
    "Precedence climbing for binary operators",
    "in_progress",
    "parser",
    { unblocks: ["BC-126", "BC-130"], who: "dv/5e551004" },
  ],
  ["BC-107", "bug", 1, "Redirect after login drops the query string", "in_progress", "auth", { who: "dv/5e551006" }],
  ["BC-093", "bug", 1, "Reject alg none tokens", "in_review", "auth", { who: "Mara Klein" }],
  ["BC-099", "bug", 2, "Spans point at the right byte", "in_review", "parser", { who: "Jo Reyes" }],
  ["BC-102", "chore", 3, "Trim the audit log on rotation", "in_review", "ops"],
  ["BC-088", "feature", 1, "Parse duration and size literals", "closed", "parser", { closed: 1 }],
  ["BC-085", "bug", 2, "Nested comments end at the first marker", "closed", "parser", { closed: 2 }],
  ["BC-082", "task", 2, "Hash passwords with Argon2id", "closed", "auth", { closed: 4 }],
  ["BC-080", "epic", 1, "Error messages with spans", "closed", "parser", { closed: 5 }],
  ["BC-076", "chore", 4, "Drop the unused ldap feature", "closed", "chore", { closed: 8 }],
];

/** The fields of a bead's details that its row does not have. */
export type Details = Partial<Omit<BeadDetail, keyof Bead>>;

export function madeBeads(now: number, many: number): Bead[] {
  const rows = ROWS.map((row) => bead(row, now));
  for (let i = 0; i < many; i++) {
    const id = `BC-${1000 + i}`;
    rows.push(
      bead(
        [id, i % 3 ? "task" : "bug", 2 + (i % 3), `Made-up bead number ${i + 1} to fill a long column`, "open", "load"],
        now,
      ),
    );
  }
  return derived(rows, madeEdges(), now);
}

/** The dependencies of the rows; some are on beads that the project does not have. */
export function madeEdges(): GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  const add = (from: BeadId, to: BeadId) => edges.set(`${from} ${to}`, { from, to, kind: "blocks" });
  for (const [id, , , , , , extra] of ROWS) {
    extra?.blocked?.forEach((to) => add(id, to));
    extra?.unblocks?.forEach((from) => add(from, id));
  }
  return [...edges.values()];
}

export const CAPABILITIES: BeadCapabilities = {
  unsupported: [],
  types: ["task", "bug", "feature", "epic", "chore", "docs"],
  statuses: ["open", "in_progress", "blocked", "deferred", "hooked", "in_review", "closed"],
  dependency_kinds: ["blocks", "parent-child", "related", "discovered-from"],
  delete: "undoable",
  submit_needs_consent: false,
  audit: "Changes that bd recorded, and those of this program's sessions.",
};

/** A simplified form of the engine's computation of ready and blocked beads. */
export function derived(beads: Bead[], edges: readonly GraphEdge[], now: number): Bead[] {
  const byId = new Map(beads.map((one) => [one.id, one]));
  const open = (id: BeadId) => byId.get(id)?.status !== "closed";
  const blocks = edges.filter(({ kind }) => isBlocking(kind));
  return beads.map((one) => {
    const blocked_by = blocks.filter(({ from, to }) => from === one.id && byId.has(to) && open(to)).map(({ to }) => to);
    const unblocks = blocks.filter(({ from, to }) => to === one.id && open(from)).map(({ from }) => from);
    const reasons: NotReady[] = blocked_by.map((id) => ({
      reason: "blocked_by",
      id,
      title: byId.get(id)?.title ?? "",
      issue_type: byId.get(id)?.issue_type ?? "task",
      kind: "blocks",
    }));
    const until = one.defer_until !== undefined && Date.parse(one.defer_until) > now ? one.defer_until : undefined;
    if (until !== undefined) reasons.unshift({ reason: "deferred", until });
    if (!["open", "in_progress", "in_review", "closed"].includes(one.status)) {
      reasons.push({ reason: "status", status: one.status });
      if (one.assignee !== undefined) reasons.push({ reason: "assigned", to: one.assignee });
    }
    const waits = ["open", "blocked", "deferred", "hooked"].includes(one.status);
    const ready = one.status === "open" && blocked_by.length === 0 && until === undefined;
    return { ...one, blocked_by, unblocks, ready, not_ready: waits ? reasons : [] };
  });
}

function bead([id, issue_type, priority, title, status, labels, extra = {}]: Row, now: number): Bead {
  const made = new Date(now - (160 - Number(id.slice(3, 6))) * 36e5).toISOString();
  return {
    id,
    title,
    status,
    priority,
    issue_type,
    labels: labels.split(" "),
    blocked_by: [],
    unblocks: [],
    ready: false,
    ...(extra.later ? { defer_until: new Date(now + extra.later * 864e5).toISOString() } : {}),
    created_at: made,
    updated_at: made,
    ...(extra.who ? { assignee: extra.who } : {}),
    ...(extra.closed ? { closed_at: new Date(now - extra.closed * 864e5).toISOString() } : {}),
  };
}

const DESCRIPTION = `A string literal that the file ends in makes the tokenizer index past its input:

\`\`\`rust
let quote = self.bytes[self.at]; // panics at the end of the input
while self.bytes[self.at] != quote {
    self.at += 1;
}
\`\`\`

- **Expected:** one diagnostic with the span of the opening quote.
- **Got:** \`index out of bounds: the len is 14 but the index is 14\`.

See [the grammar](https://example.org/grammar) and \`src/lex/string.rs\`. Not here: <script>alert(1)</script>.`;

/** The long texts of one bead; the others share one set of texts. */
export function madeDetails(): Map<BeadId, Details> {
  const description = [
    "Browsers drop a `__Host-` cookie that names a `Domain`, so a subdomain can no longer set our session.",
    "",
    "## To do",
    "- [x] List every place that sets a cookie",
    "- [x] Rename the cookie behind a flag",
    "- [ ] Read both names for one release",
    "- [ ] Drop the old name",
  ].join("\n");
  const comments = [
    { id: "1", author: "Mara Klein", text: "Safari needs `Secure` as well, even on localhost.", created_at: "" },
  ];
  return new Map([["BC-121", { description, design: "", acceptance_criteria: "", comments }]]);
}

export function detailOf(bead: Bead, state: State): BeadDetail {
  const link = (id: BeadId, kind: string, direction: BeadLink["direction"]): BeadLink => {
    const other = state.beads.find((b) => b.id === id);
    return {
      id,
      title: other?.title ?? "",
      kind,
      direction,
      ...(other ? { status: other.status, issue_type: other.issue_type } : {}),
    };
  };
  return {
    ...bead,
    description: DESCRIPTION,
    design: "Return an `Err(Unclosed { open })` token and go on at the next line.",
    acceptance_criteria:
      "1. No panic on any prefix of the corpus.\n2. One diagnostic a literal, with the opening span.",
    notes: "",
    created_by: "Mara Klein",
    comments: [
      {
        id: "1",
        author: "Mara Klein",
        text: 'The fuzzer finds it within a second: seed `"\\\\`.',
        created_at: bead.created_at ?? "",
      },
    ],
    ...state.details.get(bead.id),
    links: [
      ...(bead.parent ? [link(bead.parent, "parent-child", "depends_on")] : []),
      ...state.beads.filter((b) => b.parent === bead.id).map((b) => link(b.id, "parent-child", "depended_on_by")),
      ...state.edges.filter(({ from }) => from === bead.id).map(({ to, kind }) => link(to, kind, "depends_on")),
      ...state.edges.filter(({ to }) => to === bead.id).map(({ from, kind }) => link(from, kind, "depended_on_by")),
    ],
  };
}

/** The part of the sample state that details come from. */
interface State {
  beads: Bead[];
  edges: GraphEdge[];
  details: ReadonlyMap<BeadId, Details>;
}
