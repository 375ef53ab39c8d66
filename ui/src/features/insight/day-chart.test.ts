import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import DayChart from "./DayChart.svelte";
import type { DayChartData, PointedDay } from "./day-chart";

/** The data of the last drawn chart. The chart itself is replaced, because it needs a real canvas. */
const drawn = vi.hoisted(() => ({
  data: null as DayChartData | null,
  point: (_: PointedDay | null): void => {},
  destroyed: 0,
}));

vi.mock("./day-chart", () => ({
  drawDays: (_: HTMLElement, data: DayChartData, point: (day: PointedDay | null) => void) => {
    Object.assign(drawn, { data, point });
    return { resize: () => {}, destroy: () => (drawn.destroyed += 1) };
  },
}));

beforeAll(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  cleanup();
  drawn.data = null;
});

const props = {
  title: "Cost per day",
  dates: ["2026-11-19", "2026-11-20"],
  series: [{ name: "Cost", colour: "ch-1", values: [1.5, 4] }],
  format: (value: number) => `$${value.toFixed(2)}`,
};

describe("a chart's panel", () => {
  it("names the largest value for a screen reader, and draws short labels", async () => {
    render(DayChart, props);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
      "Cost per day: at most $4.00. The numbers are in the table.",
    );
    await vi.waitFor(() => expect(drawn.data?.labels).toEqual(["19 Nov", "20 Nov"]));
    expect(drawn.data?.series[0]?.values).toEqual([1.5, 4]);
  });

  it("shows the value of the day below the pointer until the pointer leaves", async () => {
    render(DayChart, props);
    await vi.waitFor(() => expect(drawn.data).not.toBeNull());
    drawn.point({ index: 1, left: 50, width: 20 });
    await vi.waitFor(() => expect(screen.getByText("Fri 20 Nov").parentElement?.textContent).toContain("$4.00"));
    drawn.point(null);
    await vi.waitFor(() => expect(screen.queryByText("Fri 20 Nov")).toBeNull());
  });

  it("shows each kind of a stacked day", async () => {
    const series = [
      { name: "Input", colour: "ch-2", values: [1, 2] },
      { name: "Output", colour: "ch-3", values: [0.5, 3] },
    ];
    render(DayChart, { ...props, series });
    await vi.waitFor(() => expect(drawn.data).not.toBeNull());
    expect(screen.getByRole("list", { name: "Kinds" }).textContent).toContain("Output");
    drawn.point({ index: 1, left: 50, width: 20 });
    await vi.waitFor(() => expect(screen.getByText("Fri 20 Nov").parentElement?.textContent).toContain("$5.00"));
    expect(screen.getByText("Fri 20 Nov").closest(".tip")?.textContent).toContain("Output $3.00");
  });

  it("is drawn again when the theme changes", async () => {
    render(DayChart, props);
    await vi.waitFor(() => expect(drawn.data).not.toBeNull());
    const before = drawn.destroyed;
    document.documentElement.dataset["theme"] = "light";
    await vi.waitFor(() => expect(drawn.destroyed).toBeGreaterThan(before));
  });
});
