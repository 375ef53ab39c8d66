/** A merge's output, loaded in parts. While the merge runs, new output is polled. */
import type { Api, MergeRequestId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import { coalesced } from "../../state/coalesced";

/** The polling interval, in milliseconds. */
export const POLL_MS = 700;
/** The maximum length in characters; more is cut off at the beginning. */
export const MAX_LENGTH = 400_000;

type Read = (params: Api["fleet.queue_output"]["params"]) => Promise<Api["fleet.queue_output"]["result"]>;

export class MergeOutput {
  text = $state("");
  live = $state(false);
  /** Whether the beginning was cut off. */
  cut = $state(false);
  error = $state.raw<CallError | null>(null);

  readonly #id: MergeRequestId;
  readonly #read: Read;
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(id: MergeRequestId, read: Read) {
    this.#id = id;
    this.#read = read;
  }

  /** Loads new output. A call during a load causes one more load. */
  readonly load = coalesced(async () => {
    clearTimeout(this.#timer);
    try {
      for (let more = true; more && !this.#closed;) {
        const part = await this.#read({ id: this.#id, from: this.#next });
        // The merge has restarted, so the loaded output is outdated.
        if (part.next < this.#next) {
          this.text = "";
          this.#next = 0;
          continue;
        }
        this.#put(part.text);
        more = part.more && part.next > this.#next;
        [this.#next, this.live, this.error] = [part.next, part.live, null];
      }
    } catch (thrown) {
      this.error = asCallError(thrown);
      this.live = false;
    }
    if (this.live && !this.#closed) this.#timer = setTimeout(() => void this.load(), POLL_MS);
  });

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #put(text: string): void {
    if (text === "") return;
    const all = this.text + text;
    if (all.length > MAX_LENGTH) this.cut = true;
    this.text = all.length > MAX_LENGTH ? all.slice(all.indexOf("\n", all.length - MAX_LENGTH) + 1) : all;
  }
}
