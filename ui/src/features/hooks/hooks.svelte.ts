/** The hooks of a project and of the user. Every command that changes them returns the full list. */
import type { HookEvent, HookFile, HookFiles, HookTest } from "../../generated/api";
import { Operation } from "../../components/operation.svelte";
import type { Call } from "../../state/memories.svelte";
import { plural } from "../../words/count";

export class Hooks extends Operation {
  shown = $state.raw<HookFiles | null>(null);
  /** The result of the last action. */
  said = $state("");
  tried = $state.raw<HookTest | null>(null);

  readonly files = $derived(
    this.shown?.files.filter(({ state, scope }) => state !== "absent" || scope === "user") ?? [],
  );
  /** Files that do not exist, where a repository could have hooks. */
  readonly absent = $derived(
    this.shown?.files.filter(({ state, scope }) => state === "absent" && scope === "workspace") ?? [],
  );
  readonly own = $derived(this.shown?.files.find(({ scope }) => scope === "user") ?? null);

  /** Programs in the repository's git settings that the user has not allowed. */
  readonly git = $derived(
    this.shown?.files.find(({ scope, state }) => scope === "git" && (state === "new" || state === "changed")) ?? null,
  );

  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  get(path: string | null): HookFile | undefined {
    return this.shown?.files.find((file) => file.path === path);
  }

  read(): Promise<boolean> {
    return this.#load("", () => this.#call("hooks.list", {}));
  }

  /** Allows exactly the shown content. The engine refuses if the file has changed. */
  allow({ path, fingerprint }: HookFile): Promise<boolean> {
    return this.#load("Allowed.", () => this.#call("hooks.trust", { path, trusted: true, fingerprint }));
  }

  stop({ path }: HookFile): Promise<boolean> {
    return this.#load("Revoked.", () => this.#call("hooks.trust", { path, trusted: false }));
  }

  workspace(on: boolean): Promise<boolean> {
    return this.#load("", () => this.#call("hooks.allow", { workspace: on }));
  }

  save({ path, fingerprint }: HookFile, text: string): Promise<boolean> {
    return this.#load("Saved.", () => this.#call("hooks.save", { path, text, fingerprint }));
  }

  reload(): Promise<boolean> {
    return this.#act(async () => {
      const { sessions } = await this.#call("hooks.reload", {});
      this.shown = await this.#call("hooks.list", {});
      this.said =
        sessions === 0 ? "Reloaded. No session is running." : `Reloaded, also in ${plural(sessions, "session")}.`;
    });
  }

  /** Runs the hooks of an event. `fields` is JSON, or empty for sample data. */
  test(event: HookEvent, fields: string): Promise<boolean> {
    return this.#act(async () => {
      this.tried = null;
      this.tried = await this.#call("hooks.test", { event, payload: payloadOf(fields) });
    });
  }

  /** Runs a command that returns the full list. */
  #load(said: string, command: () => Promise<HookFiles>): Promise<boolean> {
    return this.#act(async () => {
      this.shown = await command();
      this.said = said;
    });
  }

  #act(work: () => Promise<void>): Promise<boolean> {
    this.said = "";
    return this.run(work);
  }
}

function payloadOf(fields: string) {
  return fields.trim() === "" ? null : (JSON.parse(fields) as HookTest["payload"]);
}

/** Whether the text is empty or a JSON object, as a hook test requires. */
export function isPayload(fields: string): boolean {
  try {
    const payload: unknown = payloadOf(fields);
    return typeof payload === "object" && !Array.isArray(payload);
  } catch {
    return false;
  }
}
