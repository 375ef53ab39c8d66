/** Terminal output as styled pieces: colours and emphasis are kept, every other escape is removed. Pure. */
import Anser from "anser";
import { visible } from "../../words/text";

export interface Piece {
  text: string;
  /** Classes of AnsiOutput.svelte for colour and emphasis; empty for plain text. */
  classes: string;
}

// All escapes except colours and emphasis (CSI … m): cursor movements, titles, single escapes.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-ln-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[@-OQ-WYZ\\])/g;
const SGR = "\u001b[";

/** The text as a terminal shows it: text after a carriage return replaces the line. */
function settled(output: string): string {
  return output
    .replace(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => (line.includes("\r") ? (line.split("\r").findLast((part) => part !== "") ?? "") : line))
    .join("\n");
}

export function piecesOf(output: string): Piece[] {
  const text = settled(output.replace(ESCAPES, ""));
  if (!text.includes(SGR)) return [{ text: visible(text), classes: "" }];
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map(({ content, fg, bg, decorations }) => ({
    text: visible(content),
    classes: [classOf(fg), bg ? "ansi-on" : "", ...(decorations ?? []).map((one) => `ansi-${one}`)]
      .filter(Boolean)
      .join(" "),
  }));
}

/** The class of a foreground colour. Only the theme's own colours have one; palette and RGB colours show as normal
 * text. */
function classOf(fg: string | null): string {
  return fg && /^ansi-(?:bright-)?(?:black|red|green|yellow|blue|magenta|cyan|white)$/.test(fg)
    ? fg.replace("bright-black", "dim").replace("bright-", "")
    : "";
}
