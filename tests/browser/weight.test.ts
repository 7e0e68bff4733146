import { beforeAll, describe, expect, it } from "vitest";
import { listLoadedFiles, manifest } from "#support/browser/client-files.ts";
import { openProduct } from "#support/browser/product.ts";
import { getEntryScript, PAGES } from "#support/http/pages.ts";

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
 * The client files that a browser has requested when a page is complete and its scripts
 * have run.
 */
async function listLoadedAssets(path: string): Promise<readonly string[]> {
  const page = await product.open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.detach();
  const assets: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/")) assets.push(pathname);
  });
  await page.goto(path, { waitUntil: "load" });
  return assets.sort();
}

/** The scripts that some pages load for one of their parts. */
const ON_DEMAND: Readonly<Record<string, string>> = {
  "/connect": "src/client/tabs.ts",
  "/d/:digest": "src/client/copy-url.ts",
  "/live": "src/client/live-feed.ts",
  "/sign-in": "src/client/passkey-prompt.ts",
  "/alerts/preferences": "src/client/enable-push.ts",
};

describe("a page without an island", () => {
  it.each(Object.entries(PAGES))(
    "loads its scripts, its style sheet and its fonts once, and no React: %s",
    async (route, path) => {
      const entries = [getEntryScript(route), ON_DEMAND[route]].filter((one) => one !== undefined);
      const scripts = new Set(entries.flatMap((entry) => [...listLoadedFiles(entry)]));
      const style = manifest["src/ui/style.css"];
      const files = [...scripts, style?.file, ...(style?.assets ?? [])];
      expect(await listLoadedAssets(path.replace(":digest", digest))).toEqual(
        files.map((file) => `/${file}`).sort(),
      );
    },
  );
});

it("a page with an island loads React", async () => {
  expect(await listLoadedAssets("/self-test/recovered")).toContain(REACT);
});
