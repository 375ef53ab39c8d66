/** Draws lines, and beads that are too small to read, on the canvas. */
import { shapeOf } from "../../words/bead-status";
import type { Line, LineKind, Scene } from "./scene";
import { LEGIBLE, overlaps, type Box, type View } from "./view";

export interface Colours {
  line: string;
  lit: string;
  path: string;
  cycle: string;
  card: string;
  edge: string;
  active: string;
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: of("--line-control"),
    lit: of("--text-2"),
    path: of("--accent"),
    cycle: of("--st-error"),
    card: of("--bg-2"),
    edge: of("--line-3"),
    active: of("--st-active"),
  };
}

const paths = new WeakMap<Line, Path2D>();

function pathOf(line: Line): Path2D {
  const known = paths.get(line);
  if (known) return known;
  const made = new Path2D(line.path);
  paths.set(line, made);
  return made;
}

export interface Drawing {
  scene: Scene;
  view: View;
  /** The visible part of the graph. */
  box: Box;
  /** The selected bead. */
  chosen: string | null;
  colours: Colours;
  ratio: number;
}

export function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { scene, view, box, chosen, colours, ratio } = drawing;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const by = view.scale * ratio;
  context.setTransform(by, 0, 0, by, view.x * ratio, view.y * ratio);
  const far = view.scale < LEGIBLE;
  for (const line of scene.lines) {
    if (!overlaps(line.box, box)) continue;
    const near = chosen !== null && (line.from === chosen || line.to === chosen);
    const colour = colourOf(line.kind, near, colours);
    const wide = line.kind === "path" || line.kind === "cycle" ? 2 : 1.5;
    context.strokeStyle = colour;
    context.lineWidth = far ? Math.max(wide, 1 / view.scale) : wide;
    context.setLineDash(line.kind === "part" ? [4, 4] : []);
    context.stroke(pathOf(line));
    if (line.tip && !far) arrow(context, line.tip, colour);
  }
  context.setLineDash([]);
  if (far) shapes(context, drawing);
}

function colourOf(kind: LineKind, near: boolean, colours: Colours): string {
  if (kind === "cycle") return colours.cycle;
  if (kind === "path") return colours.path;
  return near ? colours.lit : colours.line;
}

function arrow(context: CanvasRenderingContext2D, { x, y, left }: NonNullable<Line["tip"]>, fill: string): void {
  const way = left ? 7 : -7;
  context.fillStyle = fill;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + way, y - 3.5);
  context.lineTo(x + way, y + 3.5);
  context.fill();
}

/** Draws beads as shapes, with a bar in the colour of their state. */
function shapes(context: CanvasRenderingContext2D, { scene, view, box, chosen, colours }: Drawing): void {
  context.lineWidth = Math.max(1, 1 / view.scale);
  for (const node of scene.nodes) {
    if (!overlaps(node, box)) continue;
    const marked = node.inCycle ? colours.cycle : node.onPath ? colours.path : colours.edge;
    context.fillStyle = colours.card;
    context.strokeStyle = node.bead.id === chosen ? colours.path : marked;
    context.beginPath();
    context.roundRect(node.x, node.y, node.width, node.height, 8);
    context.fill();
    context.stroke();
    const shape = shapeOf(node.bead);
    context.fillStyle = shape === "in_progress" ? colours.active : shape === "open" ? colours.lit : colours.line;
    context.fillRect(node.x + 10, node.y + 14, node.width * 0.6, 7);
  }
}
