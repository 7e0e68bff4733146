/** The app of Next.js on vinext, with the adapter: what holds there, and what does not. */
import { describe, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp, readReports } from "./app.ts";
import {
  ACTIONS,
  checkAction,
  checkHandler,
  checkPage,
  checkSignal,
  checkSilence,
  type FailingPage,
  HANDLERS,
  PAGES,
  SIGNALS,
} from "./next-failures.ts";

const errata = openErrata();
const chromium = openChromium();
const app = openApp(
  {
    folder: "vinext",
    base: "next",
    build: ["vinext", "build"],
    start: ["vinext", "start", "--port", "PORT", "--hostname", "127.0.0.1"],
  },
  errata,
);
const services = { errata, chromium, app };

/** vinext does not report a thrown text, and answers 200 where the application has an error page. */
const REPORTED = PAGES.filter(({ path }) => path !== "/text").map((page): FailingPage => {
  if (page.path === "/late") return page;
  // Its browser does not render a page again that failed on the server.
  if (page.path.startsWith("/legacy/")) return { ...page, browser: 0 };
  return { ...page, status: 200, digestIn: ["page", "header"], browser: 1, isRouteTag: false };
});

describe("vinext shows the digest of the server's report", () => {
  it.each(REPORTED)("when a page fails $fails: $path", (page) => checkPage(services, page));

  it.each(ACTIONS)("when $fails fails", (action) => checkAction(services, action));

  it.each(HANDLERS)("in Server-Timing when $what fails", (handler) =>
    checkHandler(services, handler),
  );
});

describe("vinext does not", () => {
  it("report a thrown text, of which the browser tells", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/text`);
    await page.getByText("Application error").waitFor();
    const report = await errata.findReport({ kind: "error", type: "Error" }, page.url());
    await readReports(errata, report.digest, { server: 0, browser: 1 });
  });

  it.each(SIGNALS)("give a digest to what is no failure: %s", (_, path, status) =>
    checkSignal(app, path, status),
  );

  it("report what is no failure", () => checkSilence(services));
});
