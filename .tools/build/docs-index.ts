// The index of the documentation's search: /docs/search.json, which a browser loads when the search
// field gets the focus, and which the Worker reads for browsers without scripts.

import { type DocsIndex, listDocsWords } from "../../src/core/docs/search-docs.ts";
import type { DocsSite } from "./docs-site.ts";

/** A word on more pages than this share distinguishes none. */
const COMMON_SHARE = 0.6;
const MIN_WORD_CHARS = 2;
const MAX_WORD_CHARS = 40;

/** The index of all pages. */
export function createDocsIndex({ pages }: DocsSite): DocsIndex {
  const found = new Map<string, Set<number>>();
  for (const [at, { html }] of pages.entries())
    for (const word of listDocsWords(toText(html))) {
      if (word.length < MIN_WORD_CHARS || word.length > MAX_WORD_CHARS) continue;
      // Numbers and digests are in examples.
      if (/^\d/.test(word)) continue;
      const listed = found.get(word);
      if (listed === undefined) found.set(word, new Set([at]));
      else listed.add(at);
    }
  const isCommon = (on: ReadonlySet<number>) => on.size > pages.length * COMMON_SHARE;
  const words = [...found]
    .filter(([, on]) => !isCommon(on))
    .map(([word, on]) => `${word} ${[...on].map((page) => page.toString(36)).join(",")}`)
    .sort();
  return {
    pages: pages.map(({ slug, title, headings }) => ({
      slug,
      title,
      sections: headings.map(({ id, text }) => [id, text] as const),
    })),
    words: words.join("\n"),
    common: [...found]
      .flatMap(([word, on]) => (isCommon(on) ? [word] : []))
      .sort()
      .join(" "),
  };
}

function toText(html: string): string {
  return html.replace(/<[^>]*>/g, " ").replace(/&\w+;/g, " ");
}
