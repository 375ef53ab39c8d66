/** The terminal's colours, read from the design tokens. */
import type { ITheme } from "@xterm/xterm";

export function themeNow(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const colour = (name: string) => token(`term-${name}`);
  return {
    background: colour("bg"),
    foreground: colour("fg"),
    cursor: colour("fg"),
    cursorAccent: colour("bg"),
    selectionBackground: opaque(token("accent-soft"), 2.4),
    black: colour("black"),
    red: colour("red"),
    green: colour("green"),
    yellow: colour("yellow"),
    blue: colour("blue"),
    magenta: colour("magenta"),
    cyan: colour("cyan"),
    white: colour("white"),
    brightBlack: colour("dim"),
    brightRed: colour("red"),
    brightGreen: colour("green"),
    brightYellow: colour("yellow"),
    brightBlue: colour("blue"),
    brightMagenta: colour("magenta"),
    brightCyan: colour("cyan"),
    brightWhite: colour("white"),
    scrollbarSliderBackground: opaque(token("press"), 1.2),
    scrollbarSliderHoverBackground: opaque(token("press"), 2),
    scrollbarSliderActiveBackground: opaque(token("press"), 3),
    overviewRulerBorder: colour("bg"),
  };
}

/** Converts `rgb(1 2 3 / .14)` to the notation that xterm parses, with its alpha multiplied by `times`. */
function opaque(value: string, times: number): string {
  const [r, g, b, a] = value.match(/\d*\.?\d+/g) ?? [];
  if (r === undefined || g === undefined || b === undefined) return value;
  return `rgba(${r}, ${g}, ${b}, ${Math.min(1, Number(a ?? 1) * times)})`;
}
