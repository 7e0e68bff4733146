// Reads src/docs/*.md and turns each page into HTML. Pure apart from reading the folder: the Vite
// plugin beside it writes the files, and tests/build/docs.test.ts checks every link and anchor.
//
// README.md of the folder is the index: its level-2 headings are the groups of the navigation, and
// the first link of each list item is a page. A page that the index does not name is an error.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Marked, type Tokens } from "marked";
import { PAGE_COSTS } from "../../src/docs/page-costs.ts";

/** One page, rendered. */
export interface DocsPage {
  /** `search-syntax`; empty for the index. */
  readonly slug: string;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly description: string;
  readonly html: string;
  /** The level-2 headings, for "On this page". */
  readonly sections: readonly Heading[];
  /** The ids of all headings. */
  readonly anchors: readonly string[];
  /** The links as they are written in the Markdown. */
  readonly links: readonly string[];
}

/** A heading and its anchor, which is the one that GitHub gives it. */
interface Heading {
  readonly id: string;
  readonly html: string;
}

/** A group of the navigation. */
interface DocsGroup {
  readonly name: string;
  readonly slugs: readonly string[];
}

/** All pages in the order of the index, which comes first. */
export interface DocsSite {
  readonly pages: readonly DocsPage[];
  readonly groups: readonly DocsGroup[];
}

/** The path of the built pages on the origin. */
const DOCS_PATH = "/docs";

/** `/docs` for the index, `/docs/<slug>` for a page. */
export const toDocsUrl = (slug: string): string =>
  slug === "" ? DOCS_PATH : `${DOCS_PATH}/${slug}`;

/** A marker that is replaced by the table of src/docs/page-costs.ts. */
const PAGE_COSTS_MARKER = "<!-- page-costs -->";

/** Every page of the folder. Throws when the index and the folder disagree. */
export function readDocs(folder: string): DocsSite {
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const groups = readGroups(index);
  const slugs = groups.flatMap((group) => group.slugs);
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  const strays = files.filter((name) => !slugs.includes(name.replace(/\.md$/, "")));
  if (strays.length > 0) throw new Error(`src/docs/README.md does not link ${strays.join(", ")}.`);
  const pages = slugs.map((slug) =>
    renderDocsPage(slug, readFileSync(join(folder, `${slug}.md`), "utf8")),
  );
  return { pages: [renderDocsPage("", index), ...pages], groups };
}

function readGroups(markdown: string): readonly DocsGroup[] {
  const groups: { name: string; slugs: string[] }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === "heading" && token.depth === 2) groups.push({ name: token.text, slugs: [] });
    if (token.type !== "list") continue;
    for (const item of (token as Tokens.List).items) {
      const [, slug] = /\]\(\.\/([\w-]+)\.md\)/.exec(item.text) ?? [];
      if (slug !== undefined) groups.at(-1)?.slugs.push(slug);
    }
  }
  return groups;
}

/** One page. Throws for a page without a level-1 heading. */
export function renderDocsPage(slug: string, source: string): DocsPage {
  const markdown = source.replace(PAGE_COSTS_MARKER, formatPageCosts());
  const headings: { depth: number; id: string; html: string; text: string }[] = [];
  const links: string[] = [];
  const used = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = createUniqueId(toAnchor(text), used);
        const html = this.parser.parseInline(tokens);
        headings.push({ depth, id, html, text });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens, text }) {
        links.push(href);
        const html = this.parser.parseInline(tokens);
        const url = toUrl(href);
        if (url !== undefined) return `<a href="${escapeHtml(url)}">${html}</a>`;
        const path = toRepositoryPath(href);
        const code = `<code>${escapeHtml(path)}</code>`;
        return text.replaceAll("`", "") === path ? code : `${html} (${code})`;
      },
      code({ text, lang }) {
        const language =
          lang === undefined || lang === "" ? "" : ` data-lang="${escapeHtml(lang)}"`;
        return `<pre tabindex="0"${language}><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: "td" | "th") => {
          const html = cells.map((cell) => {
            const align = cell.align === null ? "" : ` data-align="${cell.align}"`;
            const scope = tag === "th" ? ' scope="col"' : "";
            return `<${tag}${scope}${align}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
          });
          return `<tr>${html.join("")}</tr>\n`;
        };
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        const head = token.header.some(({ text }) => text !== "")
          ? `<thead>\n${row(token.header, "th")}</thead>\n`
          : "";
        const names = [headings.at(-1)?.text, token.header[0]?.text];
        const label = escapeHtml(names.filter(Boolean).join(": ").replaceAll("`", ""));
        return `<div class="docs-table" role="region" aria-label="${label}" tabindex="0"><table>\n${head}<tbody>\n${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  const title = headings.find(({ depth }) => depth === 1)?.text;
  if (title === undefined) throw new Error(`src/docs/${slug}.md has no level-1 heading.`);
  return {
    slug,
    title,
    description: findFirstParagraph(markdown),
    html,
    sections: headings.filter(({ depth }) => depth === 2),
    anchors: headings.map(({ id }) => id),
    links,
  };
}

/** The anchor that GitHub gives a heading. */
export function toAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function createUniqueId(id: string, used: Map<string, number>): string {
  const times = used.get(id) ?? 0;
  used.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}

/**
 * The address of a link in the built pages; undefined for a file of the repository that has no
 * page.
 */
function toUrl(href: string): string | undefined {
  if (href.startsWith("#") || /^https?:\/\//.test(href)) return href;
  const [, slug, anchor = ""] = /^\.\/([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  return slug === undefined ? undefined : toDocsUrl(slug === "README" ? "" : slug) + anchor;
}

/** `../core/limits.ts` as a path in the repository: `src/core/limits.ts`. */
function toRepositoryPath(href: string): string {
  return posix.normalize(posix.join("src/docs", href.replace(/#.*$/, "")));
}

function findFirstParagraph(markdown: string): string {
  const paragraph = new Marked().lexer(markdown).find(({ type }) => type === "paragraph");
  const text = (paragraph as Tokens.Paragraph | undefined)?.text ?? "";
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ");
}

/** The table of src/docs/page-costs.ts as Markdown. */
function formatPageCosts(): string {
  const rows = PAGE_COSTS.map(({ page, before, after, cpu = "", note = "" }) =>
    ["", page, before, after, cpu, note, ""].join(" | ").trim(),
  );
  const head =
    "| Request | Before the first byte | After it | CPU | Notes |\n|---|---|---|---|---|";
  return [head, ...rows].join("\n");
}

/** Text for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
