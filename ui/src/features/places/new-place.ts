/** The drafts of the dialogs on places. Pure. */
import type { ContainerEngine, Place, PlaceKind } from "../../generated/api";

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

/** The fields of a pod; secrets are separated by spaces or commas. */
export interface PodDraft {
  image: string;
  context: string;
  namespace: string;
  memory: string;
  cpus: string;
  serviceAccount: string;
  secrets: string;
  volume: string;
}

export function emptyPod(): PodDraft {
  return { image: "", context: "", namespace: "", memory: "", cpus: "", serviceAccount: "", secrets: "", volume: "" };
}

/** The fields of all kinds; only those of the chosen kind are used. */
export interface KindDraft {
  kind: PlaceKind["kind"];
  host: string;
  container: ContainerDraft;
  pod: PodDraft;
}

export function kindOf({ kind, host, container, pod }: KindDraft): PlaceKind {
  switch (kind) {
    case "ssh":
      return { kind, host: host.trim() };
    case "container":
      return {
        kind,
        engine: container.engine,
        image: container.image.trim(),
        mounts: lines(container.mounts),
        memory: given(container.memory),
        cpus: given(container.cpus),
        options: lines(container.options),
      };
    case "kubernetes":
      return {
        kind,
        image: pod.image.trim(),
        context: given(pod.context),
        namespace: given(pod.namespace),
        memory: given(pod.memory),
        cpus: given(pod.cpus),
        service_account: given(pod.serviceAccount),
        secrets: wordsOf(pod.secrets),
        volume: given(pod.volume),
      };
  }
}

/** The machine or image, which every place needs. */
export function targetOf({ kind, host, container, pod }: KindDraft): string {
  const target = { ssh: host, container: container.image, kubernetes: pod.image }[kind];
  return target.trim();
}

/** `build-1` for `ana@build-1.example.org`; `dev` for `registry.example.org/team/dev:2`. */
export function nameOf(kind: PlaceKind["kind"], target: string): string {
  const last = kind === "ssh" ? target.replace(/^.*@/, "") : (target.split("/").pop() ?? "").split(/[:@]/)[0];
  return last?.split(".")[0]?.replace(/[^A-Za-z0-9_-]/g, "-") ?? "";
}

/** The editable settings of a place as text; labels are separated by spaces or commas. */
export interface PlaceSettingsDraft {
  capacity: string;
  labels: string;
  doltServer: string;
}

type PlaceSettings = Pick<Place, "capacity" | "labels" | "dolt_server">;

export function placeSettingsDraft({ capacity, labels, dolt_server }: PlaceSettings): PlaceSettingsDraft {
  return {
    capacity: capacity === null ? "" : String(capacity),
    labels: labels.join(" "),
    doltServer: dolt_server ?? "",
  };
}

export function emptyPlaceSettings(): PlaceSettingsDraft {
  return { capacity: "", labels: "", doltServer: "" };
}

/** Why a capacity is not valid; null if it is. An empty capacity means no limit. */
export function capacityError(text: string): string | null {
  const trimmed = text.trim();
  const valid = trimmed === "" || (/^\d{1,9}$/.test(trimmed) && Number(trimmed) >= 1);
  return valid ? null : "Enter a whole number of at least 1, or leave empty for no limit.";
}

/** The settings of a draft whose capacity is valid. */
export function placeSettingsOf({ capacity, labels, doltServer }: PlaceSettingsDraft): PlaceSettings {
  return {
    capacity: capacity.trim() === "" ? null : Number(capacity),
    labels: wordsOf(labels),
    dolt_server: given(doltServer),
  };
}

/** The words of a text, separated by spaces or commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function given(text: string): string | null {
  return text.trim() || null;
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
