/** Converts a choice for several beads to a task that `Bulk` carries out. */
import type { BeadId } from "../../generated/api";
import type { BulkTask } from "../../state/bulk.svelte";
import type { Outcome } from "../../state/bead-edits.svelte";
import type { Project } from "../../state/project.svelte";
import { inverseOf } from "../../words/bead-fields";
import { statusName } from "../../words/bead-status";
import { changeOf, type PickField } from "./picks";

export function taskOf(project: Project, field: PickField, value: string, ids: readonly BeadId[]): BulkTask {
  const { edits, beads } = project;
  const quiet = { quiet: true };
  const chosen = ids.flatMap((id) => beads.get(id) ?? []);
  const change = changeOf(field, value, chosen);
  if (change)
    return {
      ...wordsOf(field, value, change.remove_labels !== undefined),
      write: async (id) => {
        const before = beads.get(id);
        await must(edits.change(id, change, quiet));
        return before && (() => must(edits.change(id, inverseOf(before, change), quiet)));
      },
    };
  if (field === "close")
    return {
      title: "Closing",
      said: "Closed",
      write: async (id) => {
        const before = beads.get(id)?.status ?? "open";
        await must(edits.close(id, value, quiet));
        return () => must(edits.setStatus(id, before, quiet));
      },
    };
  return {
    title: `Moving to ${statusName(value)}`,
    said: `Moved to ${statusName(value)}`,
    write: async (id) => {
      const before = beads.get(id)?.status;
      await must(edits.setStatus(id, value, quiet));
      return before === undefined ? undefined : () => must(edits.setStatus(id, before, quiet));
    },
  };
}

/** Throws the error of a refused change. */
async function must(outcome: Promise<Outcome>): Promise<void> {
  const { error } = await outcome;
  if (error) throw error;
}

function wordsOf(field: PickField, value: string, removes: boolean): Pick<BulkTask, "title" | "said"> {
  switch (field) {
    case "priority":
      return { title: `Setting priority P${value}`, said: `Priority set to P${value}` };
    case "assignee":
      return value === ""
        ? { title: "Removing the assignee", said: "Assignee removed" }
        : { title: `Assigning to ${value}`, said: `Assigned to ${value}` };
    case "labels":
      return removes
        ? { title: `Removing the label ${value}`, said: `Label ${value} removed` }
        : { title: `Adding the label ${value}`, said: `Label ${value} added` };
    case "parent":
      return value === ""
        ? { title: "Removing the parent", said: "Parent removed" }
        : { title: `Moving below ${value}`, said: `Moved below ${value}` };
    case "defer":
      return value === ""
        ? { title: "Ending the deferral", said: "Deferral ended" }
        : { title: `Deferring until ${value}`, said: `Deferred until ${value}` };
    default:
      return { title: `Setting the type ${value}`, said: `Type set to ${value}` };
  }
}
