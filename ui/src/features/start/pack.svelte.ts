/** The context pack of a start: the user's choices and their preview. Older answers never replace newer ones. */
import type {
  BeadId,
  ContextChoice,
  PackPiece,
  PackPreview,
  PackRequest,
  SessionStartParams,
} from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";

/** The pause in typing before an update, in milliseconds. */
const PAUSE_MS = 250;

/** The offered budgets in tokens; "custom" shows a field. */
export const BUDGETS = [
  { value: "2000", name: "2k" },
  { value: "10000", name: "10k" },
  { value: "25000", name: "25k" },
  { value: "custom", name: "Custom" },
] as const;

/** The bead and texts to which the pack relates. */
interface Subject {
  bead_id: BeadId | null;
  title?: string | null;
  objective?: string | null;
}

/** Errors that result from the user's choices, which the user can correct. */
const CHOICE_ERRORS: ReadonlySet<string> = new Set(["usage", "file_refused"]);

export class Pack {
  budget = $state("10000");
  /** The text in the field for a custom budget. */
  custom = $state("8000");
  template = $state("");
  add = $state.raw<readonly string[]>([]);
  remove = $state.raw<readonly string[]>([]);
  pin = $state.raw<readonly string[]>([]);
  answer = $state.raw<PackPreview | null>(null);
  error = $state.raw<CallError | null>(null);
  /** Whether the preview is being updated. */
  busy = $state(false);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #subject: Subject = { bead_id: null };
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** The budget in tokens; null if the field has no valid number. */
  get tokens(): number | null {
    const text = this.budget === "custom" ? this.custom.replace(/[,\s]/g, "").toLowerCase() : this.budget;
    const thousands = /^(\d+(?:\.\d+)?)k$/.exec(text);
    const tokens = thousands ? Math.round(Number(thousands[1]) * 1000) : /^\d+$/.test(text) ? Number(text) : NaN;
    return Number.isFinite(tokens) && tokens < 2 ** 32 ? tokens : null;
  }

  /** The choices as parameters for the engine. */
  get request(): PackRequest {
    const { tokens, template, add, remove, pin } = this;
    return {
      budget: tokens,
      template: template || null,
      add: [...add],
      remove: [...remove],
      pin: [...pin],
      only: null,
    };
  }

  get #sent(): PackRequest {
    const included = this.answer?.pieces.filter(({ state }) => state === "included").map(({ key }) => key);
    return { ...this.request, only: included ?? null };
  }

  ask(subject: Subject, now = false): void {
    this.#subject = subject;
    void this.#refresh(now ? 0 : PAUSE_MS);
  }

  toggle({ key, state }: PackPiece): void {
    if (state === "removed") this.remove = this.remove.filter((known) => known !== key);
    // Pinning a piece that was left out for its size includes it.
    else if (state === "left_out") this.pin = [...this.pin, key];
    else {
      this.remove = [...this.remove, key];
      this.pin = this.pin.filter((known) => known !== key);
    }
    void this.#refresh(0);
  }

  togglePin({ key, pinned }: PackPiece): void {
    this.pin = pinned ? this.pin.filter((known) => known !== key) : [...this.pin, key];
    this.remove = this.remove.filter((known) => known !== key);
    void this.#refresh(0);
  }

  /** Whether a start can proceed: the preview is current, or it failed for a reason that the user cannot correct. */
  get ready(): boolean {
    if (this.busy || this.tokens === null) return false;
    return this.error ? !CHOICE_ERRORS.has(this.error.code) : this.answer !== null;
  }

  /** The pack's part of a start's parameters. Only pieces that the preview included are sent. */
  paramsFor(context: ContextChoice): Pick<SessionStartParams, "context" | "pack"> {
    // Without a preview, such as outside a repository, the session starts without a pack.
    return context === "none" || this.error ? { context: "none" } : { context, pack: this.#sent };
  }

  /** Adds a file. If it is refused, the pack stays as it was, and the error is returned. */
  async addFile(path: string): Promise<CallError | null> {
    const [before, earlier] = [this.add, this.error];
    if (before.includes(path)) return null;
    this.add = [...before, path];
    const latest = await this.#refresh(0);
    if (!latest || !this.error || this.error === earlier) return null;
    const refusal = this.error;
    this.add = before;
    await this.#refresh(0);
    return refusal;
  }

  change(by: { budget?: string; custom?: string; template?: string }): void {
    Object.assign(this, by);
    if (by.template) this.#setBudget(this.answer?.templates?.find(({ name }) => name === by.template)?.budget ?? null);
    void this.#refresh(by.custom === undefined ? 0 : PAUSE_MS);
  }

  /** Sets the budget to that of a template, if it has one. */
  #setBudget(tokens: number | null): void {
    if (tokens === null) return;
    const offered = BUDGETS.find(({ value }) => value === String(tokens));
    this.budget = offered?.value ?? "custom";
    if (!offered) this.custom = String(tokens);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  /** Updates the preview after a pause. Resolves with whether its answer was the latest. */
  #refresh(pause: number): Promise<boolean> {
    clearTimeout(this.#timer);
    const turn = ++this.#asked;
    if (this.tokens === null) {
      this.busy = false;
      return Promise.resolve(false);
    }
    this.busy = true;
    return new Promise((done) => {
      this.#timer = setTimeout(() => void this.#ask(turn).then(done), pause);
    });
  }

  async #ask(turn: number): Promise<boolean> {
    try {
      const answer = await this.#project.call("session.context_pack", { ...this.#subject, pack: this.request });
      if (turn !== this.#asked) return false;
      this.answer = answer;
      this.error = null;
    } catch (thrown) {
      if (turn !== this.#asked) return false;
      this.error = asCallError(thrown);
    }
    this.busy = false;
    return true;
  }
}
