/**
 * Replaces a character that few terminal fonts have: `⎿`, with which Claude prefixes tool results, becomes a
 * similar box corner. `Glyphs` keeps state, since the character can be split across chunks.
 */

// U+23BF and U+2514 differ in their last two bytes only.
const RARE_BYTES = [0xe2, 0x8e, 0xbf] as const;
const DRAWN = [0xe2, 0x94, 0x94] as const;
const NONE = new Uint8Array();

export class Glyphs {
  #waiting: Uint8Array = NONE;

  /** Replaces the characters in a chunk. An incomplete character is held back for the next chunk. */
  draw(bytes: Uint8Array): Uint8Array {
    if (this.#waiting.length === 0 && bytes.indexOf(RARE_BYTES[0]) < 0) return bytes;
    const all = new Uint8Array(this.#waiting.length + bytes.length);
    all.set(this.#waiting);
    all.set(bytes, this.#waiting.length);
    for (let at = all.indexOf(RARE_BYTES[0]); at >= 0; at = all.indexOf(RARE_BYTES[0], at + 1)) {
      if (all[at + 1] === RARE_BYTES[1] && all[at + 2] === RARE_BYTES[2]) all.set(DRAWN, at);
    }
    const cut = cutOf(all);
    this.#waiting = all.slice(all.length - cut);
    return cut === 0 ? all : all.subarray(0, all.length - cut);
  }

  /** Drops the bytes that are held back, before a new screen. */
  reset(): void {
    this.#waiting = NONE;
  }
}

/** The number of bytes at the end that may be the start of the character. */
function cutOf(bytes: Uint8Array): number {
  if (bytes.at(-1) === RARE_BYTES[0]) return 1;
  return bytes.at(-1) === RARE_BYTES[1] && bytes.at(-2) === RARE_BYTES[0] ? 2 : 0;
}
