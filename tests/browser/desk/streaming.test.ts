import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();

/**
 * Records the pauses in ms that React requests before it shows late parts, and the positions of
 * headings. The page's clock stands at one second, since React also waits from 2.0 to 2.3 seconds
 * after the navigation, which a busy machine reaches.
 */
const watchPage = (page: Page) =>
  page.addInitScript(() => {
    const state = { pauses: [] as number[], places: {} as Record<string, number[]> };
    Object.assign(globalThis, { watched: state });
    performance.now = () => 1_000;
    const setTimer = globalThis.setTimeout;
    const watchTimer = (task: () => void, delayMs = 0, ...args: []) => {
      if (task.name === "bound $RV") state.pauses.push(delayMs);
      return setTimer(task, delayMs, ...args);
    };
    const requestFrame = globalThis.requestAnimationFrame;
    // The first part waits for a frame, the next ones for 300 ms after it.
    const watchFrame = (task: FrameRequestCallback) => {
      if (task.name === "bound $RV") state.pauses.push(300);
      return requestFrame(task);
    };
    Object.assign(globalThis, { setTimeout: watchTimer, requestAnimationFrame: watchFrame });
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
  readonly pauses: readonly number[];
  readonly places: Readonly<Record<string, readonly number[]>>;
}
const readWatched = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);

it.each(["/status", "/issues", "/csp"])(
  "late parts of %s are shown when they arrive, without a pause",
  async (path) => {
    const page = await product.open();
    await watchPage(page);
    await page.goto(path, { waitUntil: "load" });
    await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
    const { pauses } = await readWatched(page);
    for (const pauseMs of pauses) expect(pauseMs).toBeLessThanOrEqual(0);
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
