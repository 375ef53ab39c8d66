/** The people with access to this server. Loaded on demand, and again when they change. */
import type { PersonAccess } from "../generated/api";
import { asCallError, type CallError, type Host } from "../platform";

export class People {
  list = $state.raw<PersonAccess[]>([]);
  error = $state.raw<CallError | null>(null);
  /** The last created link, and the person for whom it was created. */
  link = $state.raw<{ name: string; url: string } | null>(null);
  busy = $state(false);
  #shown = false;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Whether this tab's user runs the server, and may give and revoke access. */
  readonly mayChange = $derived(this.list.some(({ owner, you }) => owner && you));

  /** Loads the list, and follows its changes until the returned function is called. */
  show(): () => void {
    this.#shown = true;
    this.link = this.error = null;
    void this.#try(() => this.#load());
    return () => (this.#shown = false);
  }

  /** Reloads the list if it is shown, because it has changed. */
  changed(): void {
    if (this.#shown) void this.#try(() => this.#load());
  }

  /** Creates a person's link. Returns whether that succeeded. */
  async add(name: string): Promise<boolean> {
    return this.#try(async () => {
      const { url } = await this.#host.call("app.add_person", { name });
      this.link = { name: name.trim(), url };
      await this.#load();
    });
  }

  async revoke(name: string): Promise<void> {
    await this.#try(async () => {
      this.list = (await this.#host.call("app.revoke_person", { name })).people;
      if (this.link?.name === name) this.link = null;
    });
  }

  async #load(): Promise<void> {
    this.list = (await this.#host.call("app.people", {})).people;
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    this.error = null;
    try {
      await act();
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
    this.busy = false;
    return this.error === null;
  }
}

/** A person's state as a short label. */
export function presence({ tabs, unused_link }: PersonAccess): string {
  if (tabs > 1) return `Connected in ${tabs} tabs`;
  if (tabs === 1) return "Connected";
  return unused_link ? "Link not used" : "Not connected";
}
