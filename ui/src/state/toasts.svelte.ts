/**
 * Short messages at the foot of the window. One with an action stays longer; errors stay until closed, and
 * all of them while somebody is at one with the mouse or the keyboard.
 */
import { asCallError } from "../platform";

export interface Toast {
  id: number;
  kind: "done" | "error";
  text: string;
  hint?: string | undefined;
  action?: { label: string; run: () => void } | undefined;
}

/** Where messages are kept off, in pixels: `right` of the window's width, and everything above `top` where that is given. */
export interface Room {
  right: number;
  top: number | null;
}

const WHOLE: Room = { right: 0, top: null };

export class Toasts {
  list = $state.raw<Toast[]>([]);
  room = $state.raw<Room>(WHOLE);
  /** How wide the sidebar is, in pixels: messages are in the middle of the rest. */
  left = $state(0);
  #next = 1;
  /** How long those live that do not stay, in milliseconds, and what ends them. */
  #lives = new Map<number, number>();
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Somebody needs the foot of the window, or its right side, for himself until the answer is called. */
  keepOff(room: Room): () => void {
    this.room = room;
    return () => {
      if (this.room === room) this.room = WHOLE;
    };
  }

  done(text: string, action?: Toast["action"]): number {
    return this.#add({ id: this.#next++, kind: "done", text, action }, action ? 8000 : 4000);
  }

  error(thrown: unknown, action?: Toast["action"]): number {
    const error = asCallError(thrown);
    return this.#add({ id: this.#next++, kind: "error", text: error.message, hint: error.hint, action }, null);
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#lives.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Somebody is at them: none goes. */
  hold(): void {
    this.#timers.forEach(clearTimeout);
  }

  /** Nobody is at them any more: each has its whole life again. */
  release(): void {
    this.hold();
    for (const [id, life] of this.#lives) this.#timers.set(id, setTimeout(() => this.close(id), life));
  }

  #add(toast: Toast, life: number | null): number {
    const old = this.list.find((t) => t.text === toast.text && t.kind === toast.kind);
    if (old) this.close(old.id);
    this.list = [...this.list, toast].slice(-4);
    if (life !== null) {
      this.#lives.set(toast.id, life);
      this.#timers.set(toast.id, setTimeout(() => this.close(toast.id), life));
    }
    return toast.id;
  }
}
