/** What can be done to memories from anywhere, each with its word at the foot of the window. */
import { asCallError } from "../platform";
import { plural } from "../words/count";
import { sentence } from "../words/text";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

/** Forgets them; they can be had back. */
export async function forget(app: App, project: Project, keys: readonly string[]): Promise<void> {
  const gone: string[] = [];
  try {
    for (const key of keys) {
      await project.call("memory.forget", { key });
      gone.push(key);
    }
  } catch (thrown) {
    app.toasts.error(thrown);
  }
  project.memories.changed();
  if (gone.length === 0) return;
  const text = gone.length === 1 ? "Forgotten." : `${plural(gone.length, "memory", "memories")} forgotten.`;
  app.toasts.done(text, { label: "Undo", run: () => void restore(app, project, gone) });
}

export async function restore(app: App, project: Project, keys: readonly string[]): Promise<void> {
  try {
    for (const key of keys) await project.call("memory.restore", { key });
  } catch (thrown) {
    app.toasts.error(thrown);
  }
  project.memories.changed();
}

/** Takes over the project's MEMORY.md; what looks like a secret is asked about first. */
export async function importMemories(app: App, project: Project, anyway = false): Promise<void> {
  try {
    const { keys, known, warnings } = await project.call("memory.import", { anyway });
    const there = known > 0 ? ` ${plural(known, "was", "were")} there already.` : "";
    app.toasts.done([`${plural(keys.length, "memory", "memories")} taken over from MEMORY.md.${there}`, ...warnings.map(sentence)].join(" "));
    project.memories.changed();
  } catch (thrown) {
    const error = asCallError(thrown);
    if (error.code !== "confirmation_needed") return void app.toasts.error(error);
    app.dialogs.show({
      kind: "confirm",
      title: "Take over MEMORY.md all the same?",
      text: `${sentence(error.message)} Every agent is told it, and it travels with the tracker.`,
      action: "Take over",
      danger: true,
      run: () => void importMemories(app, project, true),
    });
  }
}
