/** UI text for places. */
import type { Place } from "../generated/api";

/** How a place is reached, as one line. */
export function reachOf(place: Place): string {
  switch (place.kind) {
    case "ssh":
      return `ssh ${place.host}`;
    case "container":
      return `${place.engine} ${place.image}`;
    case "kubernetes":
      return ["kubernetes", place.namespace, place.image].filter(Boolean).join(" ");
  }
}
