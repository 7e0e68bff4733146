/** A build of Next.js against the built product: errors of its server and of its pages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { runSentryCli } from "../source-maps/map-uploads.ts";
import {
  createUploadToken,
  locate,
  readOriginalFrames,
  toLocalhost,
} from "../source-maps/original-stack.ts";
import { type NextApp, startNextApp } from "./next-app.ts";

const errata = openErrata();
const chromium = openChromium();
let app: NextApp;

describe("Next.js with debug ids", () => {
  beforeAll(async () => {
    const target = { url: toLocalhost(errata.url), token: await createUploadToken(errata) };
    app = await startNextApp(errata, (folder) => {
      const folders = [".next/static", ".next/server"].map((path) => join(folder, path));
      return runSentryCli("3.8", ["sourcemaps", "upload", "--wait", ...folders], target);
    });
  });
  afterAll(async () => app?.close());

  it("shows the original source of an error on the server, by debug ids", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/stock`);
    await page.getByText(/ERROR \d+/).waitFor();
    const [, digest = ""] = /ERROR (\d+)/.exec(await page.locator("body").innerText()) ?? [];
    const { report } = await errata.find(digest);
    const { line, column, source } = locate("throw new RangeError", readApp("lib/stock.ts"));
    expect(readOriginalFrames(report)[0]).toMatchObject({
      file: expect.stringMatching(/lib\/stock\.ts$/),
      function: "Stock.countOf",
      line,
      column: column + "throw ".length,
      source,
      matchedBy: "debug-id",
    });
  });

  it("shows the original source of an error in the browser", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/till`);
    await page.getByRole("button", { name: "Pay" }).click();
    const from = page.url();
    const { line, source } = locate("reduce((sum", readApp("app/till/page.tsx"));
    const report = await errata.findReport({ kind: "error", type: "TypeError" }, from);
    expect(readOriginalFrames(report)[0]).toMatchObject({
      file: expect.stringMatching(/app\/till\/page\.tsx$/),
      function: expect.stringMatching(/totalOf|Till/),
      line,
      source,
    });
  });

  const readApp = (path: string) =>
    readFileSync(new URL(`../next-app/${path}`, import.meta.url), "utf8");
});
