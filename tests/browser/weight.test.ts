import { beforeAll, describe, expect, it } from "vitest";
import { loadedWith, manifest } from "../support/client-files.ts";
import { PAGES, scriptOf } from "../support/pages.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();
const REACT = `/${manifest["src/client/hydrate.tsx"]?.file}`;
let digest = "";

beforeAll(async () => {
  const message = { errata: 1, how: "uncaught", type: "Error", message: "x", release: "1.4.0" };
  const body = JSON.stringify(message);
  const answer = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  ({ digest } = (await answer.json()) as { digest: string });
});

/**
 * The files of the client that a browser has asked for when all of a page is there and its scripts
 * have run.
 */
async function assetsOf(path: string): Promise<readonly string[]> {
  const page = await product.open();
  const assets: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/")) assets.push(pathname);
  });
  await page.goto(path, { waitUntil: "load" });
  await page.context().close();
  return assets.sort();
}

describe("a page without an island", () => {
  it.each(Object.entries(PAGES))(
    "asks for its scripts and its style sheet once, and not for React: %s",
    async (route, path) => {
      const scripts = [...loadedWith(scriptOf(route))];
      const files = [...scripts, manifest["src/ui/style.css"]?.file];
      expect(await assetsOf(path.replace(":digest", digest))).toEqual(
        files.map((file) => `/${file}`).sort(),
      );
    },
  );
});

it("a page with an island asks for React", async () => {
  expect(await assetsOf("/self-test/recovered")).toContain(REACT);
});
