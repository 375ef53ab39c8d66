/** Which dialog is open, and which bead's sheet. A feature opens another one's dialog by its name here. */
import type { BeadId, SessionId } from "../generated/api";

export type Dialog =
  | { kind: "start-work"; bead: BeadId }
  | { kind: "new-session"; bead?: BeadId | undefined }
  | { kind: "create-bead" }
  | { kind: "initialise" }
  | { kind: "open-folder" }
  | { kind: "palette" }
  | { kind: "help" }
  | { kind: "settings"; project?: boolean }
  | { kind: "link" }
  | { kind: "end-session"; session: SessionId }
  | { kind: "export"; sessions: readonly SessionId[] }
  | { kind: "figures"; session: SessionId }
  | { kind: "old-sessions" }
  | { kind: "teach-agents" }
  | { kind: "remember"; content?: string; session?: SessionId; bead?: BeadId | undefined }
  | { kind: "link-memory"; key: string }
  | { kind: "merge-memories"; keys: readonly string[] }
  | { kind: "hooks" }
  /** `at`: the run that is shown first, by its moment. */
  | { kind: "hook-runs"; session?: SessionId; at?: string }
  | { kind: "import-memories" }
  | { kind: "prime" }
  | { kind: "backup" }
  | { kind: "worktrees" }
  | { kind: "resume"; session: SessionId }
  | { kind: "confirm"; title: string; text: string; action: string; danger: boolean; run: () => void };

export class Dialogs {
  open = $state.raw<Dialog | null>(null);
  bead = $state<BeadId | null>(null);
  /** The memory whose sheet is open, by its key or id. */
  memory = $state<string | null>(null);

  show(dialog: Dialog): void {
    this.open = dialog;
  }

  close(): void {
    this.open = null;
  }

  showBead(id: BeadId | null): void {
    this.bead = id;
    if (id !== null) this.memory = null;
  }

  showMemory(key: string | null): void {
    this.memory = key;
    if (key !== null) this.bead = null;
  }
}
