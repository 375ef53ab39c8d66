/**
 * Highlights search matches with the CSS Highlight API, which leaves the DOM unchanged. Without this API, only
 * the row is highlighted.
 */
const NAME = "found";
const MAX_HIGHLIGHTS = 2000;

/** The matches below a node, ignoring case, up to about {@link MAX_HIGHLIGHTS}. */
export function rangesOf(root: Node, text: string): Range[] {
  const wanted = text.trim().toLowerCase();
  const ranges: Range[] = [];
  if (wanted === "") return ranges;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MAX_HIGHLIGHTS; node = walker.nextNode()) {
    const low = (node.nodeValue ?? "").toLowerCase();
    // Some letters change length in lower case, which would shift the positions.
    if (low.length !== node.nodeValue?.length) continue;
    for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Keeps the highlights up to date while rows change. Returns a function that removes them. */
export function markIn(root: HTMLElement, text: string): () => void {
  if (text.trim() === "" || typeof Highlight === "undefined" || !CSS.highlights) return () => {};
  let frame = 0;
  const draw = () => CSS.highlights.set(NAME, new Highlight(...rangesOf(root, text)));
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  observer.observe(root, { childList: true, subtree: true, characterData: true });
  draw();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    CSS.highlights.delete(NAME);
  };
}
