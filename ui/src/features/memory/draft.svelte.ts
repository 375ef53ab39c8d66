/** A memory being created or edited, and the error of its last save. */
import { Operation } from "../../components/operation.svelte";
import type { MemoryEntry, MemorySaved, MemorySaveParams, MemoryType } from "../../generated/api";
import type { Call } from "../../state/memories.svelte";

/** The first values of a new memory. */
interface Initial {
  content?: string | undefined;
  session?: string | undefined;
  bead?: string | undefined;
}

export class Draft extends Operation {
  title = $state("");
  content = $state("");
  type = $state<MemoryType>("learning");
  tags = $state("");
  importance = $state(5);
  bead = $state("");

  /** Whether the text may contain a secret; the user can save it anyway. */
  readonly secret = $derived(this.error?.code === "confirmation_needed");
  readonly empty = $derived(this.content.trim() === "");

  /** Whether there are unsaved changes. */
  readonly changed = $derived.by(() => JSON.stringify(this.params(false)) !== this.#saved);

  readonly #call: Call;
  /** The parameters of a save without changes, as JSON. */
  readonly #saved: string;
  readonly #key: string | null;
  readonly #session: string | undefined;
  /** Whether the memory had a bead at first: fields that are left out stay unchanged, so removing the bead must be
   * explicit. */
  readonly #hadBead: boolean;

  constructor(call: Call, from: { memory: MemoryEntry } | Initial) {
    super();
    this.#call = call;
    if ("memory" in from) {
      const { key, title, content, memory_type, tags, importance, bead_id } = from.memory;
      Object.assign(this, {
        title,
        content: content ?? "",
        type: memory_type,
        tags: tags.join(", "),
        importance,
        bead: bead_id ?? "",
      });
      this.#key = key;
      this.#hadBead = bead_id !== null;
    } else {
      Object.assign(this, { content: from.content ?? "", bead: from.bead ?? "" });
      this.#key = null;
      this.#hadBead = false;
      this.#session = from.session;
    }
    this.#saved = JSON.stringify(this.params(false));
  }

  /** Saves the memory. Returns null if nothing was saved. */
  async save(anyway = false): Promise<MemorySaved | null> {
    if (this.busy || this.empty) return null;
    let saved: MemorySaved | null = null;
    this.busy = true;
    await this.load(
      () => this.#call("memory.save", this.params(anyway)),
      (answer) => (saved = answer),
    );
    this.busy = false;
    return saved;
  }

  params(anyway: boolean): MemorySaveParams {
    return {
      key: this.#key,
      title: this.title.trim() || null,
      content: this.content,
      memory_type: this.type,
      tags: tagsOf(this.tags),
      importance: this.importance,
      bead: this.bead.trim() || null,
      no_bead: this.#hadBead && this.bead.trim() === "",
      ...(this.#session === undefined ? {} : { session: this.#session }),
      anyway,
    };
  }
}

/** Comma-separated tags, without duplicates. */
export function tagsOf(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}
