/**
 * Markdown from a model or a tracker as HTML that can do nothing: no raw HTML, no image is fetched, links
 * only to the web and to mail. DOMPurify stands behind it in case the renderer has a hole.
 */
import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import { highlight } from "./highlight.svelte";

/** More is not set as markdown: a window must not stand still over one bead. */
export const LONGEST = 60_000;

const SAFE_LINK = /^(?:https?:|mailto:)/i;

const md = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
md.validateLink = (url) => SAFE_LINK.test(url.trim());

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

/** Only what is before {@link LONGEST}; the rest is the caller's to show as it is. */
export function render(markdown: string): string {
  return purify.sanitize(md.render(markdown.slice(0, LONGEST)), {
    FORBID_TAGS: ["img", "style", "form", "input", "svg", "math", "video", "audio", "iframe"],
    ADD_ATTR: ["target"],
  });
}
