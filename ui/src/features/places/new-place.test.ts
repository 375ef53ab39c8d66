import { describe, expect, it } from "vitest";
import { emptyContainer, kindOf, nameOf, wordsOf } from "./new-place";

describe("a new place", () => {
  it("is named after its machine or image", () => {
    expect(nameOf("ssh", "ana@build-1.example.org")).toBe("build-1");
    expect(nameOf("container", "registry.example.org:5000/team/dev:2")).toBe("dev");
    expect(nameOf("container", "debian@sha256:0123")).toBe("debian");
    expect(nameOf("container", "")).toBe("");
  });

  it("has one mount and one option per line, and no empty limits", () => {
    const draft = { ...emptyContainer(), image: " dev:1 ", mounts: "/a:/a\n\n /b:/b:ro\n", options: "--network=none" };
    expect(kindOf("container", "", draft)).toEqual({
      kind: "container",
      engine: "docker",
      image: "dev:1",
      mounts: ["/a:/a", "/b:/b:ro"],
      memory: null,
      cpus: null,
      options: ["--network=none"],
    });
    expect(wordsOf(" gpu, linux ")).toEqual(["gpu", "linux"]);
    expect(kindOf("ssh", " far ", draft)).toEqual({ kind: "ssh", host: "far" });
  });
});
