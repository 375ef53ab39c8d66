// Scenes of backup, restore and worktrees.

import { TWO, THREE, dialog, backup, worktrees } from "./steps.js";

export const BACKUP_SCENES = [
  { name: "backup", sizes: THREE, go: backup() },
  { name: "backup-none", with: { with: "no-backup" }, sizes: TWO, go: backup() },
  { name: "backup-push-failed", with: { with: "push-failed" }, sizes: TWO, go: backup() },
  { name: "backup-failed", with: { with: "backup-failed" }, sizes: TWO, go: backup(async (page) => {
    await dialog(page).getByRole("button", { name: "Back up", exact: true }).click();
    await dialog(page).getByText("is checked out").first().waitFor();
  }) },
  { name: "backup-restore", sizes: TWO, go: backup(async (page) => {
    await dialog(page).getByRole("button", { name: "Restore…" }).click();
    await dialog(page).getByText("To restore").waitFor();
  }) },
  { name: "worktrees", sizes: THREE, go: worktrees() },
  { name: "worktrees-loss", sizes: TWO, go: worktrees(async (page) => {
    await dialog(page).getByRole("listitem").filter({ hasText: "Precedence climbing" }).getByRole("button", { name: /^Remove/ }).click();
    await dialog(page).getByText("Work that would be lost").waitFor();
  }) },
  { name: "worktrees-setup", sizes: TWO, with: { with: "changed-setup" }, go: worktrees() },
];
