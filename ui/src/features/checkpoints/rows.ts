/** Converts a session's checkpoints to the rows of the list of turns, newest first. Pure. */
import type { CheckpointCounts, CheckpointLine } from "../../generated/api";

interface Base {
  /** Unique in the list. */
  key: string;
  at: string;
}
export interface TurnRow extends Base {
  kind: "turn";
  checkpoint: number;
  turn: number;
  words: string;
  /** The size of the change up to the next checkpoint, or up to now; null if unknown. */
  changed: CheckpointCounts | null;
  line: CheckpointLine;
}
export interface RestoreRow extends Base {
  kind: "restore";
  /** The checkpoint of the state before the restore, which undoes it. */
  checkpoint: number;
  /** The turn whose files were restored; null if the row undid another restore or restored kept work. */
  turn: number | null;
  files: readonly string[];
}
/** Uncommitted work of a session at a place, kept without a prompt. */
export interface WorkRow extends Base {
  kind: "work";
  checkpoint: number;
}
export type Row = TurnRow | RestoreRow | WorkRow;

const NONE: CheckpointCounts = { files: 0, added: 0, removed: 0 };

export function rowsOf(lines: readonly CheckpointLine[]): Row[] {
  const turnOf = (number: number) => lines.find((line) => line.number === number)?.turns[0]?.turn ?? null;
  const rows = lines.flatMap((line): Row[] => {
    const { number, restore, turns } = line;
    if (restore)
      return [
        {
          kind: "restore",
          key: `restore ${number}`,
          at: line.at,
          checkpoint: number,
          turn: turnOf(restore.checkpoint),
          files: restore.files,
        },
      ];
    if (turns.length === 0) return [{ kind: "work", key: `work ${number}`, at: line.at, checkpoint: number }];
    return turns.map(({ turn, at, words }, nth) => ({
      kind: "turn",
      key: `turn ${turn}`,
      at,
      checkpoint: number,
      turn,
      words,
      // If several prompts share one checkpoint, nothing changed between them.
      changed: nth === turns.length - 1 ? line.changed : NONE,
      line,
    }));
  });
  return rows.reverse();
}

/** Only the rows of turns. */
export function turnsOf(rows: readonly Row[]): TurnRow[] {
  return rows.filter((row): row is TurnRow => row.kind === "turn");
}

/** The number of turns from one checkpoint to another, or to the current state. */
export function turnsBetween(rows: readonly Row[], from: number, to: number | null): number {
  return turnsOf(rows).filter(({ checkpoint }) => checkpoint >= from && (to === null || checkpoint < to)).length;
}
