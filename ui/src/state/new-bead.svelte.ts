/** The draft of a new bead, kept while its dialog is closed and across reloads. */
import type { BeadCreateParams, ProjectKey } from "../generated/api";
import { minutesOf } from "../words/estimate";

const EMPTY = {
  title: "",
  description: "",
  design: "",
  acceptance: "",
  notes: "",
  type: "task",
  priority: "2",
  labels: [] as string[],
  assignee: "",
  parent: "",
  blockedBy: [] as string[],
  /** `YYYY-MM-DD`, or empty. */
  due: "",
  defer: "",
  /** As typed: `3h`. */
  estimate: "",
  external: "",
};

export type Written = typeof EMPTY;

/** The optional fields, which the dialog hides until the user asks for more. */
const OPTIONAL_FIELDS = ["design", "notes", "parent", "blockedBy", "due", "defer", "estimate", "external"] as const;
/** The fields that `another` keeps. */
const KEPT_FIELDS = ["type", "priority", "labels", "assignee", "parent"] as const;

export class NewBead {
  readonly #slot: string;
  #written = $state.raw<Written>(EMPTY);

  constructor(key: ProjectKey) {
    this.#slot = `new-bead:${key}`;
    this.#written = { ...EMPTY, ...this.#kept() };
  }

  get<K extends keyof Written>(field: K): Written[K] {
    return this.#written[field];
  }

  set<K extends keyof Written>(field: K, value: Written[K]): void {
    this.#write({ [field]: value });
  }

  get empty(): boolean {
    return JSON.stringify(this.#written) === JSON.stringify(EMPTY);
  }

  /** Whether an optional field is filled in, so that the dialog opens with them. */
  get more(): boolean {
    return OPTIONAL_FIELDS.some((field) => this.#written[field].length > 0);
  }

  clear(): void {
    this.#write(EMPTY);
  }

  /** Begins another bead with the same type, priority, labels, assignee and parent. */
  another(): void {
    const kept = Object.fromEntries(KEPT_FIELDS.map((field) => [field, this.#written[field]]));
    this.#write({ ...EMPTY, ...kept });
  }

  /** The parameters of `bead.create`, without the fields that the tracker cannot store. */
  params(lacks: (field: string) => boolean): BeadCreateParams {
    const { title, description, design, acceptance, notes, type, priority, labels, blockedBy } = this.#written;
    const { assignee, parent, due, defer, estimate, external } = this.#written;
    const all: BeadCreateParams = {
      title: title.trim(),
      description,
      design,
      acceptance_criteria: acceptance,
      notes,
      issue_type: type,
      priority: Number(priority),
      labels,
      assignee: assignee.trim() || null,
      parent: parent || null,
      blocked_by: blockedBy,
      due: startOf(due),
      defer: startOf(defer),
      estimated_minutes: minutesOf(estimate) || null,
      external_ref: external.trim() || null,
    };
    const set = Object.entries(all).filter(([name, value]) => {
      const nothing = value === null || (Array.isArray(value) && value.length === 0) || value === "";
      return !nothing && !lacks(name);
    });
    return { ...Object.fromEntries(set), title: all.title };
  }

  #write(change: Partial<Written>): void {
    this.#written = { ...this.#written, ...change };
    try {
      if (this.empty) localStorage.removeItem(this.#slot);
      else localStorage.setItem(this.#slot, JSON.stringify(this.#written));
    } catch {
      // The storage is full; the text is kept until the window closes.
    }
  }

  #kept(): Partial<Written> {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#slot) ?? "{}");
      const known = Object.entries(kept ?? {}).flatMap(([name, value]: [string, unknown]) => {
        const empty = EMPTY[name as keyof Written] as string | string[] | undefined;
        if (typeof empty === "string") return typeof value === "string" ? [[name, value]] : [];
        if (empty === undefined) return [];
        // Earlier versions stored labels as one text.
        const list: unknown = typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value;
        return Array.isArray(list) && list.every((one) => typeof one === "string") ? [[name, list]] : [];
      });
      return Object.fromEntries(known) as Partial<Written>;
    } catch {
      return {};
    }
  }
}

/** The start of a day in local time, as an ISO text; null if `day` is not a date. */
function startOf(day: string): string | null {
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date).toISOString();
}
