/**
 * An xterm.js terminal configured for Claude: font, colours, the fastest renderer, links and search. Streams and
 * sessions are in `attached.svelte.ts`.
 */
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { machine } from "../../state/keymap";
import { onThemeChange } from "../../state/theme";
import { offeredText } from "./clipboard";
import { terminalKey, type TerminalKey } from "./keys";
import { openAddress, safeAddress } from "./link";
import { keepMouse } from "./mouse";
import { hasFastWebgl } from "./renderer";
import { themeNow } from "./theme";

const FAMILY = "JetBrains Mono Variable";
const SIZE = 12.5;
const LINE = 18;
/** The width of the scrollbar, equal to xterm's default: opening the search must not change the number of columns. */
const SCROLLBAR = 14;

export interface ScreenEvents {
  /** Typed or pasted input, or an answer of the emulator. */
  data: (bytes: Uint8Array) => void;
  /** The link under the pointer. */
  link: (address: string | null) => void;
  /** The terminal's program offers a text for the clipboard. */
  offer: (text: string) => void;
  /** The renderer changed, and with it the cell size. */
  redrawn: () => void;
  key: (key: Exclude<TerminalKey, null>) => void;
}

export interface Screen {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  /** The size in cells that fits; null without layout. */
  fit(): { cols: number; rows: number } | null;
  /** From now on, shows search matches in the scrollbar. */
  markHits(): void;
  dispose(): void;
}

export async function openScreen(parent: HTMLElement, events: ScreenEvents): Promise<Screen> {
  // xterm measures the cell only once, so the font must be loaded before.
  await document.fonts?.load(`${SIZE}px "${FAMILY}"`).catch(() => []);
  let link: string | null = null;
  const point = (address: string | null) => events.link((link = address));
  const hovered = { hover: (_: MouseEvent, text: string) => point(safeAddress(text)), leave: () => point(null) };
  // mouse.ts opens links, since Claude would open them as well.
  const activate = () => {};
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: "outline",
    drawBoldTextInBrightColors: false,
    fontFamily: `"${FAMILY}", ui-monospace, monospace`,
    fontSize: SIZE,
    fontWeight: 400,
    fontWeightBold: 700,
    linkHandler: { activate, ...hovered },
    minimumContrastRatio: 4.5,
    scrollback: 5000,
    theme: themeNow(),
  });
  const fit = new FitAddon();
  const search = new SearchAddon({ highlightLimit: 1000 });
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(activate, hovered));
  terminal.parser.registerOscHandler(52, (data) => {
    const text = offeredText(data);
    if (text !== null) events.offer(text);
    return true;
  });
  terminal.open(parent);
  terminal.textarea?.setAttribute("aria-label", "Claude's terminal. Press Ctrl and the key below Escape to leave.");
  useLineHeight(terminal);
  useWebgl(terminal, events.redrawn);

  const encoder = new TextEncoder();
  terminal.onData((text) => events.data(encoder.encode(text)));
  terminal.onBinary((text) => events.data(Uint8Array.from(text, (char) => char.charCodeAt(0))));
  const { mac } = machine();
  terminal.attachCustomKeyEventHandler((event) => {
    const key = terminalKey(event, mac);
    if (key === null) return true;
    // The browser handles pasting, and the window handles `leave`.
    if (key === "copy" || key === "search") event.preventDefault();
    if (event.type === "keydown") events.key(key);
    return false;
  });
  const drawn = parent.querySelector<HTMLElement>(".xterm-screen") ?? parent;
  const release = keepMouse(parent, drawn, {
    look: (event) => lookAgain(drawn, event),
    link: () => link,
    selected: () => terminal.modes.mouseTrackingMode === "any" && terminal.hasSelection(),
    follow: openAddress,
  });
  const unwatch = onThemeChange(() => (terminal.options.theme = themeNow()));
  return {
    terminal,
    search,
    fit: () => {
      const size = fit.proposeDimensions();
      return size && size.cols >= 2 && size.rows >= 1
        ? { cols: Math.min(size.cols, 1000), rows: Math.min(size.rows, 500) }
        : null;
    },
    // Created on demand, because the ruler draws another frame after each of the terminal's, which delays the next
    // key.
    markHits() {
      terminal.options.overviewRuler = { width: SCROLLBAR };
    },
    dispose() {
      unwatch();
      release();
      terminal.dispose();
    },
  };
}

/**
 * Makes xterm look for links again. It does so when the pointer enters another cell, and scans the line again
 * when it enters another line, so both movements are simulated.
 */
function lookAgain(drawn: HTMLElement, { clientX, clientY }: MouseEvent): void {
  const { top, bottom } = drawn.getBoundingClientRect();
  const beside = clientY + LINE < bottom ? LINE : top - bottom;
  for (const by of [beside, 0]) drawn.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY: clientY + by }));
}

/** Sets the line height in pixels; xterm's option is a multiple of the font's height. */
function useLineHeight(terminal: Terminal): void {
  const drawn = terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect().height ?? 0;
  const own = drawn / terminal.rows;
  if (own > 0 && own < LINE) terminal.options.lineHeight = (LINE + 0.01) / own;
}

/** Uses WebGL if it is fast. Otherwise, or once its context is lost, xterm's DOM renderer draws. */
function useWebgl(terminal: Terminal, lost: () => void): void {
  if (!hasFastWebgl()) return;
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => {
      webgl.dispose();
      lost();
    });
    terminal.loadAddon(webgl);
  } catch {
    // Without WebGL, xterm's DOM renderer is used.
  }
}
