/** Search for a bead by ID and title. Pure. */
import type { Bead } from "../generated/api";

/** The best matches, open beads before closed ones; without a text, the most urgent beads. */
export function searchBeads(list: readonly Bead[], text: string, most: number): Bead[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { bead: Bead; rank: number }[] = [];
  for (const bead of list) {
    const [id, title] = [bead.id.toLowerCase(), bead.title.toLowerCase()];
    let rank = bead.status === "closed" ? 100 : 0;
    let all = true;
    for (const word of words) {
      if (id === word) rank -= 50;
      else if (id.startsWith(word) || id.endsWith(word)) rank += 1;
      else if (title.startsWith(word) || title.includes(` ${word}`)) rank += 2;
      else if (id.includes(word) || title.includes(word)) rank += 4;
      else {
        all = false;
        break;
      }
    }
    if (all) found.push({ bead, rank });
  }
  return found
    .sort((a, b) => a.rank - b.rank || a.bead.priority - b.bead.priority)
    .slice(0, most)
    .map(({ bead }) => bead);
}
