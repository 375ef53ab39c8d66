/** A draft of the fleet settings: numbers, lists and commands as text, with the errors of invalid values. */
import type { CheckedOut, FleetSettings, MergeMethod, PermissionMode } from "../../generated/api";
import { lineOf } from "../../words/command";

interface RunnerDraft {
  /** A key for the list of runners; it is not stored. */
  id: number;
  name: string;
  command: string;
  probe: string;
  program: string;
  console: string;
}
type Wrong = Record<string, string>;

export const LOCAL = "local";

const NUMBERS = [
  "max_agents",
  "min_free_mib",
  "stalled_minutes",
  "worktree_setup_minutes",
  "merge_check_minutes",
] as const;
/** Texts that can be empty. */
const OPTIONAL = ["agent", "model", "worktree_dir", "worktree_base", "merge_target", "merge_push"] as const;
const LISTS = ["worktree_copy", "worktree_link", "places"] as const;
const COMMANDS = ["worktree_setup", "merge_check"] as const;

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
  places = $state("");

  readonly wrong: Wrong = $derived.by(() => this.#validate());
  readonly changed: boolean = $derived.by(() => this.#now() !== this.#before);

  #before = "";
  /** The words of each command line, as the engine splits it; null for an unclosed quote. */
  #words = $state.raw(new Map<string, readonly string[] | null>([["", []]]));
  #next = 1;

  constructor(settings: FleetSettings) {
    Object.assign(this, {
      ...settings,
      ...valuesOf(NUMBERS, (key) => String(settings[key])),
      ...valuesOf(OPTIONAL, (key) => settings[key] ?? ""),
      ...valuesOf(LISTS, (key) => settings[key].join("\n")),
      ...valuesOf(COMMANDS, (key) => lineOf(settings[key])),
      cost_per_day_usd: settings.cost_per_day_usd === null ? "" : String(settings.cost_per_day_usd),
      runners: Object.entries(settings.runners).map(([name, runner]) =>
        this.#runner(name, {
          command: lineOf(runner.command),
          probe: lineOf(runner.probe),
          program: runner.program ?? "",
          console: runner.console ?? "",
        }),
      ),
    });
    const known = [
      settings.worktree_setup,
      settings.merge_check,
      ...Object.values(settings.runners).flatMap(({ command, probe }) => [command, probe]),
    ];
    this.split(known.map(lineOf), known);
    this.#before = this.#now();
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

  /** The command lines of the draft; the caller passes their words to `split`. */
  commandLines(): string[] {
    return [this.worktree_setup, this.merge_check, ...this.runners.flatMap(({ command, probe }) => [command, probe])];
  }

  /** Stores the words of `lines`; null for a line with an unclosed quote. */
  split(lines: readonly string[], words: readonly (readonly string[] | null)[]): void {
    this.#words = new Map([...this.#words, ...lines.map((line, i) => [line, words[i] ?? null] as const)]);
  }

  /** The settings; null while a field is invalid. All command lines must have been split. */
  settings(): FleetSettings | null {
    return Object.keys(this.wrong).length > 0 ? null : this.#written();
  }

  #runner(name: string, rest: Omit<RunnerDraft, "id" | "name">): RunnerDraft {
    return { id: this.#next++, name, ...rest };
  }

  #now(): string {
    return JSON.stringify([this.#written(), this.commandLines()]);
  }

  #wordsOf(line: string): string[] {
    return [...(this.#words.get(line) ?? [])];
  }

  #written(): FleetSettings {
    const { state_dir, auto_dispatch, mode, simulated, merge_method, merge_checked_out, merge_review, runner } = this;
    return {
      state_dir: state_dir.trim(),
      auto_dispatch,
      cost_per_day_usd: this.cost_per_day_usd.trim() === "" ? null : Number(this.cost_per_day_usd),
      mode,
      simulated,
      merge_method,
      merge_checked_out,
      merge_review,
      ...valuesOf(NUMBERS, (key) => Number(this[key])),
      ...valuesOf(OPTIONAL, (key) => orNull(this[key])),
      ...valuesOf(LISTS, (key) => linesOf(this[key])),
      ...valuesOf(COMMANDS, (key) => this.#wordsOf(this[key])),
      runners: Object.fromEntries(
        this.runners.map(({ name, command, probe, program, console }) => [
          name.trim(),
          {
            command: this.#wordsOf(command),
            probe: this.#wordsOf(probe),
            program: orNull(program),
            console: orNull(console),
          },
        ]),
      ),
      runner,
    };
  }

  #validate(): Wrong {
    const wrong: Wrong = {};
    if (this.state_dir.trim() === "") wrong["state_dir"] = "Enter a folder.";
    for (const key of ["max_agents", "stalled_minutes", "worktree_setup_minutes", "merge_check_minutes"] as const) {
      if (!whole(this[key], 1)) wrong[key] = "Enter a whole number of at least 1.";
    }
    if (!whole(this.min_free_mib, 0)) wrong["min_free_mib"] = "Enter a whole number.";
    const cost = this.cost_per_day_usd.trim();
    if (cost !== "" && !(Number(cost) >= 0 && Number.isFinite(Number(cost))))
      wrong["cost_per_day_usd"] = "Enter an amount, or leave empty for no limit.";
    for (const key of COMMANDS) {
      if (this.#words.get(this[key]) === null) wrong[key] = "A quote is not closed.";
    }
    for (const { id, name, command, probe } of this.runners) {
      const again = this.runners.some((r) => r.id !== id && r.name.trim() === name.trim());
      if (name.trim() === "" || name.trim() === LOCAL || again)
        wrong[`name-${id}`] = again ? "Another runner has this name." : "Enter a unique name.";
      const words = this.#words.get(command);
      if (words === null || command.trim() === "")
        wrong[`command-${id}`] = words === null ? "A quote is not closed." : "Enter a program.";
      if (this.#words.get(probe) === null) wrong[`probe-${id}`] = "A quote is not closed.";
    }
    return wrong;
  }
}

/** Templates for runners, which the user completes. */
export const TEMPLATES = [
  {
    name: "ssh",
    description: "another machine",
    command: "ssh -tt -o StreamLocalBindUnlink=yes -R {remote_socket}:{socket} HOST -- {line}",
    probe: "ssh HOST true",
  },
  {
    name: "docker",
    description: "a running container",
    command: "docker exec -it -w {cwd} --env={env} CONTAINER {program} {args}",
    probe: "docker exec CONTAINER true",
  },
  {
    name: "kubernetes",
    description: "a Kubernetes pod",
    command: "kubectl exec -it POD -- env --chdir={cwd} {env} {program} {args}",
    probe: "kubectl exec POD -- true",
  },
] as const;

function valuesOf<K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>;
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

function whole(text: string, least: number): boolean {
  return /^\s*\d{1,9}\s*$/.test(text) && Number(text) >= least;
}
