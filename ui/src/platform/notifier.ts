/** Desktop notifications: the browser's, or the system's through the window. */

/** `refused`: the user or the system does not allow them; `unasked`: the browser has not asked yet. */
export type NotifyState = "allowed" | "refused" | "unasked" | "unavailable";

export interface Note {
  /** A later notification with the same ID replaces this one. */
  id: string;
  title: string;
  body: string;
  sound: boolean;
}

export interface Notifier {
  state(): Promise<NotifyState>;
  /** Asks the user for permission. Browsers allow this only in response to a click. */
  request(): Promise<NotifyState>;
  /** Returns false if notifications are not allowed, or if this one could not be shown. */
  show(note: Note, onopen: () => void): Promise<boolean>;
  withdraw(id: string): void;
  /** Shows the number of needs where the system can, for example in the dock, and sets the window's title. */
  count(count: number, title: string): void;
}

/** The browser's notifications. */
export class BrowserNotifier implements Notifier {
  readonly #shown = new Map<string, Notification>();

  async state(): Promise<NotifyState> {
    if (!("Notification" in window)) return "unavailable";
    return { granted: "allowed", denied: "refused", default: "unasked" }[Notification.permission] as NotifyState;
  }

  async request(): Promise<NotifyState> {
    if ("Notification" in window) await Notification.requestPermission().catch(() => "denied");
    return this.state();
  }

  async show({ id, title, body, sound }: Note, onopen: () => void): Promise<boolean> {
    if ((await this.state()) !== "allowed") return false;
    let note: Notification;
    try {
      note = new Notification(title, { body, tag: id, silent: !sound });
    } catch {
      // Some browsers allow notifications only from a service worker.
      return false;
    }
    this.#shown.set(id, note);
    note.addEventListener("click", () => {
      window.focus();
      note.close();
      onopen();
    });
    note.addEventListener("close", () => this.#shown.delete(id));
    return true;
  }

  withdraw(id: string): void {
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }

  /** The page's title already shows the count. */
  count(): void {}
}
