/** UI text for places. */
import type { Place, SessionView } from "../generated/api";

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

/** Whether the session's agent works at a place, so that editors on this machine can only show copies of its files. */
export function worksAtPlace({ place, status }: Pick<SessionView, "place" | "status">): boolean {
  return place !== undefined && status !== "closed";
}
