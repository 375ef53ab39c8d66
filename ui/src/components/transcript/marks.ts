/**
 * Marks a text in what is drawn without touching it: ranges that the browser paints. Where it cannot, the row that was
 * asked for has its ring all the same.
 */
const NAME = "found";
/** So many marks are enough for what is drawn at once. */
const MOST = 2000;

/** Every place of a text in the text below a node, capitals or not. */
export function rangesOf(root: Node, text: string): Range[] {
  const wanted = text.trim().toLowerCase();
  const ranges: Range[] = [];
  if (wanted === "") return ranges;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    const low = (node.nodeValue ?? "").toLowerCase();
    // A few letters become longer in small: their places are not those of the text.
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

/** Keeps the marks right while rows come and go. */
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
