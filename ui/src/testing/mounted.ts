/** Mounts components with the sample project. For tests only. */
import { render, type RenderResult } from "@testing-library/svelte";
import type { Component } from "svelte";
import { vi } from "vitest";
import type { Api } from "../generated/api";
import type { Host } from "../platform";
import { fakeHost } from "../platform/fake";
import { App } from "../state/app.svelte";
import type { Project } from "../state/project.svelte";
import Provided from "./Provided.svelte";

export interface World {
  app: App;
  project: Project;
  /** The parameters of each call of a command, in order. */
  callsOf: <K extends keyof Api>(method: K) => Api[K]["params"][];
}

/**
 * Starts the app with the sample project and waits until it has loaded. `refused` maps commands to the errors
 * with which they fail; `options` configure the sample host.
 */
export async function world(
  refused: Partial<Record<keyof Api, Error>> = {},
  options: Record<string, string> = {},
): Promise<World> {
  const host = fakeHost(new URLSearchParams(options));
  const calls: [keyof Api, unknown][] = [];
  const call: Host["call"] = (method, params, project) => {
    calls.push([method, params]);
    const error = refused[method];
    return error ? Promise.reject(error) : host.call(method, params, project);
  };
  const app = new App({ ...host, call });
  app.start();
  const project = await vi.waitUntil(() => {
    const ready = app.project?.sessions.phase.state === "ready" && app.project.beads.phase.state === "ready";
    return app.loaded && ready ? app.project : null;
  });
  const callsOf = <K extends keyof Api>(method: K) =>
    calls.filter(([called]) => called === method).map(([, params]) => params as Api[K]["params"]);
  return { app, project, callsOf };
}

export function mounted<Props extends Record<string, unknown>>(
  { app }: World,
  tested: Component<Props>,
  props: Props,
): RenderResult<typeof Provided<Props>> {
  return render(Provided<Props>, { props: { app, tested, props } });
}
