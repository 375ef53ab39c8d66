/** The kinds of events (label, icon, group), and the words for periods and reasons. */
import Bot from "@lucide/svelte/icons/bot";
import Check from "@lucide/svelte/icons/check";
import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CircleX from "@lucide/svelte/icons/circle-x";
import Eraser from "@lucide/svelte/icons/eraser";
import FoldVertical from "@lucide/svelte/icons/fold-vertical";
import GitCommit from "@lucide/svelte/icons/git-commit-horizontal";
import Hand from "@lucide/svelte/icons/hand";
import Lock from "@lucide/svelte/icons/lock";
import MessageSquare from "@lucide/svelte/icons/message-square";
import OctagonPause from "@lucide/svelte/icons/octagon-pause";
import Package from "@lucide/svelte/icons/package";
import Pause from "@lucide/svelte/icons/pause";
import Play from "@lucide/svelte/icons/play";
import Webhook from "@lucide/svelte/icons/webhook";
import type { Component } from "svelte";
import type { BandKind, TimelineEvent, TimelineEventKind } from "../../generated/api";
import { stateWord } from "../../words/session";

export type Group = "prompts" | "problems" | "permissions" | "commits" | "context" | "hooks" | "states";

interface KindOfEvent {
  name: string;
  icon: Component;
  group: Group;
  tone: "quiet" | "accent" | "bad" | "needs" | "good";
  /** If nearby events share a tick on the strip, the event with the greatest weight sets its label and colour. */
  weight: number;
}

export const EVENTS: Record<TimelineEventKind, KindOfEvent> = {
  start: { name: "Started", icon: Play, group: "states", tone: "quiet", weight: 3 },
  resume: { name: "Resumed", icon: Play, group: "states", tone: "quiet", weight: 3 },
  pause: { name: stateWord("paused"), icon: Pause, group: "states", tone: "quiet", weight: 3 },
  end: { name: stateWord("closed"), icon: Lock, group: "states", tone: "quiet", weight: 4 },
  prompt: { name: "You", icon: MessageSquare, group: "prompts", tone: "accent", weight: 2 },
  tool_failed: { name: "Tool failed", icon: CircleX, group: "problems", tone: "bad", weight: 6 },
  error: { name: "Claude request failed", icon: CircleAlert, group: "problems", tone: "bad", weight: 8 },
  interrupted: { name: "Interrupted", icon: OctagonPause, group: "problems", tone: "quiet", weight: 5 },
  permission_asked: { name: "Permission requested", icon: Hand, group: "permissions", tone: "needs", weight: 5 },
  permission_answered: { name: "Permission answered", icon: Check, group: "permissions", tone: "quiet", weight: 1 },
  commit: { name: "Commit", icon: GitCommit, group: "commits", tone: "good", weight: 7 },
  compaction: { name: "Compacted", icon: FoldVertical, group: "context", tone: "quiet", weight: 4 },
  clear: { name: "Cleared", icon: Eraser, group: "context", tone: "quiet", weight: 4 },
  injection: { name: "Context added", icon: Package, group: "context", tone: "quiet", weight: 0 },
  hook: { name: "Hook", icon: Webhook, group: "hooks", tone: "quiet", weight: 0 },
  hook_failed: { name: "Hook failed", icon: Webhook, group: "problems", tone: "bad", weight: 5 },
};
/** Stands for kinds that only newer versions have. */
export const UNKNOWN: KindOfEvent = { name: "Other", icon: Bot, group: "states", tone: "quiet", weight: 0 };

export const GROUPS: { value: Group | "all"; name: string }[] = [
  { value: "all", name: "All events" },
  { value: "prompts", name: "Prompts" },
  { value: "problems", name: "Problems" },
  { value: "permissions", name: "Permissions" },
  { value: "commits", name: "Commits" },
  { value: "context", name: "Context" },
  { value: "hooks", name: "Hooks" },
  { value: "states", name: "Starts and pauses" },
];

export const BANDS: Record<BandKind, string> = {
  active: "Running",
  working: stateWord("active"),
  waiting: "Waiting for you",
  paused: stateWord("paused"),
};

/** The label of a period in one state: the word of the session lists, if they have one. */
export function bandWord(kind: BandKind, reason: string | null): string {
  if (kind === "waiting" && reason === "prompt") return stateWord("your_turn");
  if (kind === "waiting" && (reason === "permission" || reason === "dialog")) return stateWord("needs_you");
  if (kind === "paused" && reason === "interrupted") return stateWord("interrupted");
  return BANDS[kind];
}

const REASONS: Record<string, string> = {
  prompt: "for your next prompt",
  permission: "for a permission",
  dialog: "for an answer in the terminal",
  user: "by you",
  inactivity: "when idle",
  exited: "Claude exited",
  interrupted: "Claude stopped unexpectedly",
  superseded: "another session started",
};

/** The reason as text; empty if there is none. A reason of a newer version stays unchanged. */
export function reasonOf(reason: string | null): string {
  return reason === null ? "" : (REASONS[reason] ?? reason);
}

export function kindOf(kind: TimelineEventKind): KindOfEvent {
  return EVENTS[kind] ?? UNKNOWN;
}

export function isHook({ kind }: TimelineEvent): boolean {
  return kind === "hook" || kind === "hook_failed";
}

/** Whether a click on the event opens something: its message, or a hook run's output. */
export function opensSomething(event: TimelineEvent): boolean {
  return event.message !== null || isHook(event);
}
