/** Searches the documentation in an index that the build writes, in browsers and in the Worker. */

/** The index: the sections of all pages, and the words of each section. */
export interface DocsIndex {
  readonly pages: readonly DocsIndexPage[];
  /**
   * A line for each word, sorted: the word, and the numbers of its sections, which count through
   * all pages. Each is the distance to the one before, in base 36.
   */
  readonly words: string;
  /** Words of most pages, which distinguish none, separated by spaces. */
  readonly common: string;
}

export interface DocsIndexPage {
  /** `search-syntax`; empty for the index. */
  readonly slug: string;
  readonly title: string;
  /** The first is the beginning of the page, whose anchor and heading are empty. */
  readonly sections: readonly DocsIndexSection[];
}

/** The excerpt is the beginning of the section's text, which has so many different words. */
type DocsIndexSection = readonly [id: string, heading: string, excerpt: string, words: number];

/** A page, or a section of it. */
export interface DocsMatch {
  readonly url: string;
  readonly title: string;
  /** The heading of the section; absent at the beginning of a page. */
  readonly heading?: string;
  readonly excerpt: string;
}

export const MAX_DOCS_QUERY_CHARS = 100;
const MAX_MATCHES = 10;
const MAX_TERMS = 8;
const MIN_STEM_CHARS = 4;
const WEIGHTS = { title: 4, heading: 5, text: 20, whole: 1.5, common: 0.01, order: 0.03 };
/** A word of a long section says less. */
const SHORT_SECTION_WORDS = 10;
/** What readers call it, and what the pages do. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  account: "profile",
  delete: "erase",
  forgot: "lose",
  gdpr: "privacy",
  login: "sign",
  password: "passkey",
  price: "cost",
  pricing: "cost",
  quota: "limit",
  remove: "erase",
  retention: "keep",
  sourcemap: "map",
  upgrade: "update",
  user: "person",
};

/** The words of a text in lower case; names such as `ERRATA_RELEASE` by their parts. */
export function listDocsWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * The sections that have words which begin with every word of the query, in their text, their
 * heading or the title of their page, best first; if none has, those with the most. Empty if no
 * section has more than half of the words.
 */
export function searchDocs(index: DocsIndex, query: string): readonly DocsMatch[] {
  const { pages, words, common } = index;
  const typed = query.slice(0, MAX_DOCS_QUERY_CHARS);
  const lines = words.split("\n");
  const commonWords = common.split(" ");
  const typedWords = [...new Set(listDocsWords(typed))];
  // Single letters, as in `user's`, begin words everywhere.
  const long = typedWords.filter((word) => word.length > 1);
  const terms = (long.length > 0 ? long : typedWords).slice(0, MAX_TERMS).map(listForms);
  const found = terms.map((forms) =>
    isAny(commonWords, forms) ? null : findSections(lines, forms),
  );
  let section = 0;
  const rated = pages.flatMap(({ slug, title, sections }, order) => {
    const page = listDocsWords(title);
    return sections.map(([id, heading, excerpt, size], n) => {
      const places = { page, heading: n === 0 ? page : listDocsWords(heading), size };
      const at = section++;
      const ratings = terms.map((forms, t) =>
        rateTerm(forms, places, found[t] === null || found[t]?.has(at) === true, found[t] === null),
      );
      const url = `${slug === "" ? "/docs" : `/docs/${slug}`}${n === 0 ? "" : `#${id}`}`;
      return {
        hits: ratings.filter((rating) => rating > 0).length,
        // The shorter a heading, the more a word in it says. The beginning of a page leads to all,
        // and the pages of the index begin with those that most readers need.
        score:
          ratings.reduce((sum, rating) => sum + rating, n === 0 ? 1 : 0) -
          places.heading.length / 10 -
          order * WEIGHTS.order,
        match: { url, title, ...(n > 0 && { heading }), excerpt },
      };
    });
  });
  const most = Math.max(...rated.map(({ hits }) => hits));
  if (most * 2 <= terms.length) return [];
  return rated
    .filter(({ hits }) => hits === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_MATCHES)
    .map(({ match }) => match);
}

interface Places {
  readonly page: readonly string[];
  readonly heading: readonly string[];
  /** Different words of the text. */
  readonly size: number;
}

/** How much a section is about a term; 0 if it does not have it. */
function rateTerm(
  forms: readonly string[],
  { page, heading, size }: Places,
  isInText: boolean,
  isCommon: boolean,
): number {
  const isWhole = forms.some((form) => heading.includes(form));
  const inHeading = isAny(heading, forms) ? WEIGHTS.heading * (isWhole ? WEIGHTS.whole : 1) : 0;
  const inText = isCommon ? WEIGHTS.common : WEIGHTS.text / (SHORT_SECTION_WORDS + size);
  return inHeading + (isInText ? inText : 0) + (isAny(page, forms) ? WEIGHTS.title : 0);
}

/** A term, its singular, and another word for it. */
function listForms(term: string): readonly string[] {
  const stem = term.length > MIN_STEM_CHARS ? term.replace(/(?:ies|s)$/, "") : term;
  const other = OTHER_WORDS[term] ?? OTHER_WORDS[stem];
  return [...new Set([term, stem, ...(other === undefined ? [] : [other])])];
}

function isAny(words: readonly string[], forms: readonly string[]): boolean {
  return words.some((word) => forms.some((form) => word.startsWith(form)));
}

function findSections(lines: readonly string[], forms: readonly string[]): ReadonlySet<number> {
  const sections = new Set<number>();
  for (const line of lines) {
    if (!forms.some((form) => line.startsWith(form))) continue;
    let section = 0;
    for (const step of line.slice(line.indexOf(" ") + 1).split(",")) {
      section += Number.parseInt(step, 36);
      sections.add(section);
    }
  }
  return sections;
}
