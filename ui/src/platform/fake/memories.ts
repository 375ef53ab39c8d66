/** The memories of the sample project, and their commands. */
import type { MemoryEntry, MemoryList, MemoryListParams, MemoryShown } from "../../generated/api";
import { refuse, type Commands } from "./commands";
import { sessionId } from "./sessions";

type MemoryCommands = Pick<Commands, Extract<keyof Commands, `memory.${string}`>>;

type SampleMemory = Pick<MemoryEntry, "key" | "memory_type" | "tags" | "importance" | "bead_id"> & {
  content: string;
  hours: number;
  agent?: string;
  links?: MemoryEntry["links"];
};

const SAMPLES: readonly SampleMemory[] = [
  {
    key: "emails-in-lower-case",
    memory_type: "decision",
    tags: ["auth"],
    importance: 9,
    bead_id: "BC-101",
    hours: 2,
    content: "Emails are compared in lower case, and stored as they were typed: people recognize their own.",
  },
  {
    key: "race-flag",
    memory_type: "pattern",
    tags: ["testing"],
    importance: 7,
    bead_id: null,
    hours: 30,
    links: [{ id: "BC-mem4", kind: "discovered-from" }],
    content: "Run the tests of the server with the race flag: two of them only fail with it.",
  },
  {
    key: "always-the-race-flag",
    memory_type: "learning",
    tags: ["testing"],
    importance: 5,
    bead_id: null,
    hours: 26,
    agent: "reviewer",
    links: [{ id: "BC-mem1", kind: "related" }],
    content: "Always run the tests of the server with the race flag, two of them only fail with it.",
  },
  {
    key: "argon2-cost",
    memory_type: "learning",
    tags: ["auth", "speed"],
    importance: 6,
    bead_id: "BC-101",
    hours: 5,
    links: [
      { id: "BC-101", kind: "discovered-from" },
      { id: "BC-mem4", kind: "blocks" },
    ],
    content:
      "Argon2 with the default cost takes 90 ms here.\n\n" +
      "- tests use the smallest cost\n" +
      "- production reads it from `auth.toml`",
  },
  {
    key: "sessions-in-redis",
    memory_type: "context",
    tags: [],
    importance: 4,
    bead_id: "BC-112",
    hours: 240,
    agent: "architect",
    content: "Sessions live in Redis; the table of the same name is left from before.",
  },
];

/** A tree of many linked memories, and a few unlinked ones. */
const MANY: readonly SampleMemory[] = Array.from({ length: 200 }, (_, n): SampleMemory => ({
  key: `found-${n}`,
  memory_type: "learning",
  tags: [],
  importance: 5,
  bead_id: null,
  hours: 200 - n,
  content: `What was found out about part ${n} of the server.`,
  links:
    n === 0 || n % 25 === 0
      ? []
      : [
          {
            id: `BC-mem${Math.floor((n - 1) / 4)}`,
            kind: n % 3 === 0 ? "discovered-from" : n % 3 === 1 ? "related" : "blocks",
          },
        ],
}));

/** `options`: `with` is `no-memories`, `many-memories`, or `memory-fallback`, where the tracker fails. */
export function memoryCommands(now: number, options = new URLSearchParams()): MemoryCommands {
  const failed = options.get("with") === "memory-fallback";
  let all: MemoryEntry[] = (
    options.get("with") === "no-memories" ? [] : options.get("with") === "many-memories" ? MANY : SAMPLES
  ).map((memory, n) => made(now, memory, n));
  let before: MemoryEntry[] | null = null;
  const find = (key: string): MemoryEntry =>
    all.find((memory) => memory.key === key || memory.id === key) ??
    refuse("memory_not_found", `there is no memory "${key}"`);
  const put = (memory: MemoryEntry): MemoryEntry => {
    all = [memory, ...all.filter((other) => other.id !== memory.id)];
    return memory;
  };
  const shown = (memory: MemoryEntry): MemoryShown => ({
    memory,
    linked: all.flatMap((other) => [
      ...memory.links
        .filter((link) => link.id === other.id)
        .map(({ kind }) => ({ id: other.id, key: other.key, title: other.title, kind, is_child: false })),
      ...other.links
        .filter((link) => link.id === memory.id)
        .map(({ kind }) => ({ id: other.id, key: other.key, title: other.title, kind, is_child: true })),
    ]),
    uses:
      memory.importance > 6
        ? [{ session_id: sessionId(1), at: new Date(now - 36e5).toISOString(), reason: "start" }]
        : [],
    warnings: [],
  });
  const listed = (params: MemoryListParams, words: string[]): MemoryList => {
    const there = all.filter((memory) => params.forgotten || !memory.forgotten);
    const fits = there.filter(
      (memory) =>
        (!params.agent || memory.agent_id === params.agent) &&
        (!params.memory_type || memory.memory_type === params.memory_type) &&
        (!params.session || memory.session_id === params.session) &&
        (!params.bead || memory.bead_id === params.bead) &&
        (!params.tags?.length || params.tags.some((tag) => memory.tags.includes(tag))) &&
        words.every((word) =>
          `${memory.key} ${memory.title} ${memory.content ?? ""} ${memory.tags.join(" ")}`.toLowerCase().includes(word),
        ),
    );
    const different = (values: (string | null)[]): string[] =>
      [...new Set(values)].filter((value) => value !== null).sort();
    return {
      memories: fits.slice(0, params.limit ?? undefined).map((memory) => ({ ...memory, content: null })),
      total: fits.length,
      kept_in: failed ? "file" : "bd",
      facets: {
        agents: different(there.map((memory) => memory.agent_id)),
        sessions: different(there.map((memory) => memory.session_id)),
        tags: different(there.flatMap((memory) => memory.tags)),
      },
      duplicates: ["race-flag", "always-the-race-flag"].every((key) => there.some((memory) => memory.key === key))
        ? [["race-flag", "always-the-race-flag"]]
        : [],
      warnings: failed
        ? [
            "the tracker failed (bd did not answer in time): the memory is in .beads/memories.jsonl and moves into " +
              "the tracker once that works",
          ]
        : [],
    };
  };
  return {
    "memory.list": (params) => listed(params, []),
    "memory.search": ({ query, filter }) => listed(filter ?? {}, query.toLowerCase().split(/\s+/).filter(Boolean)),
    "memory.get": ({ key }) => shown(find(key)),
    "memory.save": ({ key, content, title, memory_type, tags, importance, bead, anyway }) => {
      if (content.includes("ghp_") && !anyway)
        refuse("confirmation_needed", "the text seems to contain a secret (github-pat) and was not stored");
      const name = key ?? content.toLowerCase().split(/\W+/).filter(Boolean).slice(0, 8).join("-");
      const old = all.find((memory) => memory.key === name);
      const fields = {
        key: name,
        content,
        hours: 0,
        memory_type: memory_type ?? "learning",
        tags: tags ?? [],
        importance: importance ?? 5,
        bead_id: bead ?? null,
      } as const;
      const fresh = made(now, { ...fields, tags: [...fields.tags] }, all.length);
      const saved = put({
        ...fresh,
        ...(old && { id: old.id, tags: tags ?? old.tags, importance: importance ?? old.importance, links: old.links }),
        title: title ?? fresh.title,
      });
      return { id: saved.id, key: name, action: old ? "updated" : "remembered", kept_in: "bd", warnings: [] };
    },
    "memory.link": ({ child, parent, kind }) => {
      const memory = find(child);
      return shown(
        put({
          ...memory,
          links: [
            ...memory.links,
            { id: all.find(({ key }) => key === parent)?.id ?? parent, kind: kind ?? "related" },
          ],
        }),
      );
    },
    "memory.unlink": ({ key, other }) => {
      const [one, two] = [find(key), all.find((memory) => memory.key === other)?.id ?? other];
      const back = all.find(({ id }) => id === two);
      if (back) put({ ...back, links: back.links.filter(({ id }) => id !== one.id) });
      return shown(put({ ...one, links: one.links.filter(({ id }) => id !== two) }));
    },
    "memory.unmerge": ({ key }) => {
      if (!before) return refuse("usage", `nothing was merged into "${key}"`);
      all = before;
      before = null;
      return shown(find(key));
    },
    "memory.merge": ({ keys }) => {
      const [first, ...others] = keys.map(find);
      if (!first || others.length === 0) return refuse("usage", "at least two memories are required");
      before = all;
      for (const other of others) put({ ...other, forgotten: true });
      const content = [first, ...others].map((memory) => memory.content ?? "").join("\n\n");
      return shown(put({ ...first, content, tags: [...new Set([first, ...others].flatMap((memory) => memory.tags))] }));
    },
    "memory.forget": ({ key }) => shown(put({ ...find(key), forgotten: true })),
    "memory.restore": ({ key }) => shown(put({ ...find(key), forgotten: false })),
    "memory.proposals": () => ({
      proposals: [
        {
          key: "root-cause-of-the-slow-login",
          content: "The root cause of the slow login is the second look-up of the account.",
          memory_type: "learning",
          importance: 7,
          message_id: "m4",
        },
        {
          key: "decision-one-error",
          content: "Decision: one error for every refusal, so that no client learns which part was wrong.",
          memory_type: "decision",
          importance: 8,
          message_id: "m6",
        },
      ],
    }),
    "memory.prime": ({ budget, bead }) => {
      const included = all
        .filter((memory) => !memory.forgotten)
        .sort((a, b) => Number(b.bead_id === bead) - Number(a.bead_id === bead) || b.importance - a.importance);
      const keys: string[] = [];
      let memories = "## Memories of this project";
      for (const memory of included) {
        const kind = memory.bead_id ? `${memory.memory_type}, on ${memory.bead_id}` : memory.memory_type;
        const line = `\n- **${memory.key}** (${kind}): ${memory.content ?? ""}`;
        if (memories.length + line.length > (budget ?? 4000)) continue;
        memories += line;
        keys.push(memory.key);
      }
      const rules =
        "# Beads Workflow Context\n\n" +
        "- Find work: `bd ready`\n" +
        "- Say that you work on it: `bd update ID --status in_progress`\n" +
        "- Done: `beads-console bead submit ID`";
      const work = bead ? `\n\n## Resuming: ${bead}\n- Nothing is committed yet.` : "";
      return {
        text: `${rules}${work}\n\n${memories}\n\nFound something out? \`beads-console remember "..."\``,
        memories,
        keys,
        left_out: included.length - keys.length,
        bead_id: bead ?? null,
        warnings: [],
      };
    },
    "memory.import": ({ path, preview, only }) => {
      if ((path ?? "MEMORY.md") !== "MEMORY.md") return refuse("usage", `there is no /home/dv/work/gatehouse/${path}`);
      const points = [
        {
          key: "run-make-first",
          text: "Run `make` first: the tests read what it generates.",
          section: "Build",
          known: false,
          secrets: [],
        },
        {
          key: "race-flag",
          text: "Run the tests of the server with the race flag: two of them only fail with it.",
          section: "Testing",
          known: true,
          secrets: [],
        },
        {
          key: "never-edit-gen",
          text: "Never edit `gen/`:\n- it is written by `make`\n- and by the release",
          section: "Build",
          known: false,
          secrets: [],
        },
        {
          key: "the-deploy-token",
          text: "The deploy token is ghp_0123456789",
          section: null,
          known: false,
          secrets: ["github-pat"],
        },
      ];
      if (preview) return { keys: [], known: 1, points, warnings: [] };
      return {
        keys: points.filter(({ key, known }) => !known && (only ?? [key]).includes(key)).map(({ key }) => key),
        known: 1,
        points: [],
        warnings: [],
      };
    },
  };
}

function made(now: number, memory: SampleMemory, n: number): MemoryEntry {
  const at = new Date(now - memory.hours * 36e5).toISOString();
  const id = `BC-mem${n}`;
  return {
    id,
    key: memory.key,
    session_id: sessionId(1),
    agent_id: memory.agent ?? "claude",
    memory_type: memory.memory_type,
    title: memory.content.split("\n")[0] ?? "",
    content: memory.content,
    excerpt: memory.content.replace(/\s+/g, " ").slice(0, 160),
    bytes: memory.content.length,
    metadata: { workstream: "main", beads_issue_id: id, beads_priority: 2, beads_status: "pinned" },
    created_at: at,
    updated_at: at,
    accessed_at: at,
    tags: memory.tags,
    importance: memory.importance,
    expires_at: null,
    parent_id: null,
    bead_id: memory.bead_id,
    links: memory.links ?? [],
    forgotten: false,
  };
}
