/**
 * Desktop notifications about needs. Invariants: a need is announced at most once, never while on screen, and
 * its notification is withdrawn when it is dealt with or seen. Needs that existed before the project was loaded
 * are not announced.
 */
import { untrack } from "svelte";
import type { ProjectKey } from "../generated/api";
import type { Notifier, NotifyState } from "../platform/notifier";
import { noteOf } from "../words/needs";
import type { App } from "./app.svelte";
import type { InboxItem } from "./inbox.svelte";

export class Notifications {
  state = $state<NotifyState>("unavailable");
  readonly #app: App;
  readonly #notifier: Notifier | undefined;
  /** The IDs of all needs so far per project; a project is missing until its first load. */
  readonly #known = new Map<ProjectKey, Set<string>>();
  /** The IDs of the shown notifications. */
  readonly #shown = new Set<string>();

  constructor(app: App, notifier: Notifier | undefined) {
    this.#app = app;
    this.#notifier = notifier;
  }

  /** Announces new needs until the returned function is called. */
  start(): () => void {
    void this.refresh();
    const look = () => this.#withdraw(this.#app.inbox.items);
    window.addEventListener("focus", look);
    const stop = $effect.root(() => {
      $effect(() => {
        const { items } = this.#app.inbox;
        const loaded = this.#app.opened.filter((project) => project.needs.loaded).map(({ key }) => key);
        untrack(() => this.#changed(items, loaded));
      });
      // A session that the user opens is now on screen.
      $effect(() => {
        void [this.#app.project, this.#app.project?.layout.session, this.#app.project?.layout.view];
        untrack(look);
      });
      $effect(() => this.#notifier?.count(this.#app.inbox.items.length, this.#app.windowTitle));
    });
    return () => {
      window.removeEventListener("focus", look);
      stop();
    };
  }

  /** Checks whether notifications are allowed. */
  async refresh(): Promise<void> {
    if (this.#notifier) this.state = await this.#notifier.state();
  }

  /** Asks the user for permission; call it in response to a click. */
  async request(): Promise<void> {
    if (this.#notifier) this.state = await this.#notifier.request();
  }

  #changed(items: readonly InboxItem[], loaded: readonly ProjectKey[]): void {
    this.#withdraw(items);
    for (const key of loaded) {
      const before = this.#known.get(key);
      const known = before ?? new Set<string>();
      this.#known.set(key, known);
      for (const item of items.filter(({ project }) => project.key === key)) {
        const id = idOf(item);
        if (before && !known.has(id)) void this.#announce(item);
        known.add(id);
      }
    }
  }

  async #announce(item: InboxItem): Promise<void> {
    const { notify, notify_sound: sound } = this.#app.settings;
    const { inbox } = this.#app;
    if (!this.#notifier || !notify.includes(item.need.kind) || inbox.onScreen(item)) return;
    const id = idOf(item);
    this.#shown.add(id);
    const note = { id, sound, ...noteOf(item.need, item.project.opened.name) };
    const shown = await this.#notifier.show(note, () => inbox.open(item));
    if (!shown) {
      this.#shown.delete(id);
      this.state = await this.#notifier.state();
    } else if (!this.#shown.has(id)) {
      // The need was dealt with in the meantime.
      this.#notifier.withdraw(id);
    }
  }

  /** Withdraws notifications whose needs are over or on screen. */
  #withdraw(items: readonly InboxItem[]): void {
    const open = new Map(items.map((item) => [idOf(item), item]));
    for (const id of [...this.#shown]) {
      const item = open.get(id);
      if (item && !this.#app.inbox.onScreen(item)) continue;
      this.#shown.delete(id);
      this.#notifier?.withdraw(id);
    }
  }
}

function idOf({ project, need }: InboxItem): string {
  return `${project.key} ${need.id}`;
}
