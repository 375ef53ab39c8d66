/** Menu entries as data. */
import type { Component } from "svelte";

export type MenuEntry =
  | { kind: "separator" }
  | { kind: "heading"; label: string }
  | {
      kind?: "item";
      label: string;
      /** A short description beside the label. */
      description?: string | undefined;
      icon?: Component | undefined;
      keys?: string | undefined;
      /** The key that chooses the entry while the menu is open; a digit, because letters are type-ahead. */
      press?: string | undefined;
      checked?: boolean | undefined;
      danger?: boolean | undefined;
      disabled?: boolean | undefined;
      /** Keeps the menu open after a choice, for multiple choices. */
      stay?: boolean | undefined;
      run: () => void;
    };
