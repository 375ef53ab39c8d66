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
  strike: boolean;
}

export interface Outcome {
  places: string[];
  sessions: number;
  secrets: number;
}

interface Refused {
  id: SessionId;
  error: CallError;
}

interface Doors {
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
  readonly #doors: Doors;
  #round = 0;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Runs the export. Returns null if it was stopped or failed. */
  async run(ids: readonly SessionId[], name: string, wanted: Wanted): Promise<Outcome | null> {
    const round = ++this.#round;
    let done = 0;
    [this.done, this.refused, this.error] = [done, [], null];
    const outcome: Outcome = { places: [], sessions: 0, secrets: 0 };
    const files = new Files(wanted.format, name);
    const put = async (file: ExportFile | null) => {
      if (file) outcome.places.push(await this.#doors.save(file, TYPES[wanted.format]));
    };
    try {
      for (const id of ids) {
        const read = await this.#read(id, wanted);
        if (round !== this.#round) return null;
        this.done = ++done;
        if (!read) continue;
        outcome.sessions++;
        outcome.secrets += read.secrets_removed;
        await put(files.take(read));
      }
      if (round !== this.#round) return null;
      await put(files.rest());
      return outcome;
    } catch (thrown) {
      if (round === this.#round) this.error = asCallError(thrown);
      return null;
    } finally {
      if (round === this.#round) this.done = null;
    }
  }

  stop(): void {
    this.#round++;
    this.done = null;
  }

  async #read(id: SessionId, { format, output, strike }: Wanted): Promise<Exported | null> {
    try {
      return await this.#doors.read({ id, format, no_tool_output: !output, keep_secrets: !strike });
    } catch (thrown) {
      const error = asCallError(thrown);
      // If the server cannot be reached, the remaining sessions would fail as well.
      if (error.code === "offline" || error.code === "unauthorised") throw error;
      this.refused = [...this.refused, { id, error }];
      return null;
    }
  }
}
