import { expect, it, vi } from "vitest";
import { fakeHost } from "../platform/fake";
import { App } from "./app.svelte";

it("asks once about programs of the repository's git settings, and shows them on demand", async () => {
  const app = new App(fakeHost(new URLSearchParams({ with: "git-programs" })));
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  const project = app.project;
  if (!project) throw new Error("a project is open");
  const id = project.sessions.list[0]?.id;
  if (!id) throw new Error("there is a session");
  for (let time = 0; time < 2; time++)
    await expect(project.call("session.changes", { id })).rejects.toMatchObject({ code: "programs_not_allowed" });
  const questions = app.toasts.list.filter(({ text }) => text.includes("git settings name programs"));
  expect(questions.length).toBe(1);
  questions[0]?.action?.run();
  expect(app.dialogs.open).toEqual({ kind: "hooks", git: true });
  const file = (await project.call("hooks.list", {})).files.find(({ scope }) => scope === "git");
  await project.call("hooks.trust", { path: file?.path ?? "", trusted: true, fingerprint: file?.fingerprint ?? null });
  await expect(project.call("session.changes", { id })).resolves.toBeDefined();
});
