/** The settings as data, for the user's dialog and the project's. */
import type { ProjectSetting, SettingsInForce } from "../../generated/api";

type Keys<T> = { [K in ProjectSetting]: SettingsInForce[K] extends T ? K : never }[ProjectSetting];
type Toggle = { kind: "toggle"; key: Keys<boolean> };
/** `choices` has a name for each offered value. */
type Choice = { kind: "choice"; key: Keys<number>; choices: Record<number, string> };
export type Row = { name: string; description?: string } & (Toggle | Choice);
export interface Group {
  name: string;
  rows: Row[];
}

/** Settings of the user that a project can override. */
export const GROUPS: Group[] = [
  {
    name: "Sessions",
    rows: [
      {
        kind: "toggle",
        key: "single_active",
        name: "One at a time",
        description: "Starting or resuming a session pauses the others.",
      },
      {
        kind: "choice",
        key: "inactivity_minutes",
        name: "Pause when idle",
        description: "Pauses a session that waits at its prompt with nothing pending.",
        choices: { 0: "Never", 10: "After 10 min", 30: "After 30 min", 60: "After 1 h", 240: "After 4 h" },
      },
      {
        kind: "choice",
        key: "remind_after_turns",
        name: "Remind the agent",
        description: "After several turns without a commit or a comment on the bead.",
        choices: { 0: "Never", 4: "After 4 turns", 8: "After 8 turns", 16: "After 16 turns" },
      },
    ],
  },
  {
    name: "Comments on the bead",
    rows: [
      { kind: "toggle", key: "comment_commits", name: "Each commit" },
      { kind: "toggle", key: "comment_files", name: "Changed files, when the bead is done" },
      { kind: "toggle", key: "checkpoint_comments", name: "Progress, before a compaction" },
    ],
  },
  {
    name: "Backup",
    rows: [
      {
        kind: "toggle",
        key: "backup_at_end",
        name: "When a session ends",
        description: "Beads, memories and sessions, on the branch beads-backup.",
      },
      { kind: "toggle", key: "backup_push", name: "Push backups" },
      {
        kind: "toggle",
        key: "backup_transcripts",
        name: "Include conversations",
        description: "Detected secrets are redacted.",
      },
    ],
  },
];

/** Settings that only a project has. */
export const OF_PROJECT: Group = {
  name: "Work",
  rows: [
    {
      kind: "toggle",
      key: "reviews",
      name: "Finished work goes to review",
      description: "Otherwise, agents close their beads themselves.",
    },
    {
      kind: "choice",
      key: "auto_next",
      name: "Start the next bead automatically",
      description: "When a session ends with its bead closed. Counts down with each start.",
      choices: { 0: "Never", 1: "For 1 bead", 3: "For 3 beads", 5: "For 5 beads", 10: "For 10 beads" },
    },
  ],
};

/** The choices of a row, including a custom current value. An object lists whole numbers in ascending order. */
export function choicesOf({ choices }: Choice, now: number): { value: string; name: string }[] {
  return Object.entries({ [now]: String(now), ...choices }).map(([value, name]) => ({ value, name }));
}

/** The current value as text. */
export function saidOf(row: Row, settings: Pick<SettingsInForce, ProjectSetting>): string {
  if (row.kind === "toggle") return settings[row.key] ? "on" : "off";
  const now = settings[row.key];
  return (row.choices[now] ?? String(now)).toLowerCase();
}
