/**
 * The keyboard focus of modal layers (dialogs, sheets, the palette): where it goes when a layer opens, while it
 * is open, and when it closes. bits-ui traps Tab. This module handles three other cases: the opener (a menu
 * entry, another dialog) is removed, the focused control is disabled or removed, and keys scroll the layer.
 */

/** The number of focused elements to remember. */
const MAX_VISITED = 12;
/** Recently focused elements, newest last. */
let visited: HTMLElement[] = [];

document.addEventListener("focusin", (event) => visit(event.target), true);

function visit(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || target === document.body) return;
  visited = [...visited.filter((other) => other !== target && other.isConnected), target].slice(-MAX_VISITED);
}

/** Call when a layer opens, before it takes focus. The returned function restores the focus. */
export function rememberFocus(): () => void {
  visit(document.activeElement);
  const before = visited;
  return () => before.findLast(canTakeFocus)?.focus({ preventScroll: true });
}

function canTakeFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled, [inert] *") && element.getClientRects().length > 0;
}

/** Open layers, topmost last. */
const open: HTMLElement[] = [];

/** An attachment for a modal layer: keeps the focus inside the layer while it is topmost. */
export function holdFocus(layer: HTMLElement): () => void {
  open.push(layer);
  const recover = () => {
    if (open.at(-1) === layer && (document.activeElement ?? document.body) === document.body)
      layer.focus({ preventScroll: true });
  };
  // The browser drops the focus of a disabled control in the next frame, without an event.
  const changes = new MutationObserver(() => requestAnimationFrame(recover));
  changes.observe(layer, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden", "inert"] });
  document.addEventListener("keydown", recover, true);
  return () => {
    open.splice(open.indexOf(layer), 1);
    changes.disconnect();
    document.removeEventListener("keydown", recover, true);
  };
}

/** Scrolls a layer's body by keyboard, wherever the focus is in the layer. */
export function scrollByKey(event: KeyboardEvent, body: HTMLElement | undefined): void {
  if (!body || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const target = event.target as Element;
  if (target.closest("input, textarea, select, [contenteditable], [role='listbox'], [role='menu']")) return;
  // A focused element that scrolls handles the keys itself.
  for (let at: Element | null = target; at && at !== body.parentElement; at = at.parentElement) if (scrolls(at)) return;
  const page = body.clientHeight * 0.9;
  const to = { PageDown: body.scrollTop + page, PageUp: body.scrollTop - page, Home: 0, End: body.scrollHeight }[
    event.key
  ];
  if (to === undefined) return;
  event.preventDefault();
  body.scrollTop = to;
}

function scrolls(element: Element): boolean {
  return element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);
}
