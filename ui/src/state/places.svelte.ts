/** The user's places. Loaded on demand. */
import type { Place, PlaceCheck } from "../generated/api";
import { asCallError, type CallError, type Host } from "../platform";

/** The result of a test; `null` while it runs. */
export type PlaceTest = { at: number; check: PlaceCheck | null; error: CallError | null } | null;

export class Places {
  list = $state.raw<Place[]>([]);
  warnings = $state.raw<string[]>([]);
  error = $state.raw<CallError | null>(null);
  loaded = $state(false);
  /** The last test of each place, by name. */
  tests = $state.raw<Record<string, PlaceTest>>({});
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  async load(): Promise<void> {
    try {
      this.#put(await this.#host.call("app.places", {}));
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  }

  /** Throws if the place cannot be added. */
  async add(place: Place): Promise<void> {
    this.#put(await this.#host.call("app.add_place", place));
  }

  /**
   * Changes the given settings of a place. The others keep their stored values, which the command line or another
   * window may have changed since the list was loaded. Throws if the place cannot be changed.
   */
  async change(
    place: Place,
    changes: Partial<Pick<Place, "capacity" | "labels" | "draining" | "dolt_server">>,
  ): Promise<void> {
    const { places } = await this.#host.call("app.places", {});
    const stored = places.find(({ name }) => name === place.name) ?? place;
    this.#put(await this.#host.call("app.change_place", { ...stored, ...changes }));
  }

  async remove(name: string): Promise<void> {
    this.#put(await this.#host.call("app.remove_place", { name }));
    this.tests = Object.fromEntries(Object.entries(this.tests).filter(([tested]) => tested !== name));
  }

  async test(name: string): Promise<void> {
    if (this.tests[name] === null) return;
    this.tests = { ...this.tests, [name]: null };
    let result: PlaceTest;
    try {
      const check = await this.#host.call("app.test_place", { name });
      result = { at: Date.now(), check, error: null };
    } catch (thrown) {
      result = { at: Date.now(), check: null, error: asCallError(thrown) };
    }
    this.tests = { ...this.tests, [name]: result };
  }

  #put({ places, warnings }: { places: Place[]; warnings: string[] }): void {
    [this.list, this.warnings, this.error, this.loaded] = [places, warnings, null, true];
  }
}
