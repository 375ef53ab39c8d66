import { describe, expect, it } from "vitest";
import { Glyphs } from "./glyphs";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (...pieces: Uint8Array[]) =>
  new TextDecoder().decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])));

describe("a sign that no font has", () => {
  it("is drawn as one that every font has, wherever the stream is cut", () => {
    const stream = bytes("a ⎿ b ● └ ⎿⎿ ü");
    for (let at = 0; at <= stream.length; at++) {
      const glyphs = new Glyphs();
      expect(text(glyphs.draw(stream.slice(0, at)), glyphs.draw(stream.slice(at)))).toBe("a └ b ● └ └└ ü");
    }
  });

  it("leaves everything else as it is", () => {
    const plain = bytes("nothing to draw");
    expect(new Glyphs().draw(plain)).toBe(plain);
    const glyphs = new Glyphs();
    glyphs.draw(Uint8Array.of(0xe2));
    glyphs.reset();
    expect(text(glyphs.draw(bytes("x")))).toBe("x");
  });
});
