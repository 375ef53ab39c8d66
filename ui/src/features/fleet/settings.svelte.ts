/** The fleet's settings while somebody changes them: everything as text, and what is wrong with it. */
import type { CheckedOut, FleetSettings, MergeMethod, PermissionMode } from "../../generated/api";
import { lineOf, wordsOf } from "../../words/command";

export interface RunnerDraft {
  /** For the list only. */
  id: number;
  name: string;
  command: string;
  probe: string;
  program: string;
  console: string;
}
export type Wrong = Record<string, string>;

export const LOCAL = "local";
export const NO_CHOICE = "";

export class SettingsDraft {
  state_dir = $state("");
  auto_dispatch = $state(false);
  max_agents = $state("");
  min_free_mib = $state("");
  cost_per_day_usd = $state("");
  stalled_minutes = $state("");
  agent = $state("");
  mode = $state<PermissionMode>("manual");
  model = $state("");
  simulated = $state(false);
  worktree_dir = $state("");
  worktree_base = $state("");
  worktree_copy = $state("");
  worktree_link = $state("");
  worktree_setup = $state("");
  worktree_setup_minutes = $state("");
  merge_target = $state("");
  merge_method = $state<MergeMethod>("rebase");
  merge_check = $state("");
  merge_check_minutes = $state("");
  merge_push = $state("");
  merge_checked_out = $state<CheckedOut>("ask");
  merge_review = $state(true);
  runners = $state<RunnerDraft[]>([]);
  runner = $state(LOCAL);

  readonly wrong: Wrong = $derived.by(() => this.#look());
  readonly changed: boolean = $derived.by(() => JSON.stringify(this.#written()) !== this.#before);

  #before = "";
  #next = 1;

  constructor(settings: FleetSettings) {
    Object.assign(this, {
      ...settings,
      max_agents: String(settings.max_agents),
      min_free_mib: String(settings.min_free_mib),
      cost_per_day_usd: settings.cost_per_day_usd === null ? "" : String(settings.cost_per_day_usd),
      stalled_minutes: String(settings.stalled_minutes),
      agent: settings.agent ?? NO_CHOICE,
      model: settings.model ?? "",
      worktree_dir: settings.worktree_dir ?? "",
      worktree_base: settings.worktree_base ?? "",
      worktree_copy: settings.worktree_copy.join("\n"),
      worktree_link: settings.worktree_link.join("\n"),
      worktree_setup: lineOf(settings.worktree_setup),
      worktree_setup_minutes: String(settings.worktree_setup_minutes),
      merge_target: settings.merge_target ?? "",
      merge_check: lineOf(settings.merge_check),
      merge_check_minutes: String(settings.merge_check_minutes),
      merge_push: settings.merge_push ?? "",
      runners: Object.entries(settings.runners).map(([name, runner]) => this.#runner(name, { command: lineOf(runner.command), probe: lineOf(runner.probe), program: runner.program ?? "", console: runner.console ?? "" })),
    });
    this.#before = JSON.stringify(this.#written());
  }

  add(name: string, command: string, probe: string): void {
    let free = name;
    for (let n = 2; this.runners.some((r) => r.name === free); n++) free = `${name}-${n}`;
    this.runners.push(this.#runner(free, { command, probe, program: "", console: "" }));
  }

  remove(id: number): void {
    const gone = this.runners.find((r) => r.id === id);
    this.runners = this.runners.filter((r) => r.id !== id);
    if (gone?.name === this.runner) this.runner = LOCAL;
  }

  /** Null while something is wrong. */
  settings(): FleetSettings | null {
    return Object.keys(this.wrong).length > 0 ? null : this.#written();
  }

  #runner(name: string, rest: Omit<RunnerDraft, "id" | "name">): RunnerDraft {
    return { id: this.#next++, name, ...rest };
  }

  #written(): FleetSettings {
    const { state_dir, auto_dispatch, mode, simulated, merge_method, merge_checked_out, merge_review, runner } = this;
    return {
      state_dir: state_dir.trim(),
      auto_dispatch,
      max_agents: Number(this.max_agents),
      min_free_mib: Number(this.min_free_mib),
      cost_per_day_usd: this.cost_per_day_usd.trim() === "" ? null : Number(this.cost_per_day_usd),
      stalled_minutes: Number(this.stalled_minutes),
      agent: orNull(this.agent),
      mode,
      model: orNull(this.model),
      simulated,
      worktree_dir: orNull(this.worktree_dir),
      worktree_base: orNull(this.worktree_base),
      worktree_copy: linesOf(this.worktree_copy),
      worktree_link: linesOf(this.worktree_link),
      worktree_setup: wordsOf(this.worktree_setup) ?? [],
      worktree_setup_minutes: Number(this.worktree_setup_minutes),
      merge_target: orNull(this.merge_target),
      merge_method,
      merge_check: wordsOf(this.merge_check) ?? [],
      merge_check_minutes: Number(this.merge_check_minutes),
      merge_push: orNull(this.merge_push),
      merge_checked_out,
      merge_review,
      runners: Object.fromEntries(this.runners.map(({ name, command, probe, program, console }) => [name.trim(), { command: wordsOf(command) ?? [], probe: wordsOf(probe) ?? [], program: orNull(program), console: orNull(console) }])),
      runner,
    };
  }

  #look(): Wrong {
    const wrong: Wrong = {};
    if (this.state_dir.trim() === "") wrong["state_dir"] = "A folder is needed.";
    for (const key of ["max_agents", "stalled_minutes", "worktree_setup_minutes", "merge_check_minutes"] as const) {
      if (!whole(this[key], 1)) wrong[key] = "A whole number from 1 on.";
    }
    if (!whole(this.min_free_mib, 0)) wrong["min_free_mib"] = "A whole number.";
    const cost = this.cost_per_day_usd.trim();
    if (cost !== "" && !(Number(cost) >= 0 && Number.isFinite(Number(cost)))) wrong["cost_per_day_usd"] = "An amount, or nothing for no limit.";
    for (const key of ["worktree_setup", "merge_check"] as const) {
      if (wordsOf(this[key]) === null) wrong[key] = "A quote is still open.";
    }
    for (const { id, name, command, probe } of this.runners) {
      const again = this.runners.some((r) => r.id !== id && r.name.trim() === name.trim());
      if (name.trim() === "" || name.trim() === LOCAL || again) wrong[`name-${id}`] = again ? "There is another one of that name." : "A name of its own is needed.";
      const words = wordsOf(command);
      if (words === null || words.length === 0) wrong[`command-${id}`] = words === null ? "A quote is still open." : "A program is needed.";
      if (wordsOf(probe) === null) wrong[`probe-${id}`] = "A quote is still open.";
    }
    return wrong;
  }
}

/** Ways to run a program elsewhere, to begin with. */
export const TEMPLATES = [
  { name: "ssh", says: "another machine", command: "ssh -tt -o StreamLocalBindUnlink=yes -R {remote_socket}:{socket} HOST -- {line}", probe: "ssh HOST true" },
  { name: "docker", says: "a container that runs", command: "docker exec -it -w {cwd} --env={env} CONTAINER {program} {args}", probe: "docker exec CONTAINER true" },
  { name: "kubernetes", says: "a pod of a cluster", command: "kubectl exec -it POD -- env --chdir={cwd} {env} {program} {args}", probe: "kubectl exec POD -- true" },
] as const;

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

function whole(text: string, least: number): boolean {
  return /^\s*\d{1,9}\s*$/.test(text) && Number(text) >= least;
}
