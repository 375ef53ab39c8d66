/** The theme: one attribute on the root element, set before anything is drawn. */
import type { Theme } from "../generated/api";

export const THEMES: readonly { value: Theme; name: string }[] = [
  { value: "system", name: "System" },
  { value: "dark", name: "Dark" },
  { value: "light", name: "Light" },
];

const system = window.matchMedia?.("(prefers-color-scheme: light)");
let chosen: Theme = "system";

export function applyTheme(theme: Theme): void {
  chosen = theme;
  const light = theme === "light" || (theme === "system" && system?.matches === true);
  document.documentElement.dataset["theme"] = light ? "light" : "dark";
  localStorage.setItem("theme", theme);
}

/** Applies the theme that this browser last used, until the server answers. */
export function startTheme(): void {
  const kept = localStorage.getItem("theme");
  applyTheme(kept === "dark" || kept === "light" ? kept : "system");
  system?.addEventListener("change", () => applyTheme(chosen));
}

/** Calls `changed` when the theme changes. Returns a function that stops this. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
