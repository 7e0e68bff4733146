// The index of the documentation's search: /docs/search.json, which a browser loads when the search
// field gets the focus, and which the Worker reads for browsers without scripts.

import { type DocsIndex, listDocsWords } from "../../src/core/docs/search-docs.ts";
import type { DocsPage, DocsSite } from "./docs-site.ts";

/** A word on more pages than this share distinguishes none. */
const COMMON_SHARE = 0.6;
const MIN_WORD_CHARS = 2;
const MAX_WORD_CHARS = 40;
const EXCERPT_CHARS = 60;

interface Section {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** The index of all pages. */
export function createDocsIndex({ pages }: DocsSite): DocsIndex {
  const cut = pages.map((page) => ({ page, sections: cutSections(page) }));
  const pagesOf = new Map<string, Set<number>>();
  const sectionsOf = new Map<string, number[]>();
  let nextSection = 0;
  for (const [at, { sections }] of cut.entries())
    for (const { text } of sections) {
      const section = nextSection++;
      for (const word of listWords(text)) {
        const [onPages, inSections] = [pagesOf.get(word), sectionsOf.get(word)];
        if (onPages === undefined || inSections === undefined) {
          pagesOf.set(word, new Set([at]));
          sectionsOf.set(word, [section]);
        } else {
          onPages.add(at);
          inSections.push(section);
        }
      }
    }
  const isCommon = (word: string) => (pagesOf.get(word)?.size ?? 0) > pages.length * COMMON_SHARE;
  const words = [...sectionsOf]
    .filter(([word]) => !isCommon(word))
    .map(([word, inSections]) => `${word} ${formatSteps(inSections)}`)
    .sort();
  return {
    pages: cut.map(({ page: { slug, title }, sections }) => ({
      slug,
      title,
      sections: sections.map(
        ({ id, heading, text }) => [id, heading, toExcerpt(text), listWords(text).length] as const,
      ),
    })),
    words: words.join("\n"),
    common: [...sectionsOf.keys()].filter(isCommon).sort().join(" "),
  };
}

/** The beginning of a page, and what follows each of its headings. */
function cutSections({ html, headings }: DocsPage): readonly Section[] {
  const starts = headings.map(({ id }) => html.indexOf(` id="${id}"`));
  const toSection = (id: string, heading: string, from: number, to: number | undefined) => ({
    id,
    heading,
    text: toText(html.slice(html.indexOf("\n", from), to)),
  });
  return [
    toSection("", "", 0, starts[0]),
    ...headings.map(({ id, text }, n) => toSection(id, text, starts[n] ?? 0, starts[n + 1])),
  ];
}

/** The different words of a text that the index lists. */
function listWords(text: string): readonly string[] {
  return [...new Set(listDocsWords(text).filter(isListed))];
}

/** Numbers and digests are in examples. */
function isListed(word: string): boolean {
  return word.length >= MIN_WORD_CHARS && word.length <= MAX_WORD_CHARS && !/^\d/.test(word);
}

/** Each number as its distance to the one before. */
function formatSteps(numbers: readonly number[]): string {
  return numbers.map((one, n) => (one - (numbers[n - 1] ?? 0)).toString(36)).join(",");
}

function toText(html: string): string {
  return html
    .replace(/<h\d[^>]*$/, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whole words at the beginning of a text. */
function toExcerpt(text: string): string {
  if (text.length <= EXCERPT_CHARS) return text;
  return `${text.slice(0, text.lastIndexOf(" ", EXCERPT_CHARS)).replace(/[\s,.;:–-]+$/, "")} …`;
}
