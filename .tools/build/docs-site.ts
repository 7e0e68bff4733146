// Reads src/docs/*.md and turns each page into HTML. A Vite plugin writes them into the client's
// folder: docs/index.html and docs/<page>.html, their Markdown for agents, llms.txt, a list of the
// pages, and the index of the search. Cloudflare serves them as static assets at /docs and
// /docs/<page>; the Worker runs only for a search without scripts. The pages use the product's style
// sheet.
//
// README.md of the folder is the index: its level-2 headings are the groups of the navigation, and
// the first link of each list item is a page. A page that the index does not name is an error.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked, type Tokens } from "marked";
import type { Plugin } from "vite";
import { PAGE_COSTS } from "../../src/docs/page-costs.ts";
import { createDocsIndex } from "./docs-index.ts";
import { bundleReporterScript } from "./reporter-script.ts";

/** One page, rendered. */
export interface DocsPage {
  /** `search-syntax`; empty for the index. */
  readonly slug: string;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly description: string;
  readonly html: string;
  readonly markdown: string;
  /** The headings below the title. */
  readonly headings: readonly (Heading & { readonly text: string })[];
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

/** Texts that are replaced by the address of this build's reporter, and by its integrity hash. */
const SCRIPT_MARKER = "monitoring/errata-HASH.js";
const INTEGRITY_MARKER = "sha384-HASH";

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
    markdown,
    headings: headings
      .filter(({ depth }) => depth > 1)
      .map(({ id, html, text }) => ({ id, html, text: text.replaceAll(/[`*]/g, "") })),
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
  if (/^[#/]|^https?:\/\//.test(href)) return href;
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
function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const docsFolder = fileURLToPath(new URL("../../src/docs/", import.meta.url));

/**
 * The Vite plugin. The build must have the style sheets `style.css` and `docs.css` among its
 * entries.
 */
export function createDocsPages(): Plugin {
  return {
    name: "docs-pages",
    buildStart() {
      for (const name of readdirSync(docsFolder)) this.addWatchFile(docsFolder + name);
    },
    async generateBundle(_, bundle) {
      const findAsset = (name: string) => {
        const asset = Object.values(bundle).find(
          (file) => file.type === "asset" && file.names.includes(name),
        );
        if (asset === undefined) throw new Error(`The build has no file ${name}.`);
        return `/${asset.fileName}`;
      };
      const head = [
        ...["inter-latin.woff2", "geist-mono-latin.woff2"].map(
          (name) =>
            `<link rel="preload" href="${findAsset(name)}" as="font" type="font/woff2" crossorigin>`,
        ),
        ...["style.css", "docs.css"].map(
          (name) => `<link rel="stylesheet" href="${findAsset(name)}">`,
        ),
      ].join("\n");
      const site = readDocs(docsFolder);
      const script = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.isEntry && file.name === "docs-search",
      );
      if (script === undefined) throw new Error("The build has no entry docs-search.");
      const { path, integrity } = await bundleReporterScript();
      const emit = (fileName: string, text: string) => {
        const source = text
          .replaceAll(`/${SCRIPT_MARKER}`, `/${path}`)
          .replaceAll(INTEGRITY_MARKER, integrity);
        this.emitFile({ type: "asset", fileName, source });
      };
      for (const page of site.pages) {
        const { slug, markdown } = page;
        emit(
          `docs/${slug === "" ? "index" : slug}.html`,
          renderDocument(site, page, head, script.fileName),
        );
        emit(`docs/${toMarkdownName(slug)}`, markdown);
      }
      emit("docs/search.json", JSON.stringify(createDocsIndex(site)));
      emit("llms.txt", renderList(site));
    },
  };
}

/** The name that links in Markdown have. */
function toMarkdownName(slug: string): string {
  return `${slug === "" ? "README" : slug}.md`;
}

/** The pages as a list for agents (llmstxt.org), with their Markdown. */
export function renderList({ pages, groups }: DocsSite): string {
  const [index] = pages;
  const lists = groups.map(({ name, slugs }) => {
    const items = slugs.map((slug) => {
      const page = pages.find((one) => one.slug === slug);
      return `- [${page?.title}](${DOCS_PATH}/${toMarkdownName(slug)}): ${page?.description}`;
    });
    return `## ${name}\n\n${items.join("\n")}\n`;
  });
  const api = "## API\n\n- [OpenAPI document](/openapi.json): every operation of `/api/v1`\n";
  return ["# Errata\n", `> ${index?.description}\n`, api, ...lists].join("\n");
}

/** `head` loads the fonts and style sheets, `script` searches. */
function renderDocument(site: DocsSite, page: DocsPage, head: string, script: string): string {
  const title = page.slug === "" ? "Errata documentation" : `${page.title} · Errata documentation`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
${head}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script type="module" src="/${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site-header docs-head">
<a class="wordmark" href="/" aria-label="Errata">Er<ins>r</ins>ata</a>
<a class="docs-home" href="${toDocsUrl("")}"${markCurrent(page.slug === "")}>Documentation</a>
<a class="docs-all" href="#docs-pages">All pages</a>
<search><form class="docs-search" action="/docs/search" method="get">
<input type="search" name="q" maxlength="100" required aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" data-docs-search="/docs/search.json">
<button type="submit">Search</button>
</form></search>
<a class="docs-desk" href="/">Open Errata</a>
</header>
<div class="docs">
<main id="content" tabindex="-1">
<article>
${page.html}</article>
${renderTurns(site, page)}
</main>
${renderContents(page)}
${renderAllPages(site, page)}
</div>
</body>
</html>
`;
}

function renderContents({ sections, slug }: DocsPage): string {
  if (slug === "" || sections.length < 2) return "";
  const items = sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join("\n");
  return `<nav class="docs-contents" aria-labelledby="docs-contents">
<h2 id="docs-contents">On this page</h2>
<ul>
${items}
</ul>
</nav>`;
}

function renderAllPages({ pages, groups }: DocsSite, { slug: open }: DocsPage): string {
  const titles = new Map(pages.map(({ slug, title }) => [slug, title]));
  const item = (slug: string) =>
    `<li><a href="${toDocsUrl(slug)}"${markCurrent(slug === open)}>${escapeHtml(titles.get(slug) ?? slug)}</a></li>`;
  const lists = groups.map(
    ({ name, slugs }) => `<h3>${escapeHtml(name)}</h3>\n<ul>\n${slugs.map(item).join("\n")}\n</ul>`,
  );
  return `<nav class="docs-pages" id="docs-pages" aria-labelledby="docs-pages-head">
<h2 class="visually-hidden" id="docs-pages-head">All pages</h2>
${lists.join("\n")}
</nav>`;
}

function renderTurns({ pages }: DocsSite, page: DocsPage): string {
  const at = pages.indexOf(page);
  const link = (to: DocsPage | undefined, rel: "prev" | "next", word: string) =>
    to === undefined
      ? ""
      : `<a rel="${rel}" href="${toDocsUrl(to.slug)}"><span>${word}</span> ${escapeHtml(to.title)}</a>`;
  return `<nav class="docs-turn" aria-label="Next and previous page">
${link(at > 1 ? pages[at - 1] : undefined, "prev", "Previous")}
${link(pages[at + 1], "next", "Next")}
</nav>`;
}

function markCurrent(is: boolean): string {
  return is ? ' aria-current="page"' : "";
}
