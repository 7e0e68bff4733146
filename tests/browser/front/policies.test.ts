// Pages with policies behind the front, in Chromium: the reporter runs, its report arrives, and
// everything else of the page runs as without the front.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";
import { FRONT_KEY, type FrontInTest, openFront } from "#support/front/front.ts";
import { type ExactSite, openExactSite } from "#support/front/site.ts";

const product = openProduct({ serverKey: FRONT_KEY });
const NONCE = "r4nd0mN0nce";
/** `sha256` of the inline script of the page. */
const INLINE = `document.documentElement.dataset.inline = "ran"`;
const INLINE_HASH = "'sha256-HASH'";

const policies = new Map<string, Record<string, string>>();
let site: ExactSite;
let front: FrontInTest;
let count = 0;

const createPage = (path: string) => `<!doctype html>
<html><head><title>${path}</title>
<script nonce="${NONCE}">${INLINE}</script>
<script nonce="${NONCE}" src="/app.js?${path.slice(1)}"></script>
</head><body>a page</body></html>`;
/** Counts violations, and fails later. */
const createApp = (path: string) => `
document.documentElement.dataset.app = "ran";
window.violations = [];
document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
  violations.push(effectiveDirective + " " + blockedURI));
addEventListener("load", () => setTimeout(() => { throw new RangeError("late failure of ${path}") }));
`;

beforeAll(async () => {
  site = await openExactSite((url) => {
    const { pathname: path, search } = new URL(url, "http://site");
    if (path === "/app.js") {
      const chunks = [Buffer.from(createApp(`/${search.slice(1)}`))];
      return { headers: { "content-type": "text/javascript" }, chunks };
    }
    const headers = { "content-type": "text/html; charset=utf-8", ...policies.get(path) };
    return { headers, chunks: [Buffer.from(createPage(path))] };
  });
  const { host, port } = new URL(product.url);
  const vars = { ERRATA_DSN: `http://${FRONT_KEY}@${host}/1` };
  front = await openFront(site, { deskPort: Number(port), vars });
});
afterAll(async () => {
  await front?.stop();
  await site?.close();
});

/** What ran on a page with these headers, by its own script and by the page's. */
async function visit(headers: Record<string, string>) {
  const path = `/page-${++count}`;
  const hash = await hashOf(INLINE);
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(INLINE_HASH, hash),
  ]);
  policies.set(path, Object.fromEntries(entries));
  const page = await product.open();
  const response = await page.goto(front.url + path, { waitUntil: "load" });
  const source = (await response?.text()) ?? "";
  const state = () =>
    page.evaluate(() => ({
      inline: document.documentElement.dataset.inline,
      app: document.documentElement.dataset.app,
      violations: (window as { violations?: string[] }).violations,
      isReporting: Object.hasOwn(window, "__errata"),
      first: document.head.firstElementChild?.localName,
    }));
  return { path, page, source, state };
}

async function hashOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${Buffer.from(bytes).toString("base64")}'`;
}

/** The report of the late failure, as soon as it is stored. */
function findReport(path: string) {
  return eventually(async () => {
    const { issues } = await product.json(`/issues?q=${encodeURIComponent(path.slice(1))}`);
    const [issue] = issues as { digest: string; trust: string; type: string }[];
    expect(issue).toMatchObject({ type: "RangeError" });
    return issue;
  });
}

const CSP = "content-security-policy";
const STRICT = `script-src 'nonce-${NONCE}' 'strict-dynamic'; object-src 'none'; base-uri 'none'`;

describe("a page whose policy", () => {
  it.each<[string, Record<string, string>]>([
    ["does not exist", {}],
    ["allows 'self' and inline scripts", { [CSP]: "default-src 'self' 'unsafe-inline'" }],
    ["allows 'self' and a hash", { [CSP]: `default-src 'self'; script-src 'self' ${INLINE_HASH}` }],
    ["asks for a nonce", { [CSP]: `script-src 'nonce-${NONCE}'` }],
    ["asks for a nonce, strictly", { [CSP]: STRICT }],
    ["asks for a nonce, and allows no connections", { [CSP]: `${STRICT}; connect-src 'none'` }],
    [
      "allows nothing by default",
      { [CSP]: `default-src 'none'; script-src 'nonce-${NONCE}' 'self'; report-to mine` },
    ],
    ["allows inline scripts and another host", { [CSP]: `script-src 'unsafe-inline' ${"http:"}` }],
    ["is two policies", { [CSP]: `${STRICT}, script-src 'self' 'unsafe-inline'` }],
    ["only reports", { [`${CSP}-report-only`]: `${STRICT}; connect-src 'none'` }],
    ["asks for Trusted Types", { [CSP]: `${STRICT}; require-trusted-types-for 'script'` }],
    [
      "asks for integrity",
      { [CSP]: STRICT, "integrity-policy-report-only": "blocked-destinations=(script)" },
    ],
    [
      "isolates it",
      {
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-opener-policy": "same-origin",
      },
    ],
  ])("%s: it runs as before, and its failure arrives", async (_, headers) => {
    const { path, state } = await visit(headers);
    const issue = await findReport(path);
    expect(issue?.trust).toBe("page");
    expect(await state()).toEqual({
      ...{ inline: "ran", app: "ran", violations: [], isReporting: true },
      // The tag removes itself: the document is that of the site.
      first: "title",
    });
  });

  it("trusts scripts by 'strict-dynamic' and hashes alone: the reporter runs by its hash", async () => {
    // The page's other script has no hash, with the front and without it.
    const { state, source } = await visit({ [CSP]: `script-src 'strict-dynamic' ${INLINE_HASH}` });
    const { inline, app, isReporting } = await state();
    expect([inline, app, isReporting]).toEqual(["ran", undefined, true]);
    expect(source).toMatch(/integrity="sha256-[^"]+" crossorigin="anonymous" data-errata>/);
  });

  it.each([
    ["forbids scripts", { [CSP]: "script-src 'none'" }],
    ["puts it into a sandbox without scripts", { [CSP]: "sandbox" }],
  ])("%s: it gets no reporter", async (_, headers) => {
    const { source } = await visit(headers);
    expect(source).not.toContain("data-errata");
  });

  it("reports to nobody: its violations arrive, with the token of the page", async () => {
    const { page } = await visit({ [CSP]: `img-src 'self'` });
    await page.evaluate(() => {
      new Image().src = "https://pictures.example/x.png";
    });
    await eventually(async () => {
      const query = encodeURIComponent("kind:csp pictures.example");
      const { issues } = await product.json(`/issues?q=${query}`);
      const [issue] = issues as { digest: string }[];
      expect(issue).toMatchObject({ kind: "csp", trust: "page" });
      // Its policy is the one that the token proves.
      const { reports } = await product.json(`/d/${issue?.digest}`);
      expect((reports as { noise?: string }[])[0]).not.toHaveProperty("noise");
    });
  });
});
