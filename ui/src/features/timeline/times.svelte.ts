/** A session's timeline. It is loaded when shown and after each activity. */
import type { SessionId, Timeline } from "../../generated/api";
import { asCallError } from "../../platform";
import { coalesced } from "../../state/coalesced";
import { LOADING, READY, type Phase } from "../../state/phase";
import type { Project } from "../../state/project.svelte";

export class Times {
  timeline = $state.raw<Timeline>({ bands: [], events: [], warnings: [] });
  phase = $state.raw<Phase>(LOADING);

  readonly #project: Pick<Project, "call">;
  readonly #id: SessionId;

  constructor(project: Pick<Project, "call">, id: SessionId) {
    this.#project = project;
    this.#id = id;
  }

  /** Loads the timeline. A call during a load causes one more load. */
  readonly read = coalesced(async () => {
    try {
      this.timeline = await this.#project.call("session.timeline", { id: this.#id });
      this.phase = READY;
    } catch (thrown) {
      this.phase = { state: "failed", error: asCallError(thrown) };
    }
  });
}
