/** The draft of a new bead, kept while its dialog is closed and across reloads. */
import type { ProjectKey } from "../generated/api";

interface Written {
  title: string;
  description: string;
  acceptance: string;
  type: string;
  priority: string;
  labels: string;
}

const EMPTY: Written = { title: "", description: "", acceptance: "", type: "task", priority: "2", labels: "" };

export class NewBead {
  readonly #slot: string;
  #written = $state<Written>({ ...EMPTY });

  constructor(key: ProjectKey) {
    this.#slot = `new-bead:${key}`;
    this.#written = { ...EMPTY, ...this.#kept() };
  }

  get title() {
    return this.#written.title;
  }
  set title(text: string) {
    this.#write({ title: text });
  }
  get description() {
    return this.#written.description;
  }
  set description(text: string) {
    this.#write({ description: text });
  }
  get acceptance() {
    return this.#written.acceptance;
  }
  set acceptance(text: string) {
    this.#write({ acceptance: text });
  }
  get type() {
    return this.#written.type;
  }
  set type(type: string) {
    this.#write({ type });
  }
  get priority() {
    return this.#written.priority;
  }
  set priority(priority: string) {
    this.#write({ priority });
  }
  get labels() {
    return this.#written.labels;
  }
  set labels(labels: string) {
    this.#write({ labels });
  }

  get empty(): boolean {
    return JSON.stringify(this.#written) === JSON.stringify(EMPTY);
  }

  clear(): void {
    this.#write(EMPTY);
  }

  #write(change: Partial<Written>): void {
    this.#written = { ...this.#written, ...change };
    try {
      if (this.empty) localStorage.removeItem(this.#slot);
      else localStorage.setItem(this.#slot, JSON.stringify(this.#written));
    } catch {
      // Storage is full; the text is kept until the window closes.
    }
  }

  #kept(): Partial<Written> {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#slot) ?? "{}");
      const texts = Object.entries(kept ?? {}).filter(([name, text]) => name in EMPTY && typeof text === "string");
      return Object.fromEntries(texts) as Partial<Written>;
    } catch {
      return {};
    }
  }
}
