/** Entries of a menu as data, so that a feature says what and the menu how. */
import type { Component } from "svelte";

export type MenuEntry =
  | { kind: "separator" }
  | { kind: "heading"; label: string }
  | {
      kind?: "item";
      label: string;
      /** What it means, in a few words beside it. */
      says?: string | undefined;
      icon?: Component | undefined;
      keys?: string | undefined;
      checked?: boolean | undefined;
      danger?: boolean | undefined;
      disabled?: boolean | undefined;
      /** Stays open, for choosing several. */
      stay?: boolean | undefined;
      run: () => void;
    };
