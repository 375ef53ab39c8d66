/** What can be set, in groups, as data: the dialog draws it, for the person and for a project alike. */
import type { ProjectSetting, SettingsInForce } from "../../generated/api";

type Keys<T> = { [K in ProjectSetting]: SettingsInForce[K] extends T ? K : never }[ProjectSetting];
type Toggle = { kind: "toggle"; key: Keys<boolean> };
type Choice = { kind: "choice"; key: Keys<number>; choices: { value: number; name: string }[] };
export type Row = { name: string; says?: string } & (Toggle | Choice);
export interface Group {
  name: string;
  rows: Row[];
}

/** What the person sets, and a project may set for itself. */
export const GROUPS: Group[] = [
  {
    name: "Sessions",
    rows: [
      { kind: "toggle", key: "single_active", name: "One at a time", says: "A session that is started or resumed pauses the others." },
      {
        kind: "choice",
        key: "inactivity_minutes",
        name: "Pause when idle",
        says: "When claude sat at its prompt so long, with nothing pending.",
        choices: [
          { value: 0, name: "Never" },
          { value: 10, name: "After 10 min" },
          { value: 30, name: "After 30 min" },
          { value: 60, name: "After 1 h" },
          { value: 240, name: "After 4 h" },
        ],
      },
      {
        kind: "choice",
        key: "remind_after_turns",
        name: "Remind the agent",
        says: "When so many turns went by without a commit or a comment on the bead.",
        choices: [
          { value: 0, name: "Never" },
          { value: 4, name: "After 4 turns" },
          { value: 8, name: "After 8 turns" },
          { value: 16, name: "After 16 turns" },
        ],
      },
    ],
  },
  {
    name: "Comments on the bead",
    rows: [
      { kind: "toggle", key: "comment_commits", name: "Each commit" },
      { kind: "toggle", key: "comment_files", name: "The files, when the bead is done" },
      { kind: "toggle", key: "checkpoint_comments", name: "Where the work stands, before a compaction" },
    ],
  },
  {
    name: "Backup",
    rows: [
      { kind: "toggle", key: "backup_at_end", name: "When a session ends", says: "Beads, memories and sessions, on the branch beads-backup." },
      { kind: "toggle", key: "backup_push", name: "Push it as well" },
      { kind: "toggle", key: "backup_transcripts", name: "With conversations", says: "What looks like a secret is struck out of them." },
    ],
  },
];

/** What only a project sets. */
export const OF_PROJECT: Group = {
  name: "Work",
  rows: [{ kind: "toggle", key: "reviews", name: "Finished work goes to review", says: "Else agents close their beads themselves." }],
};

/** The choices of a row, and what is set where that is none of them. */
export function choicesOf({ choices }: Choice, now: number): { value: string; name: string }[] {
  const known = choices.some((choice) => choice.value === now);
  const all = known ? choices : [...choices, { value: now, name: String(now) }].sort((a, b) => a.value - b.value);
  return all.map(({ value, name }) => ({ value: String(value), name }));
}

/** What holds, in a few words: for those who would set it otherwise. */
export function saidOf(row: Row, settings: Pick<SettingsInForce, ProjectSetting>): string {
  if (row.kind === "toggle") return settings[row.key] ? "on" : "off";
  const now = settings[row.key];
  return (row.choices.find(({ value }) => value === now)?.name ?? String(now)).toLowerCase();
}
