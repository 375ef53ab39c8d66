import { describe, expect, it } from "vitest";
import { filesIn, withFiles } from "./message-files";

const FOLDER = "/home/dv/work/gatehouse/.beads/sessions/1/person/attachments";

describe("attached files", () => {
  it("are separated from the text and put back", () => {
    const message = `@${FOLDER}/0a1b2c3d-shot.png @"/a b/person/attachments/0a1b2c3d-log.txt" what is this?`;
    const { files, text } = filesIn(message);
    expect(files.map(({ name, image }) => [name, image])).toEqual([
      ["shot.png", true],
      ["log.txt", false],
    ]);
    expect(text).toBe("what is this?");
    expect(withFiles(files, text)).toBe(message);
  });

  it("leave other mentions and texts alone", () => {
    for (const message of ["see @src/a.png", "  indented", "@/etc/person/attachments/", "me@example.org"]) {
      expect(filesIn(message)).toEqual({ files: [], text: message });
    }
  });
});
