// The JavaScript that a browser loads for each page of the built product.

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listLoadedFiles, manifest, measureGzipBytes } from "#support/browser/client-files.ts";
import { getEntryScript, PAGES } from "#support/http/pages.ts";
import { serve } from "../../.tools/local/serve.ts";

/** For all scripts of a page, including inline ones. */
const maxScriptGzipBytes = 8_000;

/** For all fonts together; WOFF2 is compressed already. */
const maxFontBytes = 60_000;

let served: Awaited<ReturnType<typeof serve>>;
let digest = "";

beforeAll(async () => {
  served = await serve({ key: "0123456789abcdef0123456789abcdef", isLocalOpen: true });
  const body = JSON.stringify({
    errata: 1,
    how: "uncaught",
    type: "Error",
    message: "no price",
    release: "1.4.0",
  });
  const response = await fetch(`${served.url}/monitoring`, { method: "POST", body });
  ({ digest } = (await response.json()) as { digest: string });
});

afterAll(() => served.stop());

/** The client scripts that a document requests, with all their static imports. */
function listScripts(html: string): Set<string> {
  const files = new Set<string>();
  for (const [, named] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) {
    const [source] = Object.entries(manifest).find(([, { file }]) => file === named) ?? [""];
    listLoadedFiles(source, files);
  }
  return files;
}

describe("a page without interaction", () => {
  it.each(Object.entries(PAGES))(
    "loads at most 8 kB of compressed JavaScript, and no React: %s",
    async (route, path) => {
      const response = await fetch(`${served.url}${path.replace(":digest", digest)}`);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const html = await response.text();
      const files = listScripts(html);
      expect(files).toEqual(listLoadedFiles(getEntryScript(route)));
      const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code);
      const gzipBytes = measureGzipBytes(files) + gzipSync(inline.join("\n")).length;
      expect(gzipBytes).toBeLessThanOrEqual(maxScriptGzipBytes);
    },
  );
});

describe("the fonts", () => {
  const files = manifest["src/ui/style.css"]?.assets ?? [];

  it("have at most 60 kB together, and are cached for a year", async () => {
    const responses = await Promise.all(files.map((file) => fetch(`${served.url}/${file}`)));
    for (const { headers } of responses) {
      expect(headers.get("content-type")).toBe("font/woff2");
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    const bodies = await Promise.all(responses.map((response) => response.arrayBuffer()));
    expect(bodies).toHaveLength(2);
    expect(bodies.reduce((sum, body) => sum + body.byteLength, 0)).toBeLessThanOrEqual(
      maxFontBytes,
    );
  });

  it.each(["/", "/docs"])("are requested by the head of a page: %s", async (path) => {
    const html = await (await fetch(served.url + path)).text();
    const preloads = [...html.matchAll(/<link rel="preload" href="\/([^"]+)" as="font"/g)];
    expect(preloads.map(([, file]) => file)).toEqual(files);
  });

  it("come with their license", async () => {
    const license = await fetch(`${served.url}/fonts/OFL.txt`);
    expect(await license.text()).toContain("SIL OPEN FONT LICENSE Version 1.1");
  });
});
