/** Notifications that are only recorded; `notify=refused` refuses them. */
import type { Note, Notifier, NotifyState } from "../notifier";

export interface FakeNotifier extends Notifier {
  readonly shown: Map<string, Note & { open: () => void }>;
  counted: number;
}

export function fakeNotifier(options: URLSearchParams = new URLSearchParams()): FakeNotifier {
  const state = (options.get("notify") ?? "allowed") as NotifyState;
  const shown: FakeNotifier["shown"] = new Map();
  return {
    shown,
    counted: 0,
    state: () => Promise.resolve(state),
    request: () => Promise.resolve(state),
    show(note, open) {
      if (state === "allowed") shown.set(note.id, { ...note, open });
      return Promise.resolve(state === "allowed");
    },
    withdraw: (id) => void shown.delete(id),
    count(count) {
      this.counted = count;
    },
  };
}
