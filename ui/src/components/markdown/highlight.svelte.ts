/**
 * Syntax highlighting. The highlighter and each grammar are loaded when first needed. Until then, code is plain;
 * `loaded` changes when it should be drawn again. The highlighter uses the JavaScript regular expression engine,
 * since the content security policy allows no WebAssembly.
 */
import type { GrammarState, HighlighterCore, LanguageInput } from "shiki/core";

/** The longest code block and diff line that are highlighted, in characters, to keep the page responsive. */
const LONGEST = 60_000;
const LONGEST_LINE = 1_000;

const LANGUAGES: Record<string, () => LanguageInput> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};
const ALIASES: Record<string, string> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  js: "javascript",
  jsx: "tsx",
  mjs: "javascript",
  cjs: "javascript",
  mts: "typescript",
  cts: "typescript",
  ts: "typescript",
  py: "python",
  rs: "rust",
  yml: "yaml",
  md: "markdown",
  patch: "diff",
  "c++": "cpp",
  h: "c",
  hpp: "cpp",
  cc: "cpp",
  htm: "html",
  rb: "ruby",
};

const FILES: Record<string, string> = { "cargo.lock": "toml", "poetry.lock": "toml", "package-lock.json": "json" };

let highlighter: Promise<HighlighterCore> | undefined;
let ready: HighlighterCore | undefined;
const asked = new Set<string>();
let version = $state(0);

/** Reactive: changes when a language is loaded, so that callers draw their code again. */
export function loaded(): number {
  return version;
}

/** The code as highlighted HTML; null if it cannot be highlighted or is not loaded yet. */
export function highlight(code: string, language: string): string | null {
  const name = ALIASES[language.toLowerCase()] ?? language.toLowerCase();
  const load = LANGUAGES[name];
  if (!load || code.length > LONGEST) return null;
  if (ready?.getLoadedLanguages().includes(name)) {
    const html = ready.codeToHtml(code, { lang: name, theme: "tokens", structure: "inline" });
    return html.replaceAll("<br>", "\n");
  }
  if (!asked.has(name)) {
    asked.add(name);
    // The code stays without colours; the next drawing tries again.
    fetchLanguage(load()).catch(() => asked.delete(name));
  }
  return null;
}

/** A token and its kind, such as `keyword`. */
export interface Token {
  text: string;
  kind: string;
}

/** Highlights lines; `after` is the grammar state at their start. */
export type Colour = (
  lines: readonly string[],
  after?: GrammarState,
) => { lines: Token[][]; end: GrammarState | undefined };

/** Resolves once the file's language is loaded; null if its language is unknown. Rejects if loading fails. */
export async function colourOf(path: string): Promise<Colour | null> {
  const name = languageOf(path);
  const load = name === null ? undefined : LANGUAGES[name];
  if (name === null || !load) return null;
  if (!ready?.getLoadedLanguages().includes(name)) await fetchLanguage(load());
  return (lines, after) => {
    if (!ready) return { lines: [], end: undefined };
    const { tokens, grammarState } = ready.codeToTokens(lines.join("\n"), {
      lang: name,
      theme: "tokens",
      tokenizeMaxLineLength: LONGEST_LINE,
      ...(after ? { grammarState: after } : {}),
    });
    return {
      lines: tokens.map((line) => line.map(({ content, color = "" }) => ({ text: content, kind: kindOf(color) }))),
      end: grammarState,
    };
  };
}

/** The language of a file, by its name; null if it is unknown. */
function languageOf(path: string): string | null {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const known = FILES[file];
  if (known) return known;
  const end = file.includes(".") ? file.slice(file.lastIndexOf(".") + 1) : "";
  const name = ALIASES[end] ?? end;
  return name in LANGUAGES ? name : null;
}

/** The kind of a token by its colour: `var(--shiki-token-keyword)` is a keyword. */
function kindOf(colour: string): string {
  return /--shiki-(?:token-)?([a-z-]+)/.exec(colour)?.[1] ?? "foreground";
}

async function createHighlighter(): Promise<HighlighterCore> {
  const [core, engine] = await Promise.all([import("shiki/core"), import("shiki/engine/javascript")]);
  const theme = core.createCssVariablesTheme({ name: "tokens", variablePrefix: "--shiki-" });
  // By default, the theme colours types like functions or constants.
  theme.tokenColors?.push({
    scope: ["entity.name.type", "entity.other.inherited-class", "support.type", "support.class"],
    settings: { foreground: "var(--shiki-token-type)" },
  });
  return core.createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: engine.createJavaScriptRegexEngine({ forgiving: true }),
  });
}

async function fetchLanguage(language: LanguageInput): Promise<void> {
  highlighter ??= createHighlighter().catch((thrown: unknown) => {
    highlighter = undefined;
    throw thrown;
  });
  ready = await highlighter;
  await ready.loadLanguage(language);
  version++;
}
