/** A merge's output, loaded in parts. While the merge runs, new output is polled. */
import type { Api, MergeRequestId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";

/** The polling interval, in milliseconds. */
export const REST = 700;
/** The maximum length in characters; more is cut off at the beginning. */
export const KEPT = 400_000;

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
  #under = false;
  #again = false;
  #gone = false;

  constructor(id: MergeRequestId, read: Read) {
    this.#id = id;
    this.#read = read;
  }

  /** Loads new output: the queue changed, or the output is shown for the first time. */
  look(): void {
    if (this.#under) this.#again = true;
    else void this.#go();
  }

  close(): void {
    this.#gone = true;
    clearTimeout(this.#timer);
  }

  async #go(): Promise<void> {
    clearTimeout(this.#timer);
    this.#under = true;
    try {
      for (let more = true; more && !this.#gone;) {
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
    this.#under = false;
    if (this.#gone) return;
    if (this.#again) {
      this.#again = false;
      this.look();
    } else if (this.live) this.#timer = setTimeout(() => void this.#go(), REST);
  }

  #put(text: string): void {
    if (text === "") return;
    const all = this.text + text;
    if (all.length > KEPT) this.cut = true;
    this.text = all.length > KEPT ? all.slice(all.indexOf("\n", all.length - KEPT) + 1) : all;
  }
}
