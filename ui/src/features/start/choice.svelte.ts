/** The options of a start, shared by both dialogs. The last agent and model are remembered. */
import type { ContextChoice, FolderChoice, PermissionMode, SessionStartParams } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Layout } from "../../state/layout.svelte";
import type { Project } from "../../state/project.svelte";

/** Stands for Claude without an agent prompt. */
export const NO_AGENT = "";

export class StartChoice {
  agent = $state(NO_AGENT);
  mode = $state<PermissionMode>("manual");
  model = $state("");
  folder = $state<FolderChoice>("auto");
  context = $state<ContextChoice>("automatic");
  simulated = $state(false);
  /** The place where the session runs; empty for this machine. */
  place = $state("");
  /** Whether the user agreed to the bypass mode, which needs consent for each start. */
  agreed = $state(false);
  readonly #layout: Layout;

  constructor(app: App, project: Project) {
    this.#layout = project.layout;
    const last = project.layout.start;
    const known = last !== null && (last.agent === NO_AGENT || project.agents.some((a) => a.name === last.agent));
    this.agent = known ? last.agent : (project.agents[0]?.name ?? NO_AGENT);
    this.model = last?.model ?? "";
    void app.places.load();
    this.simulated = app.info?.claude.state !== "ready" && app.info?.simulated_available === true;
  }

  get allowed(): boolean {
    return this.mode !== "bypassPermissions" || this.agreed;
  }

  keep(): void {
    this.#layout.set({ start: { agent: this.agent, model: this.model } });
  }

  params(): SessionStartParams {
    const { agent, mode, model, context, simulated, place } = this;
    return {
      agent: agent || null,
      mode,
      model: model || null,
      folder: place ? "worktree" : this.folder,
      place: place || null,
      context,
      simulated,
      size: this.#layout.terminal,
    };
  }
}
