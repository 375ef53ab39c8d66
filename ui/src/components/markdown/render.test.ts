import { describe, expect, it } from "vitest";
import { LONGEST, render } from "./render";

function page(markdown: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = render(markdown);
  return element;
}

describe("untrusted markdown", () => {
  it("shows HTML as text", () => {
    const html = page('<script>alert(1)</script> <img src=x onerror="alert(1)"> <b onclick="x()">b</b>');
    expect(html.querySelector("script, img, b")).toBeNull();
    expect(html.textContent).toContain("<script>alert(1)</script>");
  });

  it("links only web and mail addresses", () => {
    for (const bad of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vbscript:x",
      "//evil.example",
    ]) {
      expect(page(`[click](${bad})`).querySelector("a[href]"), bad).toBeNull();
    }
    const link = page("[grammar](https://example.org/g)").querySelector("a");
    expect(link?.getAttribute("href")).toBe("https://example.org/g");
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.getAttribute("title")).toBe("https://example.org/g");
  });

  it("links addresses but not a name with a version", () => {
    for (const version of ["vite@8.3.8", "left-pad@1.3.0", "@scope/name@v2.1.0-beta.app", "claude-code@2.1.329"]) {
      expect(page(`uses ${version} now`).querySelector("a"), version).toBeNull();
    }
    expect(page("ask mara@example.org").querySelector("a")?.getAttribute("href")).toBe("mailto:mara@example.org");
  });

  it("renders task lists with disabled checkboxes", () => {
    const html = page("- [ ] write it\n- [x] *test* it\n- [y] no box\n\n[ ] no list\n\n1. [X] land it");
    const boxes = [...html.querySelectorAll("li.task > .tick, li.task > p > .tick")];
    expect(boxes.map((box) => box.getAttribute("aria-label"))).toEqual(["not done", "done", "done"]);
    expect(html.querySelector("li.task")?.textContent?.trim()).toBe("write it");
    expect(html.querySelectorAll("input, button")).toHaveLength(0);
    expect(html.textContent).toContain("[y] no box");
    expect(html.textContent).toContain("[ ] no list");
  });

  it("turns images into links", () => {
    const html = page("![plan](https://example.org/x.png) ![b](javascript:x)");
    expect(html.querySelector("img")).toBeNull();
    expect(html.querySelector("a")?.textContent).toBe("Image: plan");
    expect(html.querySelectorAll("a[href]")).toHaveLength(1);
  });

  it("keeps code verbatim", () => {
    expect(page("```html\n<i>&amp;</i>\n```").querySelector("pre code")?.textContent).toBe("<i>&amp;</i>");
    expect(page('```"><script>\nx\n```').querySelector("script")).toBeNull();
  });

  it("formats only the beginning of a very long text", () => {
    const html = page("word ".repeat(LONGEST));
    expect(html.textContent?.length).toBeLessThanOrEqual(LONGEST + 1);
  });
});
