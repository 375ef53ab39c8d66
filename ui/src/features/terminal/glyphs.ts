/**
 * Signs that hardly any font of a terminal has, drawn as ones that every font has. Claude sets `⎿` before what a
 * tool gave; the corner of a box looks the same. Pure but for the bytes that wait: a sign may be cut in two.
 */

// U+23BF and U+2514 differ in their last two bytes only.
const RARE = [0xe2, 0x8e, 0xbf] as const;
const DRAWN = [0xe2, 0x94, 0x94] as const;
const NONE = new Uint8Array();

export class Glyphs {
  #waiting: Uint8Array = NONE;

  /** The same bytes with other signs; the beginning of one waits for the rest. */
  draw(bytes: Uint8Array): Uint8Array {
    if (this.#waiting.length === 0 && bytes.indexOf(RARE[0]) < 0) return bytes;
    const all = new Uint8Array(this.#waiting.length + bytes.length);
    all.set(this.#waiting);
    all.set(bytes, this.#waiting.length);
    for (let at = all.indexOf(RARE[0]); at >= 0; at = all.indexOf(RARE[0], at + 1)) {
      if (all[at + 1] === RARE[1] && all[at + 2] === RARE[2]) all.set(DRAWN, at);
    }
    const cut = cutOf(all);
    this.#waiting = all.slice(all.length - cut);
    return cut === 0 ? all : all.subarray(0, all.length - cut);
  }

  /** What waits belongs to a stream that is over. */
  reset(): void {
    this.#waiting = NONE;
  }
}

/** How many bytes at the end may be the beginning of the sign. */
function cutOf(bytes: Uint8Array): number {
  if (bytes.at(-1) === RARE[0]) return 1;
  return bytes.at(-1) === RARE[1] && bytes.at(-2) === RARE[0] ? 2 : 0;
}
