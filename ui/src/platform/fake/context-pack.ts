/** The context pack of the sample project. */
import type { PackParams, PackPiece, PackPreview } from "../../generated/api";
import { refuse } from "./commands";

type Found = Omit<PackPiece, "path" | "state" | "pinned" | "tokens" | "excerpts"> & {
  /** By default, the key. */
  path?: string;
  tokens: number;
  first?: number;
};

const FOUND: readonly Found[] = [
  {
    key: "src/lex/tokenizer.rs",
    kind: "named",
    relevance: 1,
    tokens: 1480,
    first: 112,
    reason: "the bead names it; defines Tokenizer, string_literal; contains “literal” (9 lines)",
  },
  {
    key: "symbols:",
    kind: "symbols",
    path: "Definitions",
    relevance: 0.6,
    tokens: 210,
    reason: "8 definitions with words of the bead",
  },
  {
    key: "commits:",
    kind: "commits",
    path: "Recent commits",
    relevance: 0.5,
    tokens: 190,
    reason: "the latest work on this branch",
  },
  {
    key: "src/lex/span.rs",
    kind: "match",
    relevance: 0.82,
    tokens: 640,
    first: 20,
    reason: "contains “unclosed” (3 lines), “literal” (2 lines)",
  },
  {
    key: "src/error.rs",
    kind: "earlier",
    relevance: 0.75,
    tokens: 520,
    first: 1,
    reason: "an earlier session on this bead touched it",
  },
  {
    key: "tests/lex/strings.rs",
    kind: "match",
    relevance: 0.61,
    tokens: 880,
    first: 40,
    reason: "contains “string”, “unclosed”",
  },
  {
    key: "src/parse/expr.rs",
    kind: "earlier",
    relevance: 0.45,
    tokens: 760,
    first: 1,
    reason: "a session on BC-109 of the same epic touched it",
  },
  {
    key: "AGENTS.md",
    kind: "convention",
    relevance: 0.3,
    tokens: 420,
    reason: "describes how to work on the project",
  },
  {
    key: "docs/grammar.md",
    kind: "match",
    relevance: 0.28,
    tokens: 1900,
    first: 1,
    reason: "contains “literal” (6 lines)",
  },
  {
    key: "Cargo.toml",
    kind: "config",
    relevance: 0.3,
    tokens: 240,
    reason: "configures the project's tools",
  },
];

const TEXT = "    fn string_literal(&mut self) -> Result<Token, LexError> {\n        let start = self.at;\n    }\n";

/** Selects pieces as the engine does: pinned ones first, then the others in their order, each if it still fits. */
export function packOf({ pack = {} }: PackParams): PackPreview {
  const { budget, template, add = [], remove = [], pin = [] } = pack;
  const most = budget ?? 10_000;
  if (most < 500 || most > 40_000)
    refuse("usage", `a context pack of ${most} tokens is not possible`, "choose 500 to 40000 tokens");
  for (const path of add) {
    if (path.startsWith("/") || path.includes("..")) refuse("file_refused", `${path} is outside the repository`);
  }
  const added = add.map((path): Found => {
    const key = path.replace(/:.*/, "");
    return { key, kind: "added", relevance: 1, tokens: 300, first: 1, reason: "you added it" };
  });
  const named = template
    ? [
        {
          key: "docs/errors.md",
          kind: "template",
          relevance: 0.95,
          tokens: 700,
          reason: `the template ${template} names it: how errors are written`,
        } as Found,
      ]
    : [];
  const all = [...added, ...named, ...FOUND];
  const wanted = all.filter(({ key }) => !remove.includes(key));
  wanted.sort((a, b) => Number(pin.includes(b.key)) - Number(pin.includes(a.key)));
  let tokens = 0;
  const piece = ({ first, ...found }: Found, state: PackPiece["state"]): PackPiece => ({
    path: found.key,
    ...found,
    state,
    pinned: pin.includes(found.key),
    excerpts: [{ first: first ?? 1, last: (first ?? 1) + 40, whole: first === undefined, text: TEXT }],
  });
  const pieces = wanted.map((found) => {
    const fits = tokens + found.tokens <= most;
    if (fits) tokens += found.tokens;
    return piece(found, fits ? "included" : "left_out");
  });
  pieces.sort((a, b) => Number(b.state === "included") - Number(a.state === "included"));
  return {
    budget: most,
    tokens,
    pieces: [...pieces, ...all.filter(({ key }) => remove.includes(key)).map((found) => piece(found, "removed"))],
    templates: [
      { name: "parser", description: "Grammar, spans and errors", budget: 25_000, problem: null },
      {
        name: "shared",
        description: null,
        budget: null,
        problem: {
          code: "file_refused",
          message: "the context template shared names ../../etc/passwd, which is outside the repository",
          hint: "remove that line from .beads/context-templates/shared.md",
        },
      },
    ],
    warnings: [],
  };
}
