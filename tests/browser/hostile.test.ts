import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { hostileRows } from "#support/hostile/hostile-bodies.ts";
import { MARKUP } from "#support/hostile/hostile-markup.ts";
import {
  buildBody,
  createEvent,
  createEventEnvelope,
  getPath,
  type Hostile,
} from "#support/hostile/hostile-row.ts";
import {
  hostileBytes,
  openSocket,
  postBytes,
  readUntilClosed,
} from "#support/hostile/hostile-sockets.ts";

const product = openProduct();

/** Concurrent hostile requests. */
const CONCURRENCY = 20;

/** Runs `each` for all members, at most `concurrency` at a time. */
async function forAll<T>(
  members: readonly T[],
  concurrency: number,
  each: (member: T) => Promise<void>,
) {
  const queue = members.values();
  const work = async () => {
    for (const member of queue) await each(member);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function send(row: Hostile): Promise<Response> {
  const headers = { accept: "application/json", ...row.headers };
  const url = `${product.url}${getPath(row)}`;
  return fetch(url, { method: "POST", headers, body: buildBody(row) });
}

let probes = 0;

/** Posts a valid report. Resolves to its id when acknowledged. */
async function probe(): Promise<string> {
  probes += 1;
  const id = probes.toString(16).padStart(32, "a");
  const body = createEventEnvelope([createEvent("a probe", { event_id: id })]);
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id });
  return id;
}

async function isFound(id: string): Promise<boolean> {
  const { hits } = await product.json(`/lookup?q=${id}`);
  return (hits as unknown[]).length > 0;
}

/** Results of all hostile rows at one server, and the valid reports acknowledged meanwhile. */
const statuses = new Map<string, number>();
const issues = new Set<string>();
const reports = new Set<string>();
const acknowledged: string[] = [];

beforeAll(async () => {
  let isOver = false;
  const probeLoop = (async () => {
    while (!isOver) acknowledged.push(await probe());
  })();
  await forAll(hostileRows, CONCURRENCY, async (row) => {
    const response = await send(row);
    statuses.set(row.name, response.status);
    await response.text();
    const outcomes = response.headers.get("errata-outcome") ?? "";
    for (const [, id, digest] of outcomes.matchAll(/;id="(\w+)";digest="([^"]+)"/g)) {
      issues.add(`/d/${digest}`);
      if (row.name.startsWith("markup")) reports.add(`/d/${digest}?report=${id}`);
    }
  });
  isOver = true;
  await probeLoop;
});

describe("twenty hostile requests at a time to one server", () => {
  it("all get a response and none is a 5xx", () => {
    expect(statuses.size).toBe(hostileRows.length);
    expect([...statuses].filter(([, status]) => status >= 500)).toEqual([]);
  });

  it("do not stop valid reports, which are found by their ids", async () => {
    expect(acknowledged.length).toBeGreaterThan(CONCURRENCY);
    await forAll(acknowledged, 4, async (id) => expect(await isFound(id), id).toBe(true));
  });
});

describe("invalid bytes on a socket", () => {
  it.each(hostileBytes)(
    "$name: the request is refused or the connection closed",
    async ({ bytes }) => {
      const socket = await openSocket(product.url);
      const responseText = readUntilClosed(socket);
      socket.end(bytes, "latin1");
      expect((await responseText).slice(0, 12)).toMatch(/^(HTTP\/1\.1 [24]\d\d)?$/);
      expect(await isFound(await probe())).toBe(true);
    },
  );

  it("hanging bodies do not delay other requests", async () => {
    const hanging = await Promise.all(Array.from({ length: 50 }, () => openSocket(product.url)));
    for (const [at, socket] of hanging.entries()) {
      const bodyHeader = at % 2 === 0 ? "Content-Length: 1000" : "Transfer-Encoding: chunked";
      socket.write(postBytes(bodyHeader, at % 2 === 0 ? '{"mess' : '3e8\r\n{"mess'));
    }
    expect(await isFound(await probe())).toBe(true);
    for (const socket of hanging) socket.destroy();
    expect(await isFound(await probe())).toBe(true);
  });
});

/** Elements that a page only has if reported text became markup. */
const MARKUP_SAMPLES = [
  ...["img[src=x]", "svg[onload]", "[onerror]", "iframe", "base", "object", "embed", "#B\\:x"],
  ...["meta[http-equiv=refresh][content='99']", "a[href^='javascript:' i]", "a[href^='data:' i]"],
].join();

/**
 * Keeps a document from being drawn, which takes half of its time. Markup is found in its elements,
 * and scripts, images and frames of a document that is not drawn are loaded and run as well.
 */
const skipDrawing = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { display: none !important }");
  document.adoptedStyleSheets = [sheet];
};

/** A page with the errors and violations in it so far. */
async function openObservedPage(): Promise<{ page: Page; wrong: string[] }> {
  const page = await product.open();
  const problems: string[] = [];
  page.on("dialog", async (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", ({ message }) => problems.push(message));
  return { page, wrong: problems };
}

/** Reported text that became markup in this page or ran. */
function findMarkup(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    const ran = (globalThis as { __xss?: string }).__xss;
    const elements = [...document.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML);
    return ran === undefined ? elements : [...elements, ran];
  }, MARKUP_SAMPLES);
}

describe("reported text is shown as text", () => {
  it.each(Object.entries(MARKUP))("the check detects %s as markup", async (_name, text) => {
    const { page } = await openObservedPage();
    await page.setContent(`<a href="${text.replaceAll('"', "&quot;")}">a</a>${text}`);
    expect(await findMarkup(page)).not.toEqual([]);
  });

  it("in a browser, on every page with reported markup", async () => {
    const paths = [
      "/",
      "/issues?q=",
      ...Object.values(MARKUP).map(encodeURIComponent).flatMap(findPages),
      ...reports,
    ];
    const freePages = await Promise.all(Array.from({ length: 3 }, openObservedPage));
    await Promise.all(freePages.map(({ page }) => page.addInitScript(skipDrawing)));
    await forAll(paths, freePages.length, async (path) => {
      const one = freePages.pop();
      if (one === undefined) throw new Error("Expected a free page.");
      await one.page.goto(path, { waitUntil: "load" });
      expect([path, ...(await findMarkup(one.page)), ...one.wrong]).toEqual([path]);
      // Otherwise the page does not show the report and proves nothing.
      expect(await one.page.textContent("body"), path).toContain(reports.has(path) ? "__xss" : "");
      freePages.push(one);
    });
    expect(paths.length).toBeGreaterThan(100);
  }, 120_000);

  it("attachments are downloads, whatever their name", async () => {
    const files = [...reports].map((path) => path.replace("?", "/files/0?"));
    let found = 0;
    await forAll(files, 4, async (path) => {
      const { status, headers } = await fetch(`${product.url}${path}`);
      expect([200, 404]).toContain(status);
      if (status === 404) return;
      found += 1;
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toMatch(
        /^attachment; filename\*=UTF-8''[\w%.~!-]*$/,
      );
      expect(headers.get("content-security-policy")).toContain("sandbox");
    });
    expect(found).toBe(Object.keys(MARKUP).length);
  });

  it("every issue has a complete page", async () => {
    await forAll([...issues], 4, async (path) => {
      const response = await fetch(`${product.url}${path}`, { headers: { accept: "text/html" } });
      const page = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(page.endsWith("</html>"), path).toBe(true);
      // A part that failed to render would have a digest.
      expect(page, path).not.toContain("data-dgst");
    });
    expect(issues.size).toBeGreaterThan(100);
  });
});

/** The pages that repeat the requested text. */
const findPages = (text: string) =>
  ["/lookup?q=", "/issues?q=", "/d/", "/e/"].map((path) => `${path}${text}`);
