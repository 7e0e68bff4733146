/** Searches the documentation in an index that the build writes, in browsers and in the Worker. */

/** The index: headings, and the words of each page. */
export interface DocsIndex {
  readonly pages: readonly DocsIndexPage[];
  /** A line for each word, sorted: the word, and the numbers of its pages in base 36. */
  readonly words: string;
  /** Words of nearly all pages, which distinguish none, separated by spaces. */
  readonly common: string;
}

export interface DocsIndexPage {
  /** `search-syntax`; empty for the index. */
  readonly slug: string;
  readonly title: string;
  /** The anchors and texts of the headings. */
  readonly sections: readonly (readonly [id: string, heading: string])[];
}

/** A page, or a section of it. */
export interface DocsMatch {
  readonly url: string;
  readonly title: string;
  /** The section; absent if the words are only somewhere on the page. */
  readonly heading?: string;
}

export const MAX_DOCS_QUERY_CHARS = 100;
const MAX_MATCHES = 10;
const MAX_TERMS = 8;

/** The words of a text in lower case; names such as `ERRATA_RELEASE` by their parts. */
export function listDocsWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * The sections whose headings, and the pages whose texts begin words with all words of the query,
 * best first. None for a query without a word.
 */
export function searchDocs(
  { pages, words, common }: DocsIndex,
  query: string,
): readonly DocsMatch[] {
  const typed = query.slice(0, MAX_DOCS_QUERY_CHARS);
  const terms = [...new Set(listDocsWords(typed))].slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  const lines = words.split("\n");
  const isCommon = (term: string) => common.split(" ").some((word) => word.startsWith(term));
  const pagesOfTerms = terms
    .filter((term) => !isCommon(term))
    .map((term) => findPages(lines, term));
  const matches = pages.flatMap((page, at) => {
    const url = page.slug === "" ? "/docs" : `/docs/${page.slug}`;
    const titled = countTerms(page.title, terms);
    const sections = page.sections.flatMap(([id, heading]) => {
      const named = countTerms(heading, terms);
      if (named === 0 || countTerms(`${page.title} ${heading}`, terms) < terms.length) return [];
      const match = { url: `${url}#${id}`, title: page.title, heading };
      return [{ match, score: 40 + 10 * named - heading.length / 10 }];
    });
    if (titled === terms.length)
      return [{ match: { url, title: page.title }, score: 100 - page.title.length }, ...sections];
    const isOnPage = pagesOfTerms.every((found) => found.has(at));
    if (!isOnPage || sections.length > 0) return sections;
    return [{ match: { url, title: page.title }, score: 10 * titled }];
  });
  return matches
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_MATCHES)
    .map(({ match }) => match);
}

function countTerms(text: string, terms: readonly string[]): number {
  const words = listDocsWords(text);
  return terms.filter((term) => words.some((word) => word.startsWith(term))).length;
}

function findPages(lines: readonly string[], term: string): ReadonlySet<number> {
  return new Set(
    lines
      .filter((line) => line.startsWith(term))
      .flatMap((line) => line.slice(line.indexOf(" ") + 1).split(","))
      .map((page) => Number.parseInt(page, 36)),
  );
}
