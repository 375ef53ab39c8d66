/**
 * A session's terminal while somebody looks at it: the stream, the screen, and what the person should know.
 * Hidden it takes nothing from the stream; shown again it begins with a fresh screen.
 */
import type { SessionId, ProjectKey } from "../../generated/api";
import type { Host, TerminalStream } from "../../platform";
import { TerminalFeed, type FeedState } from "../../state/terminal-feed";
import { Glyphs } from "./glyphs";
import type { TerminalKey } from "./keys";
import type { Screen } from "./screen";

/** Sizes are told when the pane has rested so long. */
const REST = 80;

export class Attached {
  feed = $state.raw<FeedState>({ state: "connecting" });
  /** The address under the pointer. */
  link = $state<string | null>(null);
  /** What a program offers for the clipboard. */
  offer = $state<string | null>(null);
  screen = $state.raw<Screen | null>(null);

  #stream: TerminalStream | undefined;
  #feeding: TerminalFeed | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told: { cols: number; rows: number } | undefined;
  #shown = true;
  #gone = false;
  /** It was to have the focus before there was a screen to have it. */
  #wanted = false;
  readonly #key: (key: Exclude<TerminalKey, null>, event: KeyboardEvent) => void;

  readonly #fitted: (cols: number, rows: number) => void;

  /** `key` takes what is not claude's; `fitted` is told what fits into the pane whenever that changes. */
  constructor(key: (key: Exclude<TerminalKey, null>, event: KeyboardEvent) => void, fitted: (cols: number, rows: number) => void) {
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

  /** Tells the session the size that fits now. The terminal follows when the session says so. */
  fit(): void {
    const size = this.#shown ? this.screen?.fit() : null;
    if (!size || (size.cols === this.#told?.cols && size.rows === this.#told.rows)) return;
    this.#told = size;
    this.#stream?.resize(size.cols, size.rows);
    this.#fitted(size.cols, size.rows);
  }

  /** The pane changed: once it rests, the size is told. */
  resized(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fit(), this.#told ? REST : 0);
  }

  show(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (!shown) this.#wanted = false;
    this.#stream?.visible(shown);
    // Another window may have given it another size since.
    if (shown) this.#told = undefined;
    // What is drawn is of before, until the fresh screen has come.
    if (shown && this.feed.state === "live") this.feed = { state: "connecting" };
    if (shown) this.resized();
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
