// A Vite plugin that writes the documentation into the client's folder: docs/index.html and
// docs/<page>.html. Cloudflare serves them as static assets at /docs and /docs/<page>; the Worker
// does not run. The pages have no scripts and use the product's style sheet.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { type DocsPage, type DocsSite, escapeHtml, readDocs, toDocsUrl } from "./docs-site.ts";

const folder = fileURLToPath(new URL("../../src/docs/", import.meta.url));

/**
 * The plugin. The build must have the style sheets `style.css` and `docs.css` among its entries.
 */
export function createDocsPages(): Plugin {
  return {
    name: "docs-pages",
    buildStart() {
      for (const name of readdirSync(folder)) this.addWatchFile(folder + name);
    },
    generateBundle(_, bundle) {
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
      const site = readDocs(folder);
      for (const page of site.pages) {
        const fileName = `docs/${page.slug === "" ? "index" : page.slug}.html`;
        this.emitFile({ type: "asset", fileName, source: renderDocument(site, page, head) });
      }
    },
  };
}

/** `head` loads the fonts and style sheets. */
function renderDocument(site: DocsSite, page: DocsPage, head: string): string {
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
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site-header docs-head">
<a class="wordmark" href="/" aria-label="Errata">Er<ins>r</ins>ata</a>
<a class="docs-home" href="${toDocsUrl("")}"${markCurrent(page.slug === "")}>Docs</a>
<a class="docs-all" href="#docs-pages">All pages</a>
<nav aria-label="Errata"><a href="/">Open Errata</a></nav>
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
