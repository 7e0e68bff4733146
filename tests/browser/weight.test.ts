// The size of what is deployed, and of what a browser loads for a page of the built product.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { listLoadedFiles, manifest, measureGzipBytes } from "#support/browser/client-files.ts";
import { openProduct } from "#support/browser/product.ts";
import { getEntryScript, PAGES } from "#support/http/pages.ts";
import { listClientFiles, workerFile } from "../../.tools/build/built.ts";

/**
 * Cloudflare's free plan allows 3 MB; this limit keeps the start fast. The parsers of scripts and
 * of original sources take 20 kB and 23 kB, and run only when they are used. The pages of source
 * maps and their texts take 12 kB, the tokenizer of source code and Markdown of comments 5 kB. What
 * is known of Workers, deploy skew, differences and decoded errors takes 8 kB, `/api/v1` 3 kB, `/mcp`
 * with the operations of its tools 11 kB, and commits of releases with suspects and proof 3 kB.
 * OAuth, repositories, trackers and fixes by agents take 60 kB, the lookup of codes of other
 * systems 15 kB, and of spelled codes in the words of many languages 5 kB. Of the desk, the bar,
 * the sentence and the tabs of an issue take 6 kB, personal messages of members 6 kB, and chips,
 * completion and the reasons of queries 6 kB. The sentences for visitors in twenty languages take
 * 25 kB, and telling visitors of a fix takes 3 kB. Excerpts and other words of the documentation's
 * search, keys made on Connect, reasons and ranks of Home, and spellings of codes and words take 8
 * kB.
 */
const maxWorkerGzipBytes = 780_000;
/** For all scripts of a page that it loads at once: those of every page, and inline ones. */
const maxScriptGzipBytes = 9_400;
/**
 * The scripts of every page, which contain the browser reporter. That a pasted or dropped picture
 * is recognized takes 0.3 kB, and what loads gestures, names of members and the inbox as much.
 */
const maxPageGzipBytes = 8_700;
/** Loaded when a picture is read. The characters of digests in eleven fonts take 30 kB. */
const maxPictureReaderGzipBytes = 41_000;
/** React and the islands of the self-test, loaded only by its pages. */
const maxIslandGzipBytes = 72_000;
/**
 * The reader of dropped maps, and the parsers of scripts and of original sources, besides React.
 * The patterns of secrets take 6 kB.
 */
const maxMapReaderGzipBytes = 100_000;
/** For all fonts together; WOFF2 is compressed already. */
const maxFontBytes = 60_000;

const gzipBytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

/** Loaded when a map is dropped onto a stack. */
const MAP_READER = [
  "src/client/local-stack.tsx",
  "src/core/symbolication/function-ranges.ts",
  "src/core/symbolication/names/parse-source.ts",
];

/** The scripts that `sources` load at once, and `others` do not. */
function listScripts(sources: readonly string[], ...others: string[]): readonly string[] {
  const list = (from: readonly string[]) =>
    new Set(from.flatMap((one) => [...listLoadedFiles(one)].map((file) => basename(file))));
  const [loaded, known] = [list(sources), list(others)];
  return listClientFiles().filter((file) => {
    const name = basename(file);
    return name.endsWith(".js") && loaded.has(name) && !known.has(name);
  });
}

describe("the size of the build", () => {
  it(`the Worker is at most ${maxWorkerGzipBytes / 1_000} kB gzip`, () => {
    expect(gzipBytes([workerFile])).toBeLessThanOrEqual(maxWorkerGzipBytes);
  });

  it("the Worker has no texts of the parsers that it does not use", () => {
    const code = readFileSync(workerFile, "utf8");
    for (const text of ["Cased_Letter", "thetasym", "Unexpected token"])
      expect(code).not.toContain(text);
  });

  it.each([
    ["the scripts of every page", listScripts(["src/client/page.ts"]), maxPageGzipBytes],
    [
      "React and the self-test, loaded only by the self-test,",
      listScripts(
        ["src/client/self-test-entry.ts", "src/client/hydrate.tsx"],
        "src/client/page.ts",
      ),
      maxIslandGzipBytes,
    ],
    [
      "the reader of pictures",
      listScripts(["src/client/show-picture.ts"], "src/client/page.ts"),
      maxPictureReaderGzipBytes,
    ],
    [
      "the reader of dropped maps, besides React,",
      listScripts(MAP_READER, "src/client/hydrate.tsx"),
      maxMapReaderGzipBytes,
    ],
  ] as const)("%s have their limit", (_, files, maxBytes) => {
    expect(files.length).toBeGreaterThan(0);
    expect(gzipBytes(files)).toBeLessThanOrEqual(maxBytes);
  });
});

const product = openProduct();
const REACT = `/${manifest["src/client/hydrate.tsx"]?.file}`;
let digest = "";

beforeAll(async () => {
  const message = { errata: 1, how: "uncaught", type: "Error", message: "x", release: "1.4.0" };
  const body = JSON.stringify(message);
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  ({ digest } = (await response.json()) as { digest: string });
});

/**
 * The HTML of a page, and the client files that a browser has requested when the page is complete
 * and its scripts have run.
 */
async function load(path: string): Promise<{ html: string; assets: readonly string[] }> {
  const page = await product.open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.detach();
  const assets: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/")) assets.push(pathname);
  });
  const response = (await page.goto(path, { waitUntil: "load" })) as Response;
  expect(response.headers()["content-type"]).toBe("text/html; charset=utf-8");
  return { html: await response.text(), assets: assets.sort() };
}

/** The scripts that some pages load for one of their parts. */
const ON_DEMAND: Readonly<Record<string, string>> = {
  "/connect": "src/client/tabs.ts",
  "/d/:digest": "src/client/copy-url.ts",
  "/live": "src/client/live-feed.ts",
  "/sign-in": "src/client/passkey-prompt.ts",
  "/alerts": "src/client/inbox.ts",
  "/alerts/preferences": "src/client/enable-push.ts",
};

describe("a page without an island", () => {
  it.each(Object.entries(PAGES))(
    "loads its scripts of at most 9.4 kB, its style sheet and its fonts once, and no React: %s",
    async (route, path) => {
      const { html, assets } = await load(path.replace(":digest", digest));
      const atOnce = listLoadedFiles(getEntryScript(route));
      const onDemand = ON_DEMAND[route] === undefined ? [] : listLoadedFiles(ON_DEMAND[route]);
      const style = manifest["src/ui/style.css"];
      const files = [...new Set([...atOnce, ...onDemand]), style?.file, ...(style?.assets ?? [])];
      expect(assets).toEqual(files.map((file) => `/${file}`).sort());
      const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code);
      const bytes = measureGzipBytes(atOnce) + gzipSync(inline.join("\n")).length;
      expect(bytes).toBeLessThanOrEqual(maxScriptGzipBytes);
    },
  );
});

it("a page with an island loads React", async () => {
  expect((await load("/self-test/recovered")).assets).toContain(REACT);
});

describe("the fonts", () => {
  const files = manifest["src/ui/style.css"]?.assets ?? [];

  it("have at most 60 kB together, and are cached for a year", async () => {
    const responses = await Promise.all(files.map((file) => fetch(`${product.url}/${file}`)));
    for (const { headers } of responses) {
      expect(headers.get("content-type")).toBe("font/woff2");
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    const bodies = await Promise.all(responses.map((response) => response.arrayBuffer()));
    expect(bodies).toHaveLength(2);
    const bytes = bodies.reduce((sum, body) => sum + body.byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(maxFontBytes);
  });

  it.each(["/", "/docs"])("are requested by the head of a page: %s", async (path) => {
    const html = await (await fetch(product.url + path)).text();
    const preloads = [...html.matchAll(/<link rel="preload" href="\/([^"]+)" as="font"/g)];
    expect(preloads.map(([, file]) => file)).toEqual(files);
  });

  it("come with their license", async () => {
    const license = await fetch(`${product.url}/fonts/OFL.txt`);
    expect(await license.text()).toContain("SIL OPEN FONT LICENSE Version 1.1");
  });
});
