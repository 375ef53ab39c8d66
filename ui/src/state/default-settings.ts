/** The settings until the server answers. */
import type { Settings } from "../generated/api";

export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  enter_sends: true,
  single_active: false,
  inactivity_minutes: 30,
  comment_commits: true,
  comment_files: true,
  checkpoint_comments: true,
  remind_after_turns: 8,
  backup_at_end: true,
  backup_push: false,
  backup_transcripts: false,
  notify: [],
  notify_sound: false,
  log_level: "info",
  editor: "",
  update_check: false,
  update_source: "",
};
