import { expect, test } from "vitest";
import { isSoftware } from "./renderer";

test("recognizes software renderers by name", () => {
  const software = [
    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
    "llvmpipe (LLVM 15.0.6, 256 bits)",
    "ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0)",
  ];
  const hardware = [
    "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)",
    "Apple GPU",
    "NVIDIA GeForce RTX 3060/PCIe/SSE2",
    "",
  ];
  expect(software.map(isSoftware)).toEqual(software.map(() => true));
  expect(hardware.map(isSoftware)).toEqual(hardware.map(() => false));
});
