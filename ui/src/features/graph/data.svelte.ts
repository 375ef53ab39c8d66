/** Loads the graph of the shown beads, and lays it out again only if its shape changed. */
import type { BeadGraph, BeadGraphParams } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import { inputOf, type LayoutInput } from "./input";
import { Layouts } from "./layouts";
import type { Placed } from "./place";

/** Larger graphs are not laid out. */
export const MOST_NODES = 5000;

export interface Loaded {
  graph: BeadGraph;
  input: LayoutInput;
  placed: Placed;
}

export class GraphData {
  loaded = $state.raw<Loaded | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The number of linked beads if they are too many to lay out, else null. */
  tooMany = $state<number | null>(null);

  readonly #ask: (params: BeadGraphParams) => Promise<BeadGraph>;
  readonly #layouts = new Layouts();
  #wanted: BeadGraphParams | null = null;
  #shape = "";
  #busy = false;
  #stopped = false;

  constructor(ask: (params: BeadGraphParams) => Promise<BeadGraph>) {
    this.#ask = ask;
  }

  /** Loads the graph. If a load is running, another one with the newest parameters follows it. */
  load(params: BeadGraphParams): void {
    this.#wanted = params;
    if (!this.#busy) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#layouts.stop();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#wanted && !this.#stopped) {
      const params = this.#wanted;
      this.#wanted = null;
      try {
        await this.#show(await this.#ask(params));
        this.error = null;
      } catch (thrown) {
        this.error = asCallError(thrown);
      }
    }
    this.#busy = false;
  }

  async #show(graph: BeadGraph): Promise<void> {
    const input = inputOf(graph);
    this.tooMany = input.ids.length > MOST_NODES ? input.ids.length : null;
    if (this.tooMany !== null) return;
    const shape = JSON.stringify([input.ids, input.links]);
    const placed = shape === this.#shape && this.loaded ? this.loaded.placed : await this.#layouts.of(input);
    if (!placed) return;
    this.#shape = shape;
    this.loaded = { graph, input, placed };
  }
}
