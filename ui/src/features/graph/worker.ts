/** Lays out the groups of a graph outside the window's thread. */
import { placed, type Placed, type Task } from "./place";

export interface Answer {
  id: number;
  groups: Placed[];
}

self.onmessage = ({ data }: MessageEvent<{ id: number; tasks: Task[] }>) => {
  const answer: Answer = { id: data.id, groups: data.tasks.map((task) => placed(task)) };
  self.postMessage(answer);
};
