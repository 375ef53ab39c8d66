import { describe, expect, it } from "vitest";
import type { Exported, SessionExportParams } from "../../generated/api";
import { CallError } from "../../platform";
import { ExportRun, type Wanted } from "./export-run.svelte";
import { Files, type ExportFile } from "./files";

const doc = (name: string, text: string, secrets_removed = 0): Exported => ({
  file_name: `${name}.md`,
  text,
  secrets_removed,
});
const AS_USUAL: Wanted = { format: "md", output: true, redact: true };

describe("exported session files", () => {
  it("keep the name of a single session", () => {
    const files = new Files("md", "sessions");
    expect(files.add(doc("fence", "# Fence\n"))).toBeNull();
    expect(files.finish()).toEqual({ name: "fence.md", text: "# Fence\n" });
  });

  it("join several sessions into one document with separators", () => {
    const files = new Files("md", "sessions-2026-11-20");
    files.add(doc("a", "# A\n"));
    files.add(doc("b", "# B\n"));
    expect(files.finish()).toEqual({ name: "sessions-2026-11-20.md", text: "# A\n\n---\n\n# B\n" });
  });

  it("join several JSON sessions into a valid list", () => {
    const files = new Files("json", "sessions");
    files.add(doc("a", `{"id": 1}\n`));
    files.add(doc("b", `{"id": 2}\n`));
    const file = files.finish();
    expect([file?.name, JSON.parse(file?.text ?? "")]).toEqual(["sessions.json", [{ id: 1 }, { id: 2 }]]);
  });

  it("join several pages into one with a single head", () => {
    const files = new Files("html", "sessions");
    const page = (n: number) => `<html>\n<head></head>\n<body>\n<h1>${n}</h1>\n</body>\n</html>\n`;
    for (const n of [1, 2]) files.add({ ...doc("a", page(n)), file_name: "a.html" });
    const body = "<body>\n<h1>1</h1>\n<hr>\n<h1>2</h1>\n</body>\n</html>\n";
    expect(files.finish()).toEqual({ name: "sessions.html", text: `<html>\n<head></head>\n${body}` });
  });

  it("split a large export into several complete files", () => {
    const files = new Files("json", "sessions", 20);
    const full = [1, 2, 3, 4, 5].flatMap((id) => files.add(doc("x", `{"id":${id},"a":"bcd"}`)) ?? []);
    const all = [...full, ...[files.finish()].filter((file) => file !== null)];
    expect(all.map((file) => file.name)).toEqual(["sessions-1.json", "sessions-2.json", "sessions-3.json"]);
    expect(all.flatMap((file) => JSON.parse(file.text) as { id: number }[]).map(({ id }) => id)).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });
});

describe("exporting", () => {
  function setup(read: (params: SessionExportParams) => Promise<Exported>) {
    const saved: (ExportFile & { type: string })[] = [];
    const requests: SessionExportParams[] = [];
    const exporting = new ExportRun({
      read: (params) => (requests.push(params), read(params)),
      save: (file, type) => (saved.push({ ...file, type }), Promise.resolve(`/home/dv/${file.name}`)),
    });
    return { saved, requests, exporting };
  }

  it("requests exactly the selection, and counts secrets", async () => {
    const { requests, saved, exporting } = setup(({ id }) => Promise.resolve(doc(id, id, 2)));
    const outcome = await exporting.run(["a", "b"], "sessions", { format: "json", output: false, redact: true });
    expect(requests).toEqual(
      ["a", "b"].map((id) => ({ id, format: "json", no_tool_output: true, keep_secrets: false })),
    );
    expect(outcome).toEqual({ locations: ["/home/dv/sessions.json"], secrets: 4 });
    expect([saved[0]?.type, exporting.done]).toEqual(["application/json", null]);
  });

  it("reports a session that failed, and exports the others", async () => {
    const { exporting, saved } = setup(({ id }) =>
      id === "b"
        ? Promise.reject(new CallError("session_not_found", "There is no session b."))
        : Promise.resolve(doc(id, id)),
    );
    expect(await exporting.run(["a", "b", "c"], "sessions", AS_USUAL)).not.toBeNull();
    expect(exporting.refused.map(({ id, error }) => [id, error.message])).toEqual([["b", "There is no session b."]]);
    expect(saved.map(({ text }) => text)).toEqual(["a\n\n---\n\nc\n"]);
  });

  it("stops at once without a connection, and reports that", async () => {
    const { requests, exporting } = setup(() =>
      Promise.reject(new CallError("offline", "The server does not answer.")),
    );
    expect(await exporting.run(["a", "b"], "sessions", AS_USUAL)).toBeNull();
    expect([requests.length, exporting.error?.message, exporting.done]).toEqual([
      1,
      "The server does not answer.",
      null,
    ]);
  });

  it("saves nothing when it is stopped", async () => {
    let answer: (exported: Exported) => void = () => {};
    const { saved, exporting } = setup(() => new Promise((resolve) => (answer = resolve)));
    const run = exporting.run(["a", "b"], "sessions", AS_USUAL);
    exporting.stop();
    answer(doc("a", "a"));
    expect(await run).toBeNull();
    expect([saved, exporting.done]).toEqual([[], null]);
  });
});
