/** A place as the dialog edits it. Pure. */
import type { ContainerEngine, PlaceKind } from "../../generated/api";

/** The fields of a container; lists have one entry per line. */
export interface ContainerDraft {
  engine: ContainerEngine;
  image: string;
  mounts: string;
  memory: string;
  cpus: string;
  options: string;
}

export function emptyContainer(): ContainerDraft {
  return { engine: "docker", image: "", mounts: "", memory: "", cpus: "", options: "" };
}

export function kindOf(kind: PlaceKind["kind"], host: string, draft: ContainerDraft): PlaceKind {
  if (kind === "ssh") return { kind, host: host.trim() };
  const { engine, image, mounts, memory, cpus, options } = draft;
  return {
    kind,
    engine,
    image: image.trim(),
    mounts: lines(mounts),
    memory: memory.trim() || null,
    cpus: cpus.trim() || null,
    options: lines(options),
  };
}

/** `build-1` for `ana@build-1.example.org`; `dev` for `registry.example.org/team/dev:2`. */
export function nameOf(kind: PlaceKind["kind"], target: string): string {
  const last = kind === "ssh" ? target.replace(/^.*@/, "") : (target.split("/").pop() ?? "").split(/[:@]/)[0];
  return last?.split(".")[0]?.replace(/[^A-Za-z0-9_-]/g, "-") ?? "";
}

/** The words of a text, as labels. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
