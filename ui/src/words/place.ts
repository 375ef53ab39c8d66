/** Places in words. */
import type { Place } from "../generated/api";

/** How a place is reached, as one line. */
export function reachOf(place: Place): string {
  return place.kind === "ssh" ? `ssh ${place.host}` : `${place.engine} ${place.image}`;
}
