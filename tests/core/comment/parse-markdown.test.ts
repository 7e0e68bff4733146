import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Inline, parseMarkdown } from "#src/core/comment/parse-markdown.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";

const DIGEST = digestFromHash(new Uint8Array(5).fill(77));

const listInlines = (block: Block): readonly Inline[] =>
  block.kind === "paragraph" ? block.lines.flat() : block.kind === "list" ? block.items.flat() : [];
const flatten = (parts: readonly Inline[]): readonly Inline[] =>
  parts.flatMap((part) => (part.kind === "bold" ? [part, ...flatten(part.parts)] : [part]));
const listAll = (text: string) => flatten(parseMarkdown(text).flatMap(listInlines));

/** `link:https://a.example`, for a text of one paragraph. */
const show = (text: string) =>
  listAll(text).map((part) =>
    part.kind === "bold"
      ? "bold"
      : part.kind === "link"
        ? `link:${part.url}`
        : `${part.kind}:${part.text}`,
  );

describe("the Markdown of a comment", () => {
  it.each([
    ["plain *text* _here_", ["text:plain *text* _here_"]],
    ["run `npm ci` **now**", ["text:run ", "code:npm ci", "text: ", "bold", "text:now"]],
    ["see https://a.example/b?c=1.", ["text:see ", "link:https://a.example/b?c=1", "text:."]],
    ["(https://a.example)", ["text:(", "link:https://a.example", "text:)"]],
    ["[the log](https://a.example)", ["link:https://a.example"]],
    [`like ${DIGEST}!`, ["text:like ", `digest:${DIGEST}`, "text:!"]],
    ["back-door 7F3K-Q2M0", ["text:back-door 7F3K-Q2M0"]],
    ["`https://a.example`", ["code:https://a.example"]],
  ])("%s", (text, parts) => {
    expect(show(text)).toEqual(parts);
  });

  it("has lists, paragraphs with their lines, and blocks of code", () => {
    const text = "a\nb\n\n- one\n- two\n1. first\n```ts\nconst a = `b`;\n\n- c\n```\nend";
    expect(parseMarkdown(text).map(({ kind }) => kind)).toEqual([
      "paragraph",
      "list",
      "list",
      "code",
      "paragraph",
    ]);
    expect(parseMarkdown("```\nopen")).toEqual([{ kind: "code", language: "", text: "open" }]);
  });

  it.each([
    "javascript:alert(1)",
    "[a](javascript:alert(1))",
    "[a](http://a.example)",
    "http://a.example",
    "https://bank.example@evil.example/",
    "[a](https://bank.example:x@evil.example/)",
    "[a](data:text/html,x)",
    "<a href='https:x'>",
    "https://",
  ])("makes no link of %s", (text) => {
    expect(listAll(text).filter(({ kind }) => kind === "link")).toEqual([]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...["`", "```", "**", "*", "[", "]", "(", ")", "https://", "a.example", "\n", "- ", "1. "],
      ...["<script>", "&lt;", DIGEST, "\u202e", "@", ".", "javascript:", " "],
    ),
    fc.string({ unit: "binary" }),
  );
  const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

  it("links to https alone, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const part of listAll(text)) {
          if (part.kind !== "link") continue;
          const { protocol, username } = new URL(part.url);
          expect([protocol, username]).toEqual(["https:", ""]);
        }
      }),
    );
  });

  it("loses no letter or figure of any text", () => {
    const getLetters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
    const getText = (parts: readonly Inline[]): string =>
      parts.map((part) => (part.kind === "bold" ? getText(part.parts) : part.text)).join("");
    const noLinks = anyText.map((text) =>
      text.replaceAll("](", "] (").replaceAll(/\d\. |```.*/g, ""),
    );
    fc.assert(
      fc.property(noLinks, (text) => {
        const shown = parseMarkdown(text).map((block) =>
          block.kind === "code" ? block.language + block.text : getText(listInlines(block)),
        );
        const numbers = /^ {0,3}\d{1,4}[.)] +/gm;
        expect(getLetters(shown.join(""))).toBe(getLetters(text.replaceAll(numbers, "")));
      }),
    );
  });

  it("takes time in proportion to the text", () => {
    for (const unit of ["`", "**a", "[", "[a](https://", "https://a", "- ", "```\n", "A7F3-"]) {
      const text = unit.repeat(20_000);
      expect(parseMarkdown(text).length).toBeGreaterThan(0);
    }
  });
});
