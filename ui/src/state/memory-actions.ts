/** Memory actions for all views. Errors are shown as toasts. */
import type { Relation } from "../generated/api";
import { plural } from "../words/count";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

/** Forgets memories; the toast offers Undo. */
export async function forget(app: App, project: Project, keys: readonly string[]): Promise<void> {
  const gone: string[] = [];
  await change(app, project, async () => {
    for (const key of keys) {
      await project.call("memory.forget", { key });
      gone.push(key);
    }
  });
  if (gone.length === 0) return;
  const text = gone.length === 1 ? "Memory forgotten." : `${plural(gone.length, "memory", "memories")} forgotten.`;
  app.toasts.done(text, { label: "Undo", run: () => void restore(app, project, gone) });
}

export async function restore(app: App, project: Project, keys: readonly string[]): Promise<void> {
  await change(app, project, async () => {
    for (const key of keys) await project.call("memory.restore", { key });
  });
}

/** Removes a link in either direction; the toast offers Undo. */
export async function unlink(
  app: App,
  project: Project,
  key: string,
  { other, kind, back }: { other: string; kind: Relation; back: boolean },
): Promise<void> {
  try {
    await project.call("memory.unlink", { key, other });
  } catch (thrown) {
    return void app.toasts.error(thrown);
  }
  project.memories.changed();
  const [child, parent] = back ? [other, key] : [key, other];
  app.toasts.done("Link removed.", { label: "Undo", run: () => void link(app, project, { child, parent, kind }) });
}

export async function link(
  app: App,
  project: Project,
  params: { child: string; parent: string; kind: Relation },
): Promise<void> {
  await change(app, project, () => project.call("memory.link", params));
}

/** Restores the memories as they were before the merge. */
export async function unmerge(app: App, project: Project, key: string): Promise<void> {
  await change(app, project, () => project.call("memory.unmerge", { key }));
}

/** Runs commands on memories, reports their error, and reloads the list. */
async function change(app: App, project: Project, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    app.toasts.error(thrown);
  }
  project.memories.changed();
}
