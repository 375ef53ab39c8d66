/**
 * An open terminal: its stream, screen and notices. A hidden one receives no output; when shown again, it starts
 * with a full screen.
 */
import type { SessionId, ProjectKey } from "../../generated/api";
import type { Host, TerminalStream } from "../../platform";
import { TerminalFeed, type FeedState } from "../../state/terminal-feed";
import { Glyphs } from "./glyphs";
import type { TerminalKey } from "./keys";
import type { Screen } from "./screen";

/** The delay before a new size is sent, in milliseconds. */
const RESIZE_DELAY_MS = 80;

export class Attached {
  feed = $state.raw<FeedState>({ state: "connecting" });
  /** The web address under the pointer. */
  link = $state<string | null>(null);
  /** A text that the terminal's program offers for the clipboard. */
  offer = $state<string | null>(null);
  screen = $state.raw<Screen | null>(null);

  #stream: TerminalStream | undefined;
  #feeding: TerminalFeed | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentSize: { cols: number; rows: number } | undefined;
  #shown = true;
  #gone = false;
  /** Whether focus was requested before the screen existed. */
  #wanted = false;
  readonly #key: (key: Exclude<TerminalKey, null>) => void;
  readonly #fitted: (cols: number, rows: number) => void;

  /** `key` receives the keys that do not go to Claude; `fitted` receives the size that fits. */
  constructor(key: (key: Exclude<TerminalKey, null>) => void, fitted: (cols: number, rows: number) => void) {
    this.#key = key;
    this.#fitted = fitted;
  }

  async open(host: Host, project: ProjectKey, session: SessionId, parent: HTMLElement): Promise<void> {
    const { openScreen } = await import("./screen");
    if (this.#gone) return;
    const screen = await openScreen(parent, {
      data: (bytes) => this.#feeding?.send(bytes),
      link: (address) => (this.link = address),
      offer: (text) => {
        if (!this.#feeding?.replaying) this.offer = text;
      },
      redrawn: () => this.resized(),
      key: this.#key,
    });
    if (this.#gone) return screen.dispose();
    const { terminal } = screen;
    const glyphs = new Glyphs();
    const stream = host.terminal(project, session);
    const feeding = new TerminalFeed(
      stream,
      {
        write: (data, done) => terminal.write(data === "" ? data : glyphs.draw(data), done),
        reset: () => {
          glyphs.reset();
          terminal.reset();
        },
        resize: (cols, rows) => terminal.resize(cols, rows),
      },
      (state) => (this.feed = state),
    );
    this.#stream = stream;
    this.#feeding = feeding;
    this.screen = screen;
    stream.subscribe((event) => feeding.handle(event));
    if (!this.#shown) stream.visible(false);
    this.fit();
    if (this.#wanted) terminal.focus();
  }

  /** Sends the size that fits. The terminal is resized once the session confirms it. */
  fit(): void {
    const size = this.#shown ? this.screen?.fit() : null;
    if (!size || (size.cols === this.#sentSize?.cols && size.rows === this.#sentSize.rows)) return;
    this.#sentSize = size;
    this.#stream?.resize(size.cols, size.rows);
    this.#fitted(size.cols, size.rows);
  }

  /** Sends the size once the pane has stopped changing. */
  resized(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fit(), this.#sentSize ? RESIZE_DELAY_MS : 0);
  }

  show(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (!shown) this.#wanted = false;
    this.#stream?.visible(shown);
    if (!shown) return;
    // Another window may have changed the size in the meantime.
    this.#sentSize = undefined;
    // The shown content is outdated until the full screen arrives.
    if (this.feed.state === "live") this.feed = { state: "connecting" };
    this.resized();
  }

  focus(): void {
    this.#wanted = true;
    this.screen?.terminal.focus();
  }

  close(): void {
    this.#gone = true;
    clearTimeout(this.#timer);
    this.#feeding?.stop();
    this.#stream?.close();
    this.screen?.dispose();
  }
}
