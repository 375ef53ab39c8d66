/**
 * Sessions on their way into files, one after the other, so that it can be shown how far it is and be stopped. What
 * cannot be exported is told at the end and keeps the others from nothing.
 */
import type { Exported, ExportFormat, SessionExportParams, SessionId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import { Files, type ExportFile } from "./files";

export interface Wanted {
  format: ExportFormat;
  /** What tools answered. */
  output: boolean;
  /** Strikes secrets out. */
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
  /** Answers where the file is. */
  save: (file: ExportFile, type: string) => Promise<string>;
}

const TYPES: Record<ExportFormat, string> = { md: "text/markdown", json: "application/json" };

export class Exporting {
  /** How many sessions were read; null while nothing is under way. */
  done = $state<number | null>(null);
  refused = $state.raw<readonly Refused[]>([]);
  /** Why it ended early. */
  error = $state.raw<CallError | null>(null);
  readonly #doors: Doors;
  #round = 0;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** What became of it; null where it was stopped, or failed as a whole. */
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
      // Nobody is there: the next one would not be answered either.
      if (error.code === "offline" || error.code === "unauthorised") throw error;
      this.refused = [...this.refused, { id, error }];
      return null;
    }
  }
}
