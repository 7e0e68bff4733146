import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openProduct } from "../support/product.ts";

const product = openProduct();

/** React's pause between two reveals, without which a late part is shown in the next task. */
const REACT_PAUSE_MS = 300;

/** Records how long late parts wait beside their placeholders, and the positions of headings. */
const watchPage = (page: Page) =>
  page.addInitScript(() => {
    const state = { waits: [] as number[], places: {} as Record<string, number[]> };
    Object.assign(globalThis, { watched: state });
    const arrivals = new Map<Node, number>();
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) {
        for (const node of addedNodes)
          if (node instanceof HTMLElement && /^S:/.test(node.id))
            arrivals.set(node, performance.now());
        for (const node of removedNodes) {
          const atMs = arrivals.get(node);
          if (atMs !== undefined) state.waits.push(performance.now() - atMs);
        }
      }
    }).observe(document, { childList: true, subtree: true });
    const note = () => {
      for (const heading of document.querySelectorAll<HTMLElement>("main :is(h1, h2)")) {
        if (!heading.checkVisibility()) continue;
        const key = heading.textContent ?? "";
        state.places[key] ??= [];
        state.places[key].push(Math.round(heading.getBoundingClientRect().top));
      }
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });

interface Watched {
  readonly waits: readonly number[];
  readonly places: Readonly<Record<string, readonly number[]>>;
}
const readWatched = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);

/** The longest wait of a part on a page, in ms. */
async function measureLongestWait(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: "load" });
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  return Math.max(0, ...(await readWatched(page)).waits);
}

it.each(["/status", "/issues", "/csp"])(
  "late parts of %s are shown when they arrive, without a pause",
  async (path) => {
    const page = await product.open();
    await watchPage(page);
    // A busy machine delays any task, but React would pause in every one of these loads.
    let waitMs = Number.POSITIVE_INFINITY;
    for (let load = 0; load < 5 && waitMs >= REACT_PAUSE_MS / 2; load++)
      waitMs = Math.min(waitMs, await measureLongestWait(page, path));
    expect(waitMs).toBeLessThan(REACT_PAUSE_MS / 2);
  },
);

it("no heading of /status moves while the page arrives", async () => {
  const page = await product.open();
  await watchPage(page);
  await page.goto("/status", { waitUntil: "load" });
  await page.getByRole("heading", { name: "Alerts" }).waitFor();
  const { places } = await readWatched(page);
  expect(Object.keys(places)).toEqual(expect.arrayContaining(["Status", "Storage", "Alerts"]));
  for (const [heading, tops] of Object.entries(places))
    expect(Math.max(...tops) - Math.min(...tops), heading).toBeLessThan(60);
});
