/** Parts of the board's tab whose code is loaded after the board is first shown. */
import { Part } from "../../components/part.svelte";
import type { BeadView } from "../../state/beads-layout";

export const COMPLETIONS = new Part(() => import("./CompletionList.svelte"));

/** The views of the beads other than the board. */
export const BEAD_VIEW_PARTS = {
  list: new Part(() => import("../list/ListView.svelte")),
  graph: new Part(() => import("../graph/GraphView.svelte")),
  epics: new Part(() => import("../epics/EpicsView.svelte")),
} satisfies Record<Exclude<BeadView, "board">, unknown>;

export const SELECTION = new Part(() => import("../bulk/SelectionBar.svelte"));
