/** Exported sessions as files: one session as one file, several as few files, each small enough for memory. Pure. */
import type { Exported, ExportFormat } from "../../generated/api";

/** The size in characters at which a file counts as full, since not all sessions may fit in memory. */
export const FULL = 32 * 1024 * 1024;

export interface ExportFile {
  name: string;
  text: string;
}

/** Collects documents and returns each file that is full; `rest` returns the last one. */
export class Files {
  readonly #format: ExportFormat;
  readonly #name: string;
  readonly #full: number;
  #texts: string[] = [];
  #size = 0;
  #taken = 0;
  #parts = 0;
  #only = "";

  /** `name` is the base name for files with several sessions. */
  constructor(format: ExportFormat, name: string, full = FULL) {
    this.#format = format;
    this.#name = name;
    this.#full = full;
  }

  take({ file_name, text }: Exported): ExportFile | null {
    this.#texts.push(text.trimEnd());
    this.#size += text.length;
    this.#taken++;
    this.#only = file_name;
    return this.#size >= this.#full && this.#taken > 1 ? this.#part() : null;
  }

  rest(): ExportFile | null {
    if (this.#texts.length === 0) return null;
    if (this.#taken === 1) return { name: this.#only, text: `${this.#texts[0] ?? ""}\n` };
    return this.#parts > 0 ? this.#part() : { name: `${this.#name}.${this.#format}`, text: this.#together() };
  }

  #part(): ExportFile {
    const text = this.#together();
    [this.#texts, this.#size] = [[], 0];
    return { name: `${this.#name}-${++this.#parts}.${this.#format}`, text };
  }

  #together(): string {
    switch (this.#format) {
      case "md":
        return `${this.#texts.join("\n\n---\n\n")}\n`;
      case "json":
        return `[\n${this.#texts.join(",\n")}\n]\n`;
      case "html":
        return pageOf(this.#texts);
    }
  }
}

/** One page with the bodies of all pages. Their texts cannot contain these tags, because they are escaped. */
function pageOf(pages: readonly string[]): string {
  const [open, close] = ["<body>\n", "</body>"];
  const bodies = pages.map((page) => page.slice(page.indexOf(open) + open.length, page.lastIndexOf(close)));
  const head = (pages[0] ?? "").split(open)[0] ?? "";
  return `${head}${open}${bodies.join("<hr>\n")}${close}\n</html>\n`;
}
