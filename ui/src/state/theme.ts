/** Dark, light, or as the system says: one attribute on the root, set before anything is drawn. */
import type { Theme } from "../generated/api";

const system = window.matchMedia?.("(prefers-color-scheme: light)");
let chosen: Theme = "system";

export function applyTheme(theme: Theme): void {
  chosen = theme;
  const light = theme === "light" || (theme === "system" && system?.matches === true);
  document.documentElement.dataset["theme"] = light ? "light" : "dark";
  localStorage.setItem("theme", theme);
}

/** What was chosen last on this machine, until the server has said. */
export function startTheme(): void {
  const kept = localStorage.getItem("theme");
  applyTheme(kept === "dark" || kept === "light" ? kept : "system");
  system?.addEventListener("change", () => applyTheme(chosen));
}
