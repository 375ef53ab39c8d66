import { describe, expect, it } from "vitest";
import {
  capacityError,
  emptyContainer,
  emptyPod,
  placeSettingsDraft,
  placeSettingsOf,
  kindOf,
  nameOf,
  targetOf,
  wordsOf,
} from "./new-place";

describe("a new place", () => {
  it("is named after its machine or image", () => {
    expect(nameOf("ssh", "ana@build-1.example.org")).toBe("build-1");
    expect(nameOf("container", "registry.example.org:5000/team/dev:2")).toBe("dev");
    expect(nameOf("container", "debian@sha256:0123")).toBe("debian");
    expect(nameOf("container", "")).toBe("");
  });

  it("has one mount and one option per line, and no empty limits", () => {
    const container = {
      ...emptyContainer(),
      image: " dev:1 ",
      mounts: "/a:/a\n\n /b:/b:ro\n",
      options: "--network=none",
    };
    const draft = { kind: "container" as const, host: " far ", container, pod: emptyPod() };
    expect(targetOf(draft)).toBe("dev:1");
    expect(kindOf(draft)).toEqual({
      kind: "container",
      engine: "docker",
      image: "dev:1",
      mounts: ["/a:/a", "/b:/b:ro"],
      memory: null,
      cpus: null,
      options: ["--network=none"],
    });
    expect(wordsOf(" gpu, linux ")).toEqual(["gpu", "linux"]);
    expect(kindOf({ ...draft, kind: "ssh" })).toEqual({ kind: "ssh", host: "far" });
  });

  it("is a pod with the given settings only", () => {
    const pod = { ...emptyPod(), image: "dev:1", namespace: "agents", secrets: "claude git-key", volume: " 10Gi " };
    expect(kindOf({ kind: "kubernetes", host: "", container: emptyContainer(), pod })).toEqual({
      kind: "kubernetes",
      image: "dev:1",
      context: null,
      namespace: "agents",
      memory: null,
      cpus: null,
      service_account: null,
      secrets: ["claude", "git-key"],
      volume: "10Gi",
    });
  });
});

describe("the editable settings of a place", () => {
  it("have a whole number from 1 up as the capacity, or none", () => {
    for (const text of ["", "  ", "1", " 40 "]) expect(capacityError(text), text).toBeNull();
    for (const text of ["0", "-1", "1.5", "1e3", "many", "5000000000"])
      expect(capacityError(text), text).toMatch(/whole number of at least 1/);
  });

  it("are the same after they were shown, and empty fields clear them", () => {
    for (const use of [
      { capacity: 4, labels: ["gpu", "linux"], dolt_server: "db:3307" },
      { capacity: null, labels: [], dolt_server: null },
    ])
      expect(placeSettingsOf(placeSettingsDraft(use))).toEqual(use);
    expect(placeSettingsOf({ capacity: " ", labels: " ", doltServer: " " })).toEqual({
      capacity: null,
      labels: [],
      dolt_server: null,
    });
  });
});
