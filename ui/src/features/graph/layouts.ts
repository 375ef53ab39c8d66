/** Computes layouts in a worker; if it cannot start or fails, in slices on the window's own thread. */
import { placed, stacked, tasksOf, type Placed } from "./place";
import type { LayoutInput } from "./input";
import type { Answer } from "./worker";

/**
 * The most beads in one slice, except for a larger group, which has its own slice. Groups with more beads and line
 * bends than this are laid out without dagre, which would take longer.
 */
const SLICE = 60;

export class Layouts {
  #worker: Worker | null | undefined;
  #asked = 0;

  /**
   * The layout. If a newer one is requested in the meantime, or after `stop`, the promise resolves to null, or never
   * settles if a worker was computing.
   */
  async of(input: LayoutInput): Promise<Placed | null> {
    const id = ++this.#asked;
    const tasks = tasksOf(input);
    const worker = this.#start();
    const placed = worker ? await this.#answer(worker, id, tasks) : null;
    const all = placed ?? (await this.#sliced(id, tasks));
    return id === this.#asked ? all : null;
  }

  stop(): void {
    this.#asked++;
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker | null {
    if (this.#worker !== undefined) return this.#worker;
    try {
      this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    } catch {
      this.#worker = null; // workers are not available
    }
    return this.#worker;
  }

  /** The worker's answer; null if the worker failed. */
  #answer(worker: Worker, id: number, tasks: ReturnType<typeof tasksOf>): Promise<Placed | null> {
    return new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.id === id) resolve(data.placed);
      };
      worker.onerror = () => {
        this.#worker = null;
        resolve(null);
      };
      worker.postMessage({ id, tasks });
    });
  }

  async #sliced(id: number, tasks: ReturnType<typeof tasksOf>): Promise<Placed | null> {
    const groups: Placed[] = [];
    let size = 0;
    for (const task of tasks) {
      size += task.ids.length;
      if (size > SLICE) {
        await new Promise((resolve) => setTimeout(resolve));
        size = task.ids.length;
      }
      if (id !== this.#asked) return null;
      groups.push(placed(task, SLICE));
    }
    return stacked(groups);
  }
}
