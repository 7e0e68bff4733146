import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { type NextApp, startNextApp } from "./next-app.ts";

const errata = openErrata();
const chromium = openChromium();
let app: NextApp;
beforeAll(async () => {
  app = await startNextApp(errata);
});
afterAll(async () => app?.close());

/** Pages that fail on the server, and the text that the visitor sees. */
const PAGES = [
  {
    page: "/cart",
    fails: "before the shell",
    status: 500,
    shown: /ERROR (\d+)/,
    title: "TypeError: no price for this cart",
  },
  {
    page: "/late",
    fails: "while the page streams",
    status: 200,
    shown: /ERROR (\d+)/,
    title: "RangeError: the stock was counted too late",
  },
  {
    page: "/own-page",
    fails: "on a page with an error page of its own",
    status: 500,
    shown: /Digest: (\d+)/,
    title: "Error: the team has an error page of its own",
  },
];

describe("Next.js with the documented instrumentation.ts", () => {
  it.each(PAGES)(
    "a lookup of the digest on the page finds a server component's error $fails",
    async ({ page: path, status, shown, title }) => {
      const page = await chromium.open();
      const response = await page.goto(`${app.url}${path}?from=mail`);
      expect(response?.status()).toBe(status);
      await page.getByText(shown).first().waitFor();
      const text = await page.locator("body").innerText();
      const digest = shown.exec(text)?.[1] ?? "";
      // The visible text reveals nothing of the error itself.
      expect(text).not.toContain(title.replace(/^\w+: /, ""));

      const found = await errata.find(digest);
      expect(found.title).toBe(title);
      expect(found.report).toMatchObject({
        side: "server",
        format: "next",
        aliases: [digest],
        request: { method: "GET", route: path, url: `${path}?from=mail` },
      });
      expect(found.report.frames.length).toBeGreaterThan(0);
      expect(found.report.stack).toContain(title);

      // The lookup also works with all of the visible text.
      expect((await errata.find(text)).title).toBe(title);
    },
  );
});
