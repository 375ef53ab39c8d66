/** Joins exported documents to one file or, if that would be too large for memory, to several. */
import type { Exported, ExportFormat } from "../../generated/api";

/** The size at which a file is full, in characters. */
const FULL_SIZE = 32 * 1024 * 1024;

export interface ExportFile {
  name: string;
  text: string;
}

/** Collects documents. `add` returns a file whenever one is full; `finish` returns the last one, or null if no document
 * is left. */
export class Files {
  readonly #format: ExportFormat;
  readonly #name: string;
  readonly #full: number;
  #texts: string[] = [];
  #size = 0;
  #count = 0;
  #parts = 0;
  #only = "";

  /** `name`: the base name of files with several sessions. */
  constructor(format: ExportFormat, name: string, full = FULL_SIZE) {
    this.#format = format;
    this.#name = name;
    this.#full = full;
  }

  add({ file_name, text }: Exported): ExportFile | null {
    this.#texts.push(text.trimEnd());
    this.#size += text.length;
    this.#count++;
    this.#only = file_name;
    return this.#size >= this.#full && this.#count > 1 ? this.#part() : null;
  }

  finish(): ExportFile | null {
    if (this.#texts.length === 0) return null;
    if (this.#count === 1) return { name: this.#only, text: `${this.#texts[0] ?? ""}\n` };
    return this.#parts > 0 ? this.#part() : { name: `${this.#name}.${this.#format}`, text: this.#joined() };
  }

  #part(): ExportFile {
    const text = this.#joined();
    [this.#texts, this.#size] = [[], 0];
    return { name: `${this.#name}-${++this.#parts}.${this.#format}`, text };
  }

  #joined(): string {
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

/** One page with the bodies of all pages. Escaped texts cannot contain these tags. */
function pageOf(pages: readonly string[]): string {
  const [open, close] = ["<body>\n", "</body>"];
  const bodies = pages.map((page) => page.slice(page.indexOf(open) + open.length, page.lastIndexOf(close)));
  const head = (pages[0] ?? "").split(open)[0] ?? "";
  return `${head}${open}${bodies.join("<hr>\n")}${close}\n</html>\n`;
}
