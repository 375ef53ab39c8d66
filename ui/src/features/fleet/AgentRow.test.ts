import { cleanup, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { FleetAgentState } from "../../generated/api";
import { mounted, world } from "../../testing/mounted";
import AgentRow from "./AgentRow.svelte";

it("is announced with the agent's own state, never as a closed session", async () => {
  const here = await world();
  const { agents } = await here.project.call("fleet.overview", {});
  const names: [FleetAgentState, string][] = [
    ["idle", "Idle"],
    ["at_prompt", "Your turn"],
    ["terminated", "Retired"],
  ];
  for (const [state, name] of names) {
    const agent = { ...agents[0]!, state, session_state: null, session_id: null };
    mounted(here, AgentRow, { agent, cursor: false, selected: false, onselect: vi.fn(), onopen: vi.fn() });
    expect(screen.getByRole("img", { name })).toBeTruthy();
    expect(screen.queryByRole("img", { name: "Closed" })).toBeNull();
    cleanup();
  }
});
