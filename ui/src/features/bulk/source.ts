/** A project's values for pick lists. */
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import type { PickSource } from "./picks";

/** The types that are offered while the tracker's own are unknown. */
const TYPES = ["bug", "feature", "task", "epic", "chore"];

export function sourceOf(app: App, { beads, edits }: Project): PickSource {
  const { capabilities } = edits;
  return {
    list: beads.list,
    labels: beads.labels,
    assignees: beads.assignees,
    statuses: capabilities?.statuses ?? [],
    types: capabilities?.types ?? TYPES,
    me: app.info?.display_name ?? "",
    now: Date.now(),
  };
}
