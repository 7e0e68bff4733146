import { beforeAll, describe, expect, it } from "vitest";
import { manifest } from "../support/client-files.ts";
import { pagesAbout } from "../support/pages.ts";
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

/** The scripts that a browser has asked for when all of a page is there and its scripts have run. */
async function scriptsOf(path: string): Promise<readonly string[]> {
  const page = await product.open();
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  await page.goto(path, { waitUntil: "load" });
  await page.context().close();
  return scripts.sort();
}

describe("a page without an island", () => {
  it.each(Object.entries(pagesAbout(":digest")))(
    "asks for each script once, and not for React: %s",
    async (_, path) => {
      expect(await scriptsOf(path.replace(":digest", digest))).toEqual(
        ["page", "reporter"].map((name) => `/${manifest[`src/client/${name}.ts`]?.file}`),
      );
    },
  );
});

it("a page with an island asks for React", async () => {
  expect(await scriptsOf("/self-test/recovered")).toContain(REACT);
});
