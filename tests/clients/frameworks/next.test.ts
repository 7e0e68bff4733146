/** Every way in which a Next.js app can fail, with the adapter. */
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp, readHeaderDigest, readReports } from "./app.ts";
import {
  ACTIONS,
  checkAction,
  checkHandler,
  checkPage,
  checkSignal,
  checkSilence,
  HANDLERS,
  PAGES,
  SIGNALS,
} from "./next-failures.ts";

const APP = {
  folder: "next",
  build: ["next", "build"],
  start: ["next", "start", "--port", "PORT", "--hostname", "127.0.0.1"],
} as const;

const errata = openErrata();
const chromium = openChromium();
const app = openApp(APP, errata);
const services = { errata, chromium, app };

describe("Next.js shows the digest of the server's report", () => {
  it.each(PAGES)("when a page fails $fails: $path", (page) => checkPage(services, page));

  it.each(ACTIONS)("when $fails fails", (action) => checkAction(services, action));

  it.each(HANDLERS)("in Server-Timing when $what fails", (handler) =>
    checkHandler(services, handler),
  );

  it("but the digest of the application, if an error has one", async () => {
    const response = await fetch(`${app.url}/own-digest`);
    expect(await response.text()).toContain("TEA-0417");
    const { report } = await errata.find("TEA-0417");
    expect(report).toMatchObject({ aliases: ["TEA-0417"], digest: readHeaderDigest(response) });
  });
});

describe("an error of the browser in Next.js", () => {
  it("is reported once, and has no digest", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/effect`);
    await page.getByText("Application error").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("Digest");
    const report = await errata.findReport({ kind: "error", type: "Error" }, page.url());
    expect(report.message).toBe("the clock stopped in the browser");
    await readReports(errata, report.digest, { server: 0, browser: 1 });
  });

  it("is not seen where the browser renders what failed on the server", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/server-alone`);
    await page.getByText("The browser rendered this").waitFor();
  });
});

describe("what is no failure in Next.js", () => {
  it.each(SIGNALS)("has its own answer and no digest: %s", (_, path, status) =>
    checkSignal(app, path, status),
  );

  it("is not reported", () => checkSilence(services));
});

describe("an Errata that does not answer", () => {
  const lonely = openApp({ ...APP, of: app });

  it("costs a failed page less than 5 ms, and the app nothing", async () => {
    const urls = { connected: `${app.url}/shell`, lonely: `${lonely.url}/shell` };
    const durations = { connected: [] as number[], lonely: [] as number[] };
    const names = ["connected", "lonely"] as const;
    for (let count = 0; count < 40; count++)
      for (const name of names) durations[name].push(await measure(urls[name]));
    const [connected = 0, without = 0] = names.map((name) => median(durations[name].slice(10)));
    expect(without).toBeLessThan(connected + 5);
    expect((await fetch(lonely.url)).status).toBe(200);
  });

  async function measure(url: string): Promise<number> {
    const startMs = performance.now();
    await (await fetch(url)).text();
    return performance.now() - startMs;
  }

  const median = (values: readonly number[]) =>
    [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
});
