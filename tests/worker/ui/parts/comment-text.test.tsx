import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CommentText } from "#src/ui/parts/comment-text/comment-text.tsx";

const render = (text: string) => renderToStaticMarkup(<CommentText text={text} />);

describe("a comment", () => {
  it("has links to https that send no referrer to the other site", () => {
    expect(render("see https://a.example/b")).toContain(
      '<a href="https://a.example/b" rel="nofollow noopener noreferrer">https://a.example/b</a>',
    );
  });

  it("has code in color, bold text and lists", () => {
    const html = render("**now**\n- `npm ci`\n\n```ts\nconst a = 1;\n```");
    expect(html).toContain("<b>now</b>");
    expect(html).toContain("<li><code>npm ci</code></li>");
    expect(html).toContain('<span data-token="keyword">const</span>');
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    '[" onclick="alert(1)](https://a.example)',
    "```<script>\nalert(1)\n```",
    '**<a href="https://a.example" onclick=x>**',
  ])("is inert: %s", (text) => {
    const elements = [...render(text).matchAll(/<([a-z]+)([^>]*)>/g)];
    const names = ["div", "p", "span", "a", "b", "br", "pre", "code", "ul", "ol", "li"];
    for (const [, name, attributes = ""] of elements) {
      expect(names).toContain(name);
      expect(attributes).not.toMatch(/ on\w+=|javascript:/);
    }
  });
});
