/** The system's notifications, shown by the desktop window. */
import { Channel, invoke } from "@tauri-apps/api/core";
import type { Note, Notifier, NotifyState } from "./notifier";

export class DesktopNotifier implements Notifier {
  state(): Promise<NotifyState> {
    return invoke<NotifyState>("notification_state").catch(() => "unavailable");
  }

  request(): Promise<NotifyState> {
    return this.state();
  }

  async show(note: Note, onopen: () => void): Promise<boolean> {
    const opened = new Channel<null>();
    opened.onmessage = onopen;
    return invoke<null>("notification_show", { note, opened }).then(
      () => true,
      () => false,
    );
  }

  withdraw(id: string): void {
    // The notification may already be closed.
    invoke("notification_withdraw", { id }).catch(() => {});
  }

  count(count: number, title: string): void {
    // Not every desktop can show counts.
    invoke("attention", { count, title }).catch(() => {});
  }
}
