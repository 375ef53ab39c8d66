/** The context injections of a session. They are loaded when shown and after each activity. */
import type { Injection, SessionId } from "../../generated/api";
import { asCallError } from "../../platform";
import { coalesced } from "../../state/coalesced";
import { LOADING, READY, type Phase } from "../../state/phase";
import type { Project } from "../../state/project.svelte";

export class InjectionLog {
  injections = $state.raw<readonly Injection[]>([]);
  warnings = $state.raw<readonly string[]>([]);
  phase = $state.raw<Phase>(LOADING);

  readonly #project: Project;
  readonly #id: SessionId;

  constructor(project: Project, id: SessionId) {
    this.#project = project;
    this.#id = id;
  }

  /** Loads the injections. A call during a load causes one more load. */
  readonly read = coalesced(async () => {
    try {
      const { injections, warnings } = await this.#project.call("session.injections", { id: this.#id });
      this.injections = injections;
      this.warnings = warnings;
      this.phase = READY;
    } catch (thrown) {
      this.phase = { state: "failed", error: asCallError(thrown) };
    }
  });
}
