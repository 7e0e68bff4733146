// Checks the documentation: the Markdown in the repository, and the static pages that the build
// makes from it.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILTER_ALIASES, IS_VALUES, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { findQueryProblems } from "#src/core/issue/query-problems.ts";
import { PAGE_COSTS } from "#src/docs/page-costs.ts";
import { EXAMPLES } from "#src/ui/issues/query/search-examples.ts";
import { clientFolder } from "../../.tools/build/built.ts";
import {
  type DocsPage,
  readDocs,
  renderDocsPage,
  toAnchor,
  toDocsUrl,
} from "../../.tools/build/docs-site.ts";
import { serve } from "../../.tools/local/serve.ts";

const site = readDocs("src/docs");
const toFile = ({ slug }: DocsPage) => `src/docs/${slug === "" ? "README" : slug}.md`;
const readText = (slug: string) => readFileSync(`src/docs/${slug}.md`, "utf8");
const builtFile = ({ slug }: DocsPage) =>
  join(clientFolder, "docs", `${slug === "" ? "index" : slug}.html`);

/** The anchors of a Markdown file of the repository. */
const listAnchors = (file: string) => renderDocsPage("", readFileSync(file, "utf8")).anchors;

/** The links of a Markdown file that lead to no file, or to no heading of it. */
function deadLinks(file: string, links: readonly string[]): readonly string[] {
  return links.filter((link) => {
    // A path of Errata itself: the test of the built pages follows it.
    if (/^https?:|^\//.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !listAnchors(target).includes(anchor);
  });
}

describe("a Markdown file", () => {
  it.each(site.pages.map((page) => [toFile(page), page] as const))(
    "has no dead links or anchors: %s",
    (file, { links }) => {
      expect(deadLinks(file, links)).toEqual([]);
    },
  );

  it.each(["README.md", "src/README.md"])("has no dead links or anchors: %s", (file) => {
    const { links } = renderDocsPage("", readFileSync(file, "utf8"));
    expect(links.length).toBeGreaterThan(5);
    expect(deadLinks(file, links)).toEqual([]);
  });

  it.each([
    { file: "README.md", maxLines: 120 },
    { file: "src/README.md", maxLines: 120 },
  ])("is short: $file has at most $maxLines lines", ({ file, maxLines }) => {
    expect(readFileSync(file, "utf8").split("\n").length - 1).toBeLessThanOrEqual(maxLines);
  });

  it("has the same heading anchors as on GitHub", () => {
    expect(toAnchor("CSP violations and dry runs")).toBe("csp-violations-and-dry-runs");
    expect(toAnchor("Errata's own errors")).toBe("erratas-own-errors");
    expect(toAnchor("`is:` & more")).toBe("is--more");
  });
});

describe("the reference documentation", () => {
  it("describes every variable of the configuration", () => {
    const variables = new Set(readFileSync("src/bindings.ts", "utf8").match(/\bERRATA_[A-Z_]+\b/g));
    const described = readText("configuration");
    expect(variables.size).toBeGreaterThan(10);
    expect([...variables].filter((name) => !described.includes(`\`${name}\``))).toEqual([]);
  });

  it("describes every filter and every value of is:", () => {
    const described = readText("search-syntax");
    const written = [
      ...IS_VALUES.map((word) => `is:${word}`),
      ...[...FILTER_ALIASES.keys()].map((key) => `${key}:`),
    ];
    expect(written.filter((one) => !described.includes(`\`${one}\``))).toEqual([]);
  });

  it("has no example of a query that is not understood, and explains those of the page", () => {
    const syntax = readText("search-syntax");
    const [understood = ""] = syntax.split("## What is not understood");
    const codes = [...understood.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
    const queries = codes.filter((code) => /^-?[a-z]+:\S/.test(code));
    expect(queries.length).toBeGreaterThan(30);
    const help = EXAMPLES.map(([example]) => example);
    const wrong = [...queries, ...help].filter(
      (query) => findQueryProblems(parseIssueQuery(query)).length > 0,
    );
    expect(wrong).toEqual([]);
  });

  it("shows every row of the page costs", () => {
    const html = readFileSync(join(clientFolder, "docs", "page-costs.html"), "utf8");
    expect(html.match(/<tr>/g)?.length).toBe(PAGE_COSTS.length + 1);
  });
});

describe("the built pages", () => {
  const built = new Map(
    site.pages.map((page) => [toDocsUrl(page.slug), readFileSync(builtFile(page), "utf8")]),
  );

  it.each([...built])("link only to existing pages and anchors: %s", (_, html) => {
    const dead = [...html.matchAll(/(?:href)="([^"]+)"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => {
        if (href === "/" || /^https?:/.test(href)) return false;
        const [path = "", anchor] = href.split("#");
        if (path !== "" && !built.has(path)) return !existsSync(join(clientFolder, path));
        const target = path === "" ? html : built.get(path);
        return anchor !== undefined && target?.includes(`id="${anchor}"`) !== true;
      });
    expect(dead).toEqual([]);
  });

  it.each([...built])("have one script, the search, and no inline styles: %s", (_, html) => {
    expect(html.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/docs-search-[\w-]+\.js">$/),
    ]);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  it.each([...built])("use each id once: %s", (_, html) => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
  });
});

describe("the served pages", () => {
  let served: Awaited<ReturnType<typeof serve>>;
  const get = (path: string) => fetch(`${served.url}${path}`, { redirect: "manual" });

  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.stop());

  it.each(site.pages.map(({ slug }) => toDocsUrl(slug)))("are public: %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("are there as Markdown for agents, which /llms.txt lists", async () => {
    const list = await get("/llms.txt");
    expect(list.headers.get("content-type")).toMatch(/^text\/plain\b/);
    const paths = [...(await list.text()).matchAll(/\]\((\S+)\)/g)].map(([, path = ""]) => path);
    expect(paths).toHaveLength(site.pages.length);
    for (const path of ["/docs/README.md", ...paths]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      expect([path, text]).not.toEqual([path, expect.stringMatching(/<!-- page-costs|HASH/)]);
    }
  });

  it("are beside the description of the API, which tools of other origins read", async () => {
    const response = await get("/openapi.json");
    expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(await response.json()).toMatchObject({ openapi: "3.1.1", paths: { "/issues": {} } });
  });

  it("have one URL each, to which other spellings redirect", async () => {
    for (const [other, path] of [
      ["/docs/", "/docs"],
      ["/docs/lookup/", "/docs/lookup"],
      ["/docs/lookup.html", "/docs/lookup"],
    ] as const) {
      const response = await get(other);
      expect([response.status, response.headers.get("location")]).toEqual([307, path]);
    }
  });

  it("allow no scripts of others, and have the security headers of the Worker's pages", async () => {
    const [{ headers: docs }, { headers: page }] = await Promise.all([
      get("/docs"),
      get("/sign-in-nowhere"),
    ]);
    const policy = docs.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
    expect(policy).not.toMatch(/unsafe/);
    for (const name of [
      "x-content-type-options",
      "referrer-policy",
      "cross-origin-opener-policy",
      "x-frame-options",
    ]) {
      expect([name, docs.get(name)]).toEqual([name, page.get(name)]);
    }
    const features = (page.get("permissions-policy") ?? "").match(/[\w-]+(?==)/g) ?? [];
    expect(features.length).toBeGreaterThan(20);
    const denied = docs.get("permissions-policy") ?? "";
    expect(features.filter((name) => !denied.includes(`${name}=()`))).toEqual([]);
  });
});
