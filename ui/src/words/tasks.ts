/** Counts and toggles the tasks of a Markdown text. Pure. */
const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(\]\s)/;

/** The text with the task on line `line` (from 0) toggled; unchanged if that line has no task. */
export function toggleTask(text: string, line: number): string {
  const lines = text.split("\n");
  const old = lines[line];
  if (old === undefined || !TASK.test(old)) return text;
  lines[line] = old.replace(TASK, (_, before: string, box: string, after: string) => {
    return `${before}${box === " " ? "x" : " "}${after}`;
  });
  return lines.join("\n");
}

/** The number of tasks, and how many are done. Tasks in code blocks are rare and count as well. */
export function tasksOf(text: string): { all: number; done: number } {
  let [all, done] = [0, 0];
  for (const line of text.split("\n")) {
    const box = TASK.exec(line)?.[2];
    if (box === undefined) continue;
    all++;
    if (box !== " ") done++;
  }
  return { all, done };
}
