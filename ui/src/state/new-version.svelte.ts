/** The newest released version. It is checked on request, or once a day if the user enabled that. */
import type { VersionCheck } from "../generated/api";
import { asCallError, type CallError } from "../platform";
import type { App } from "./app.svelte";

/** The time of the last automatic check, in the browser's storage. */
const LAST_CHECK_KEY = "version-asked";
const DAY = 24 * 60 * 60 * 1000;

export class NewVersion {
  checked = $state.raw<VersionCheck | null>(null);
  error = $state.raw<CallError | null>(null);
  busy = $state(false);
  readonly #app: App;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async check(): Promise<void> {
    this.busy = true;
    this.checked = this.error = null;
    try {
      this.checked = await this.#app.host.call("app.check_version", {});
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
    this.busy = false;
  }

  /** Drops the result, because the address has changed. */
  forget(): void {
    this.checked = this.error = null;
  }

  /** If the user enabled it, checks once a day and announces a newer version. Failures are silent. */
  async remind(): Promise<void> {
    this.stop();
    this.#timer = setTimeout(() => void this.remind(), DAY);
    const { settings, toasts, dialogs } = this.#app;
    if (!settings.update_check || settings.update_source === "") return;
    const asked = Number(localStorage.getItem(LAST_CHECK_KEY) ?? 0);
    const since = Date.now() - asked;
    if (since >= 0 && since < DAY) return;
    localStorage.setItem(LAST_CHECK_KEY, String(Date.now()));
    await this.check();
    if (!this.checked?.newer) return;
    toasts.done(`Beads Console ${this.checked.latest} is available.`, {
      label: "Show…",
      run: () => dialogs.show({ kind: "settings" }),
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The result in words. */
export function saidOf({ version, latest, newer }: VersionCheck): string {
  if (latest === null) return "This address has no released version.";
  if (newer) return `Version ${latest} is available. Install it the way you installed this one.`;
  return latest === version ? "This is the newest version." : `The newest released version is ${latest}.`;
}
