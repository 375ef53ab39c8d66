import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import SplitDivider from "./SplitDivider.svelte";

it("the divider has a style that is scoped to its component", () => {
  render(SplitDivider, { room: 1200, share: 40, onmove: () => {} });
  const grip = screen.getByRole("separator", { name: "Width of the changes" });
  expect([...grip.classList].some((name) => name.startsWith("svelte-"))).toBe(true);
});
