/** Splits the query line into coloured pieces. Pure. */
import { partsOf } from "../../state/query-text";

export interface Piece {
  text: string;
  kind: "plain" | "minus" | "field" | "operator" | "value";
}

export function piecesOf(query: string): Piece[] {
  const pieces: Piece[] = [];
  const put = (from: number, to: number, kind: Piece["kind"]) => {
    if (to > from) pieces.push({ text: query.slice(from, to), kind });
  };
  let at = 0;
  for (const part of partsOf(query)) {
    put(at, part.from, "plain");
    const field = part.from + (part.negated ? 1 : 0);
    put(part.from, field, "minus");
    if (part.field) {
      const operator = part.valueAt - part.operator.length;
      // A colon is coloured like the field's name.
      put(field, part.operator === ":" ? part.valueAt : operator, "field");
      if (part.operator !== ":") put(operator, part.valueAt, "operator");
    }
    put(part.valueAt, part.to, part.field ? "value" : "plain");
    at = part.to;
  }
  put(at, query.length, "plain");
  return pieces;
}
