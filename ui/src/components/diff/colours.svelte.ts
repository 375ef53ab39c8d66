/**
 * Syntax highlighting of a diff. Lines are highlighted in slices from the top, so that the page stays responsive;
 * a line is plain until its turn. Each side of a hunk is highlighted as a separate text, so that the source is
 * valid.
 */
import { colourOf, type Colour, type Token } from "../markdown/highlight.svelte";
import type { PatchLine } from "./patch";
import { piecesOf, type Piece } from "./pieces";

/** The number of lines per slice, and how long slices run before the page can respond, in milliseconds. */
const SLICE_LINES = 40;
const WORK_MS = 8;

type AnyRow = PatchLine | { kind: "hunk" | "note" | "end" };

export class Colours {
  #round = $state(0);
  #pieces = new Map<PatchLine, Piece[]>();
  #run = 0;

  /** The current pieces of a line; reactive. */
  of(line: PatchLine): Piece[] {
    void this.#round;
    const known = this.#pieces.get(line);
    if (known) return known;
    const plain = piecesOf(line);
    this.#pieces.set(line, plain);
    return plain;
  }

  /** Starts highlighting these lines; an earlier run stops. */
  async begin(path: string, rows: readonly AnyRow[]): Promise<void> {
    const run = ++this.#run;
    this.#pieces = new Map();
    this.#round++;
    const colour = await colourOf(path).catch(() => null);
    if (!colour) return;
    let turn = performance.now();
    for (const lines of sidesOf(rows)) {
      let after: ReturnType<Colour>["end"];
      for (let i = 0; i < lines.length; i += SLICE_LINES) {
        if (performance.now() - turn > WORK_MS) {
          this.#round++;
          await new Promise((next) => setTimeout(next));
          turn = performance.now();
        }
        if (run !== this.#run) return;
        const slice = lines.slice(i, i + SLICE_LINES);
        const done = colour(
          slice.map(({ line }) => line.text),
          after,
        );
        after = done.end;
        for (const [k, { line, shown }] of slice.entries()) if (shown) this.#set(line, done.lines[k] ?? []);
      }
    }
    this.#round++;
  }

  #set(line: PatchLine, tokens: readonly Token[]): void {
    this.#pieces.set(line, piecesOf(line, tokens));
  }
}

/** The lines of each side of each hunk; common lines are shown as on the new side. */
function* sidesOf(rows: readonly AnyRow[]): Generator<{ line: PatchLine; shown: boolean }[]> {
  let [old, fresh]: [PatchLine[], PatchLine[]] = [[], []];
  const sides = () => [
    fresh.map((line) => ({ line, shown: true })),
    old.some(({ sign }) => sign === "-") ? old.map((line) => ({ line, shown: line.sign === "-" })) : [],
  ];
  for (const row of rows) {
    if (row.kind === "hunk") {
      yield* sides();
      [old, fresh] = [[], []];
    } else if (row.kind === "line") {
      if (row.sign !== "+") old.push(row);
      if (row.sign !== "-") fresh.push(row);
    }
  }
  yield* sides();
}
