import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { mounted, world, type World } from "../../testing/mounted";
import Dialogs from "../../views/Dialogs.svelte";
import AddPlaceDialog from "./AddPlaceDialog.svelte";
import PlaceActions from "./PlaceActions.svelte";

const OPTIONS = { places: "1" };
const placeOf = ({ app }: World, name: string) => app.places.list.find((place) => place.name === name)!;
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const fill = (name: string, value: string) => fireEvent.input(field(name), { target: { value } });
const button = (name: string) => screen.getByRole("button", { name });
const isDisabled = (name: string) => button(name).hasAttribute("disabled");

async function editing(name: string, refused: Parameters<typeof world>[0] = {}): Promise<World> {
  const here = await world(refused, OPTIONS);
  await here.app.places.load();
  here.app.dialogs.show({ kind: "place-edit", place: placeOf(here, name) });
  mounted(here, Dialogs, { inProject: true });
  await screen.findByRole("dialog", { name: `Edit ${name}` });
  return here;
}

describe("the dialog that edits a place", () => {
  it("opens from the place's menu", async () => {
    const here = await world({}, OPTIONS);
    await here.app.places.load();
    const place = placeOf(here, "build-1");
    mounted(here, PlaceActions, { place, sessions: [] });
    await fireEvent.click(button("More actions for build-1"));
    await fireEvent.click(await screen.findByRole("menuitem", { name: "Edit…" }));
    expect(here.app.dialogs.open).toEqual({ kind: "place-edit", place });
  });

  it("shows the current settings, saves the new ones and closes", async () => {
    const here = await editing("build-2");
    expect([field("Agents at once").value, field("Labels").value]).toEqual(["2", "gpu"]);
    await fill("Agents at once", " 6 ");
    await fill("Labels", "gpu, linux");
    await fill("Dolt server", "db:3307 ");
    await fireEvent.click(button("Save"));
    await vi.waitFor(() => expect(here.app.dialogs.open).toBeNull());
    expect(placeOf(here, "build-2")).toMatchObject({
      host: "ana@build-2",
      capacity: 6,
      labels: ["gpu", "linux"],
      dolt_server: "db:3307",
    });
  });

  it("clears the settings if their fields are empty", async () => {
    const here = await editing("build-2");
    await fill("Agents at once", "");
    await fill("Labels", "");
    await fireEvent.keyDown(field("Labels"), { key: "Enter" });
    await vi.waitFor(() => expect(here.app.dialogs.open).toBeNull());
    expect(placeOf(here, "build-2")).toMatchObject({ capacity: null, labels: [] });
  });

  it("saves only a valid capacity", async () => {
    const here = await editing("build-1");
    const change = vi.spyOn(here.app.places, "change");
    await fill("Agents at once", "0");
    await screen.findByText("Enter a whole number of at least 1, or leave empty for no limit.");
    expect(isDisabled("Save")).toBe(true);
    await fireEvent.keyDown(field("Agents at once"), { key: "Enter" });
    expect(change).not.toHaveBeenCalled();
    await fill("Agents at once", "3");
    expect(isDisabled("Save")).toBe(false);
  });

  it("keeps a setting that was changed elsewhere meanwhile", async () => {
    const here = await editing("build-1");
    await here.app.host.call("app.change_place", { ...placeOf(here, "build-1"), draining: true });
    await fill("Agents at once", "3");
    await fireEvent.click(button("Save"));
    await vi.waitFor(() => expect(placeOf(here, "build-1")).toMatchObject({ capacity: 3, draining: true }));
  });

  it("cannot be saved again while it is being saved", async () => {
    const here = await editing("build-1");
    let resolve = (): void => {};
    const answer = new Promise<void>((resolved) => (resolve = resolved));
    const change = vi.spyOn(here.app.places, "change").mockReturnValue(answer);
    await fireEvent.click(button("Save"));
    expect(isDisabled("Save")).toBe(true);
    await fireEvent.keyDown(field("Labels"), { key: "Enter" });
    expect(change).toHaveBeenCalledTimes(1);
    resolve();
    await vi.waitFor(() => expect(here.app.dialogs.open).toBeNull());
  });

  it("stays open with the reason if the engine refuses", async () => {
    const message = 'invalid label "a/b": use letters, digits, `-`, `_` and `.`';
    const here = await editing("build-1", { "app.change_place": CallError.from({ code: "usage", message }) });
    await fill("Labels", "a/b");
    await fireEvent.click(button("Save"));
    expect((await screen.findByRole("alert")).textContent).toContain('Invalid label "a/b": use letters');
    expect(here.app.dialogs.open?.kind).toBe("place-edit");
    expect([field("Labels").value, isDisabled("Save")]).toEqual(["a/b", false]);
  });
});

it("a place is added only with a valid capacity", async () => {
  const here = await world({}, OPTIONS);
  mounted(here, AddPlaceDialog, {});
  await fill("Machine", "ana@build-3");
  await fill("Agents at once", "many");
  expect(isDisabled("Add and test")).toBe(true);
  await fill("Agents at once", "5");
  await fill("Labels", "gpu");
  await fireEvent.click(button("Add and test"));
  await vi.waitFor(() => expect(placeOf(here, "build-3")).toMatchObject({ capacity: 5, labels: ["gpu"] }));
});
