import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import { mounted, world } from "../../testing/mounted";
import AboutSettings from "./AboutSettings.svelte";
import LicencesDialog from "./LicencesDialog.svelte";

describe("the section about new versions", () => {
  it("checks only after an address was entered, and shows the result", async () => {
    const here = await world();
    mounted(here, AboutSettings, {});
    expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
    expect(screen.getByRole("switch", { name: "Check for new versions" }).getAttribute("aria-checked")).toBe("false");
    await fireEvent.change(screen.getByRole("textbox", { name: "Address for new versions" }), {
      target: { value: " https://example.org/console.git " },
    });
    await vi.waitFor(() => expect(here.app.settings.update_source).toBe("https://example.org/console.git"));
    await fireEvent.click(await screen.findByRole("button", { name: "Check now" }));
    await screen.findByText(/Version 0\.2\.0 is available/);
  });
});

describe("the licences", () => {
  it("are shown, or the reason why this build has none", async () => {
    const here = await world();
    const { unmount } = mounted(here, LicencesDialog, {});
    await screen.findByText(/serde 1\.0/);
    unmount();
    const call = vi.spyOn(here.app.host, "call").mockResolvedValue({ text: "" });
    mounted(here, LicencesDialog, {});
    await screen.findByText(/does not contain/);
    call.mockRestore();
  });
});
