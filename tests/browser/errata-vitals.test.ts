// `errata/vitals` in Chromium: what it measures and sends.

import { beforeAll, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { bundleForPage, openShop } from "#support/browser/reporting-shop.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();
const shop = openShop(product);
let script = "";

beforeAll(async () => {
  script = await bundleForPage("../../../src/adapters/vitals.ts", "vitals");
});

async function openPage(path: string, options: string) {
  shop.serve("/vitals.js", { headers: { "content-type": "text/javascript" }, body: script });
  shop.serve("/left", { body: "<!doctype html><title>Left</title>" });
  shop.serve(path, {
    headers: { "server-timing": 'errata-token;desc="a-token"' },
    body: `<!doctype html><title>Shop</title><script src="/vitals.js"></script>
      <script>vitals.startVitals({ to: "/monitoring?sentry_key=0123456789abcdef0123456789abcdef", ${options} })</script>
      <div id="late"></div><h1>Tea</h1><button>Buy</button>
      <script>document.querySelector("button").onclick = () => {
        const end = performance.now() + 60;
        while (performance.now() < end);
      }</script>`,
  });
  const page = await product.open();
  await page.goto(shop.url + path, { waitUntil: "load" });
  return page;
}

it("sends the values of a view once, when it is hidden, and Errata counts them", async () => {
  const page = await openPage("/measured", 'release: "shop@1"');
  // What moves before the first paint is no shift, and the page may be loaded before it is painted.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const options = { type: "paint", buffered: true };
        new PerformanceObserver(() => resolve()).observe(options);
      }),
  );
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new PerformanceObserver(() => resolve()).observe({ type: "layout-shift" });
        const style = document.querySelector<HTMLElement>("#late")?.style;
        requestAnimationFrame(() => style?.setProperty("height", "200px"));
      }),
  );
  // Observed before the click: the browser keeps no event below 104 ms for later observers.
  const measured = await page.evaluateHandle(() => ({
    promise: new Promise<void>((resolve) => {
      const options = { type: "event", durationThreshold: 40 };
      new PerformanceObserver(() => resolve()).observe(options);
    }),
  }));
  await page.click("button");
  await measured.evaluate(({ promise }) => promise);
  expect(shop.bodies()).toEqual([]);
  await page.goto(`${shop.url}/left`);
  await page.goBack();
  await eventually(() => expect(shop.bodies()).toHaveLength(1));
  const [{ release, token, reports }] = shop.bodies() as [ReturnType<typeof shop.bodies>[number]];
  expect([release, token]).toEqual(["shop@1", "a-token"]);
  expect(reports).toEqual([
    {
      how: "vitals",
      url: `${shop.url}/measured`,
      at: expect.any(Number),
      vitals: {
        ttfb: expect.any(Number),
        fcp: expect.any(Number),
        lcp: expect.any(Number),
        cls: expect.any(Number),
        inp: expect.any(Number),
      },
    },
  ]);
  const { vitals } = reports[0] as unknown as { vitals: Record<string, number> };
  expect(vitals.cls).toBeGreaterThan(0);
  expect(vitals.inp).toBeGreaterThanOrEqual(56);
  expect(vitals.lcp).toBeGreaterThanOrEqual(vitals.fcp ?? 0);
  await eventually(async () => {
    const { outcomes } = await product.json("/status");
    expect(outcomes).toContainEqual({ outcome: "counted", item: "vitals", today: 1, total: 1 });
  });
});

it("measures a share of page views: none, if that is the share", async () => {
  const page = await openPage("/unmeasured", "sample: 0");
  const isSent = page
    .waitForRequest((request) => request.method() === "POST", { timeout: 1_000 })
    .then(() => true)
    .catch(() => false);
  await page.goto(`${shop.url}/left`);
  expect(await isSent).toBe(false);
});
