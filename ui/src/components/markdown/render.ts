/**
 * Renders untrusted Markdown to inert HTML: no raw HTML, no images, and links only to web and mail addresses.
 * DOMPurify is the second line of defence.
 */
import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import { highlight } from "./highlight.svelte";

/** Any text after this many characters is shown plain, to keep the page responsive. */
export const LONGEST = 60_000;

const SAFE_LINK = /^(?:https?:|mailto:)/i;

const md = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
/** `vite@8.3.8` is a package and its version, although it looks like a mail address. */
const VERSION = /^mailto:[^@]*@v?\d+(?:\.\d+)*(?:[-+.][\w.-]*)?$/i;
md.validateLink = (url) => SAFE_LINK.test(url.trim()) && !VERSION.test(url.trim());

md.renderer.rules["image"] = (tokens, at) => {
  const token = tokens[at];
  const source = String(token?.attrGet("src") ?? "");
  const name = token?.content || source;
  const text = md.utils.escapeHtml(`Image: ${name}`);
  return SAFE_LINK.test(source) ? `<a href="${md.utils.escapeHtml(source)}">${text}</a>` : text;
};
md.renderer.rules["fence"] = (tokens, at) => {
  const token = tokens[at];
  const language = token?.info.trim().split(/\s+/)[0] ?? "";
  return block(token?.content ?? "", language);
};
md.renderer.rules["code_block"] = (tokens, at) => block(tokens[at]?.content ?? "", "");
md.core.ruler.after("inline", "tasks", ({ tokens, Token }) => {
  tokens.forEach((token, at) => {
    const [item, first] = [tokens[at - 2], token.children?.[0]];
    const box = /^\[([ xX])\]\s+/.exec(first?.content ?? "");
    if (
      token.type !== "inline" ||
      tokens[at - 1]?.type !== "paragraph_open" ||
      item?.type !== "list_item_open" ||
      first?.type !== "text" ||
      !box
    )
      return;
    item.attrJoin("class", "task");
    first.content = first.content.slice(box[0].length);
    const tick = new Token("task_box", "", 0);
    tick.content = box[1] === " " ? "not done" : "done";
    tick.meta = { line: token.map?.[0] ?? 0, text: token.content.slice(box[0].length) };
    token.children?.unshift(tick);
  });
});
md.renderer.rules["task_box"] = (tokens, at, _options, env) => {
  const done = tokens[at]?.content ?? "";
  if (env?.["tasks"] === true) {
    const { line, text } = tokens[at]?.meta as { line: number; text: string };
    const label = md.utils.escapeHtml(text);
    return (
      `<span class="tick${done === "done" ? " done" : ""}" role="checkbox" tabindex="0" data-line="${line}" ` +
      `aria-checked="${done === "done"}" aria-label="${label}"></span>`
    );
  }
  return `<span class="tick${done === "done" ? " done" : ""}" role="img" aria-label="${done}"></span>`;
};
md.renderer.rules["table_open"] = () => '<div class="table"><table>';
md.renderer.rules["table_close"] = () => "</table></div>";

function block(code: string, language: string): string {
  const text = code.replace(/\n$/, "");
  const inner = highlight(text, language) ?? md.utils.escapeHtml(text);
  const name = language ? ` data-language="${md.utils.escapeHtml(language)}"` : "";
  return `<pre${name} tabindex="0"><code>${inner}</code></pre>`;
}

const purify = DOMPurify(window);
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  if (!SAFE_LINK.test(href)) node.removeAttribute("href");
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
  node.setAttribute("title", href);
});

/**
 * Renders up to {@link LONGEST} characters; the caller shows the rest as plain text. With `tasks`, the boxes of
 * task lists are controls that name the line of their task, from 0.
 */
export function render(markdown: string, { tasks = false } = {}): string {
  return purify.sanitize(md.render(markdown.slice(0, LONGEST), { tasks }), {
    FORBID_TAGS: ["img", "style", "form", "input", "svg", "math", "video", "audio", "iframe"],
    ADD_ATTR: ["target"],
  });
}
