/** Moves the focus with the up and down keys between the elements of `list` that match `selector`. */
export function moveFocus(event: KeyboardEvent, list: HTMLElement | undefined, selector: string): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const elements = [...(list?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = elements.indexOf(event.target as HTMLElement);
  if (!step || at < 0) return;
  event.preventDefault();
  elements[at + step]?.focus();
}
