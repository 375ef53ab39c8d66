/** A worker that lays out a graph outside the window's thread. */
import { placedAll, type Placed, type Task } from "./place";

export interface Answer {
  id: number;
  placed: Placed;
}

self.onmessage = ({ data }: MessageEvent<{ id: number; tasks: Task[] }>) => {
  const answer: Answer = { id: data.id, placed: placedAll(data.tasks) };
  self.postMessage(answer);
};
