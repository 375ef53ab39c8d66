/** What can be set, in groups, as data: the dialog draws it. */
import type { Settings, SettingsChange } from "../../generated/api";

type Toggle = { kind: "toggle"; value: (settings: Settings) => boolean; change: (on: boolean) => SettingsChange };
type Choice = { kind: "choice"; value: (settings: Settings) => number; choices: { value: number; name: string }[]; change: (n: number) => SettingsChange };
export type Row = { name: string; says?: string } & (Toggle | Choice);

export const GROUPS: { name: string; rows: Row[] }[] = [
  {
    name: "Sessions",
    rows: [
      {
        kind: "toggle",
        name: "One at a time",
        says: "A session that is started or resumed pauses the others.",
        value: (s) => s.single_active,
        change: (single_active) => ({ single_active }),
      },
      {
        kind: "choice",
        name: "Pause when idle",
        says: "When claude sat at its prompt so long, with nothing pending.",
        choices: [
          { value: 0, name: "Never" },
          { value: 10, name: "After 10 min" },
          { value: 30, name: "After 30 min" },
          { value: 60, name: "After 1 h" },
          { value: 240, name: "After 4 h" },
        ],
        value: (s) => s.inactivity_minutes,
        change: (inactivity_minutes) => ({ inactivity_minutes }),
      },
      {
        kind: "choice",
        name: "Remind the agent",
        says: "When so many turns went by without a commit or a comment on the bead.",
        choices: [
          { value: 0, name: "Never" },
          { value: 4, name: "After 4 turns" },
          { value: 8, name: "After 8 turns" },
          { value: 16, name: "After 16 turns" },
        ],
        value: (s) => s.remind_after_turns,
        change: (remind_after_turns) => ({ remind_after_turns }),
      },
    ],
  },
  {
    name: "Comments on the bead",
    rows: [
      { kind: "toggle", name: "Each commit", value: (s) => s.comment_commits, change: (comment_commits) => ({ comment_commits }) },
      { kind: "toggle", name: "The files, when the bead is done", value: (s) => s.comment_files, change: (comment_files) => ({ comment_files }) },
      {
        kind: "toggle",
        name: "Where the work stands, before a compaction",
        value: (s) => s.checkpoint_comments,
        change: (checkpoint_comments) => ({ checkpoint_comments }),
      },
    ],
  },
];

/** The choices of a row, and what is set where that is none of them. */
export function choicesOf(row: Extract<Row, { kind: "choice" }>, settings: Settings): { value: string; name: string }[] {
  const now = row.value(settings);
  const known = row.choices.some((choice) => choice.value === now);
  const all = known ? row.choices : [...row.choices, { value: now, name: String(now) }].sort((a, b) => a.value - b.value);
  return all.map(({ value, name }) => ({ value: String(value), name }));
}
