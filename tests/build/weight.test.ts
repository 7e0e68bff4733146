// The JavaScript that a browser loads for each page of the built product.

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../.tools/serve.ts";
import { listLoadedFiles, manifest, measureGzipBytes } from "../support/client-files.ts";
import { getEntryScript, PAGES } from "../support/pages.ts";

/** For all scripts of a page, including inline ones. */
const maxScriptGzipBytes = 8_000;

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
function scriptsOf(html: string): Set<string> {
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
      const files = scriptsOf(html);
      expect(files).toEqual(listLoadedFiles(getEntryScript(route)));
      const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code);
      const gzipBytes = measureGzipBytes(files) + gzipSync(inline.join("\n")).length;
      expect(gzipBytes).toBeLessThanOrEqual(maxScriptGzipBytes);
    },
  );
});
