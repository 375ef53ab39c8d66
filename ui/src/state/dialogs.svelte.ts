/** The open dialog and the open sheet. Features open each other's dialogs by kind. */
import type { BeadId, Conversation, ConvoyId, FleetAgentId, Place, SessionId } from "../generated/api";

export type Dialog =
  | { kind: "start-work"; bead: BeadId }
  | { kind: "new-session"; bead?: BeadId | undefined }
  | { kind: "create-bead" }
  /** Closes, approves, rejects or reopens beads, with a reason. */
  | { kind: "bead-reason"; act: ReasonedAct; beads: readonly BeadId[] }
  | { kind: "initialize" }
  | { kind: "open-folder" }
  | { kind: "palette" }
  | { kind: "help" }
  | { kind: "report" }
  | { kind: "settings"; project?: boolean }
  | { kind: "licences" }
  | { kind: "link" }
  | { kind: "people" }
  | { kind: "end-session"; session: SessionId }
  | { kind: "commit"; session: SessionId }
  /** Pushes the branch, or opens a pull request. */
  | { kind: "publish"; session: SessionId }
  | { kind: "export"; sessions: readonly SessionId[] }
  | { kind: "figures"; session: SessionId }
  | { kind: "old-sessions" }
  /** Makes one of Claude's own conversations a session. */
  | { kind: "adopt"; conversation: Conversation }
  | { kind: "teach-agents" }
  | { kind: "remember"; content?: string; session?: SessionId; bead?: BeadId | undefined }
  | { kind: "link-memory"; key: string }
  | { kind: "merge-memories"; keys: readonly string[] }
  /** `git`: starts with the programs in the repository's git settings. */
  | { kind: "hooks"; git?: boolean }
  /** `at`: the time of the run to show first. */
  | { kind: "hook-runs"; session?: SessionId; at?: string }
  | { kind: "import-memories" }
  | { kind: "prime" }
  | { kind: "backup" }
  | { kind: "worktrees" }
  | { kind: "resume"; session: SessionId; own?: { text: string; sent: () => void } }
  | { kind: "fleet-agent" }
  | { kind: "fleet-rename"; agent: FleetAgentId; name: string }
  | { kind: "fleet-convoy"; beads?: readonly BeadId[] }
  /** Adds beads to a convoy. */
  | { kind: "fleet-convoy-add"; convoy: ConvoyId; name: string; has: readonly BeadId[] }
  | { kind: "fleet-assign"; agent: FleetAgentId }
  | { kind: "fleet-broadcast"; agents: readonly FleetAgentId[] }
  | { kind: "fleet-settings"; group?: string }
  | { kind: "place-add" }
  | { kind: "place-edit"; place: Place }
  | { kind: "saved-views" }
  | { kind: "confirm"; title: string; text: string; action: string; danger: boolean; run: () => void };

/** The actions on beads that take a reason. */
export type ReasonedAct = "close" | "approve" | "reject" | "reopen";

/** A fleet sheet: a convoy, or the review of a bead. */
export type FleetSheet = { kind: "convoy"; id: ConvoyId } | { kind: "review"; bead: BeadId };

export class Dialogs {
  open = $state.raw<Dialog | null>(null);
  /** Keys typed before the palette was loaded. */
  #ahead: string[] = [];
  bead = $state<BeadId | null>(null);
  /** The memory whose sheet is open, by key or ID. */
  memory = $state<string | null>(null);
  fleet = $state.raw<FleetSheet | null>(null);

  show(dialog: Dialog): void {
    this.#ahead = [];
    this.open = dialog;
  }

  /**
   * Keeps a key that is pressed while the palette's code is loading. Returns false if the palette has no use for
   * it.
   */
  typeAhead(key: string): boolean {
    if (this.open?.kind !== "palette") return false;
    if (key === "Escape") this.close();
    else if ([...key].length === 1 || key === "Backspace" || key === "Enter") this.#ahead.push(key);
    else return false;
    return true;
  }

  /** Returns and clears the keys typed ahead: the text, and whether Enter was pressed. */
  takeTyped(): { text: string; entered: boolean } {
    const keys = this.#ahead.splice(0);
    const end = keys.indexOf("Enter");
    const typed = end < 0 ? keys : keys.slice(0, end);
    const text = typed.reduce((text, key) => (key === "Backspace" ? [...text].slice(0, -1).join("") : text + key), "");
    return { text, entered: end >= 0 };
  }

  /** Closes the open dialog, or only the given one, so that a late answer does not close another dialog. */
  close(mine: Dialog | null = this.open): void {
    if (this.open === mine) this.open = null;
  }

  closeSheets(): void {
    this.bead = this.memory = this.fleet = null;
  }

  showBead(id: BeadId | null): void {
    this.bead = id;
    if (id !== null) this.memory = this.fleet = null;
  }

  showMemory(key: string | null): void {
    this.memory = key;
    if (key !== null) this.bead = this.fleet = null;
  }

  showFleet(sheet: FleetSheet | null): void {
    this.fleet = sheet;
    if (sheet !== null) this.bead = this.memory = null;
  }
}
