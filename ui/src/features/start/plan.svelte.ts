/** A preview of the start, updated after each choice. Older answers never replace newer ones. */
import type { ApiError, BeadId, FolderChoice, SessionPlan } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";

/** The pause in typing before an update, in milliseconds. */
const PAUSE_MS = 150;

export interface PlanQuestion {
  bead: BeadId | null;
  /** The branch in the field; null requests the default branch. */
  branch: string | null;
  folder: FolderChoice;
}

export class Plan {
  answer = $state.raw<SessionPlan | null>(null);
  error = $state.raw<CallError | null>(null);
  /** Whether the answer matches the current question. */
  fresh = $state(false);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  ask(question: PlanQuestion, now = false): Promise<void> {
    this.fresh = false;
    clearTimeout(this.#timer);
    const turn = ++this.#asked;
    return new Promise((done) => {
      this.#timer = setTimeout(() => void this.#ask(question, turn).then(done), now ? 0 : PAUSE_MS);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  async #ask({ bead, branch, folder }: PlanQuestion, turn: number): Promise<void> {
    try {
      const answer = await this.#project.call("session.plan", { bead_id: bead, branch, folder });
      if (turn !== this.#asked) return;
      this.answer = answer;
      this.error = null;
    } catch (thrown) {
      if (turn !== this.#asked) return;
      this.error = asCallError(thrown);
    }
    this.fresh = true;
  }
}

/** Whether a problem concerns the branch name. */
export function isOfBranch({ code }: { code: string }): boolean {
  return code === "branch_invalid" || code === "branch_exists" || code === "branch_in_use";
}

/** Whether a problem concerns the real claude, and so not the simulated agent. */
export function isOfClaude({ code }: ApiError): boolean {
  return ["claude_missing", "claude_too_old", "claude_not_logged_in", "hooks_disabled"].includes(code);
}
