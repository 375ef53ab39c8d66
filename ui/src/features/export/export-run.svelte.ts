/**
 * Exports sessions one after another, with progress, until stopped. A refused session does not stop the others; a
 * lost connection does.
 */
import type { Exported, ExportFormat, SessionExportParams, SessionId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import { Files, type ExportFile } from "./files";

export interface Wanted {
  format: ExportFormat;
  /** Includes tool output. */
  output: boolean;
  /** Redacts secrets. */
  redact: boolean;
}

export interface Outcome {
  /** The locations of the files. */
  locations: string[];
  /** The number of redacted secrets. */
  secrets: number;
}

interface Refused {
  id: SessionId;
  error: CallError;
}

interface Ports {
  read: (params: SessionExportParams) => Promise<Exported>;
  /** Saves a file and returns its location. */
  save: (file: ExportFile, type: string) => Promise<string>;
}

const TYPES: Record<ExportFormat, string> = { md: "text/markdown", html: "text/html", json: "application/json" };

export class ExportRun {
  /** The number of processed sessions; null if no export runs. */
  done = $state<number | null>(null);
  refused = $state.raw<readonly Refused[]>([]);
  /** Why the export failed as a whole. */
  error = $state.raw<CallError | null>(null);
  readonly #ports: Ports;
  #round = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Exports the sessions; `name`: the base name of a common file. Returns null if stopped or failed. */
  async run(ids: readonly SessionId[], name: string, wanted: Wanted): Promise<Outcome | null> {
    const round = ++this.#round;
    let done = 0;
    [this.done, this.refused, this.error] = [done, [], null];
    const outcome: Outcome = { locations: [], secrets: 0 };
    const files = new Files(wanted.format, name);
    const put = async (file: ExportFile | null) => {
      if (file) outcome.locations.push(await this.#ports.save(file, TYPES[wanted.format]));
    };
    try {
      for (const id of ids) {
        const read = await this.#read(id, wanted);
        if (round !== this.#round) return null;
        this.done = ++done;
        if (!read) continue;
        outcome.secrets += read.secrets_removed;
        await put(files.add(read));
      }
      if (round !== this.#round) return null;
      await put(files.finish());
      return outcome;
    } catch (thrown) {
      if (round === this.#round) this.error = asCallError(thrown);
      return null;
    } finally {
      if (round === this.#round) this.done = null;
    }
  }

  /** Stops the export. Sessions that are not in a saved file yet are dropped. */
  stop(): void {
    this.#round++;
    this.done = null;
  }

  async #read(id: SessionId, { format, output, redact }: Wanted): Promise<Exported | null> {
    try {
      return await this.#ports.read({ id, format, no_tool_output: !output, keep_secrets: !redact });
    } catch (thrown) {
      const error = asCallError(thrown);
      // Without a connection or access to the server, the remaining sessions would fail as well.
      if (error.code === "offline" || error.code === "unauthorised") throw error;
      this.refused = [...this.refused, { id, error }];
      return null;
    }
  }
}
