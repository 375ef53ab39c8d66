/**
 * Short messages over the window, at most four. Those with an action stay longer, and errors have no
 * time limit. While the user points at or focuses a toast, all toasts stay.
 */
import { untrack } from "svelte";
import { asCallError } from "../platform";

export interface Toast {
  id: number;
  kind: "done" | "error";
  text: string;
  hint?: string | undefined;
  action?: { label: string; run: () => void } | undefined;
  /** How many times the message was reported while it was shown. */
  count: number;
  /** The toast's group: only the newest toast of a group is shown, and `clear` removes it. */
  of?: string | undefined;
}

/** Room to keep free, in pixels: `right` is a strip at the right edge of the window. With `top`, toasts move from the
 * bottom to just below that position. */
export interface Room {
  right: number;
  top: number | null;
}

export class Toasts {
  list = $state.raw<Toast[]>([]);
  #rooms = $state.raw<readonly Room[]>([]);
  /** The combined area to keep free. */
  readonly room: Room = $derived.by(() => {
    const tops = this.#rooms.flatMap(({ top }) => top ?? []);
    return {
      right: Math.max(0, ...this.#rooms.map(({ right }) => right)),
      top: tops.length > 0 ? Math.max(...tops) : null,
    };
  });
  /** The width of the sidebar in pixels; toasts are centred in the rest. */
  left = $state(0);
  #next = 1;
  /** The lifetimes of temporary toasts in milliseconds. */
  #lives = new Map<number, number>();
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #held = false;

  /** Keeps an area free of toasts until the returned function is called. */
  keepOff(room: Room): () => void {
    this.#rooms = untrack(() => [...this.#rooms, room]);
    return () => {
      this.#rooms = untrack(() => this.#rooms).filter((other) => other !== room);
    };
  }

  /** Shows a message that is not an error. It replaces a toast of the same group. */
  done(text: string, action?: Toast["action"], of?: string): number {
    return this.#add({ id: this.#next++, kind: "done", text, action, count: 1, of }, action ? 8000 : 4000);
  }

  /** Shows an error, until the user or `clear` removes it. It replaces a toast of the same group. */
  error(thrown: unknown, action?: Toast["action"], of?: string): number {
    const error = asCallError(thrown);
    return this.#add(
      { id: this.#next++, kind: "error", text: error.message, hint: error.hint, action, count: 1, of },
      null,
    );
  }

  /** Removes the toasts of a group. */
  clear(of: string): void {
    for (const toast of this.list) if (toast.of === of) this.close(toast.id);
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#lives.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Stops all timers until `release`, while the user points at or focuses a toast. */
  hold(): void {
    this.#held = true;
    this.#timers.forEach(clearTimeout);
  }

  /** Restarts all lifetimes. */
  release(): void {
    this.hold();
    this.#held = false;
    for (const [id, life] of this.#lives) this.#closeAfter(id, life);
  }

  #closeAfter(id: number, life: number): void {
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), life),
    );
  }

  #add(toast: Toast, life: number | null): number {
    const same = this.list.find((t) => t.text === toast.text && t.kind === toast.kind);
    const old = same ?? this.list.find((t) => t.of !== undefined && t.of === toast.of);
    if (old) this.close(old.id);
    this.list = [...this.list, same ? { ...toast, count: same.count + 1 } : toast].slice(-4);
    if (life !== null) {
      this.#lives.set(toast.id, life);
      if (!this.#held) this.#closeAfter(toast.id, life);
    }
    return toast.id;
  }
}
