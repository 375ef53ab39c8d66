import { describe, expect, it } from "vitest";
import { Glyphs } from "./glyphs";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (...pieces: Uint8Array[]) =>
  new TextDecoder().decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])));

describe("missing glyphs", () => {
  it("are replaced by common ones, even across chunk boundaries", () => {
    const stream = bytes("a ⎿ b ● └ ⎿⎿ ü");
    for (let at = 0; at <= stream.length; at++) {
      const glyphs = new Glyphs();
      expect(text(glyphs.draw(stream.slice(0, at)), glyphs.draw(stream.slice(at)))).toBe("a └ b ● └ └└ ü");
    }
  });

  it("leave all other text unchanged", () => {
    const plain = bytes("nothing to draw");
    expect(new Glyphs().draw(plain)).toBe(plain);
    const glyphs = new Glyphs();
    glyphs.draw(Uint8Array.of(0xe2));
    glyphs.reset();
    expect(text(glyphs.draw(bytes("x")))).toBe("x");
  });
});
