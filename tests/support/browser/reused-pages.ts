/**
 * Pages that tests use one after another. A new browser context starts a process and loads every
 * script again, which takes longer than most tests.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Pages of one browser. */
export interface ReusedPages {
  /** A page without cookies, storage, listeners and routes. The files of the build stay cached. */
  readonly take: (options: BrowserContextOptions) => Promise<Page>;
  /** Returns all pages that were taken, when a test has ended. */
  readonly returnAll: () => Promise<void>;
  /** Closes all pages. */
  readonly close: () => Promise<void>;
}

interface Slot {
  readonly page: Page;
  readonly key: string;
  /** It cannot be used again: a script for every document cannot be removed from a context. */
  isSpent: boolean;
}

/** The events of pages that tests listen to; Playwright itself needs its listeners of `close`. */
const LISTENED = [
  ...["console", "dialog", "download", "framenavigated", "pageerror", "popup"],
  ...["request", "requestfailed", "requestfinished", "response", "websocket"],
];
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** Opens pages of `browser` whose relative URLs belong to `baseURL`. */
export function reusePages(browser: Browser, baseURL: string): ReusedPages {
  const free = new Map<string, Slot[]>();
  let taken: Slot[] = [];

  async function open(key: string, options: BrowserContextOptions): Promise<Slot> {
    const context = await browser.newContext({ baseURL, ...options });
    const page = await context.newPage();
    const slot: Slot = { page, key, isSpent: false };
    for (const name of ["addInitScript", "exposeFunction", "exposeBinding", "close"] as const) {
      const original = page[name].bind(page) as (...args: never[]) => Promise<never>;
      const noted = (...args: never[]) => {
        slot.isSpent = true;
        return original(...args);
      };
      Object.assign(page, { [name]: noted });
    }
    return slot;
  }

  /** False if the page cannot be used again. */
  async function reset({ page, isSpent }: Slot): Promise<boolean> {
    const context = page.context();
    if (isSpent || page.isClosed()) return false;
    for (const type of LISTENED) page.removeAllListeners(type);
    await Promise.all(context.pages().map((other) => other === page || other.close()));
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(false);
    // A file of the same origin: for about:blank Chromium would start another process. The page
    // before it has ended when the response begins.
    await page.goto("/robots.txt", { waitUntil: "commit" });
    const origin = new URL(baseURL).origin;
    const devtools = await context.newCDPSession(page);
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await devtools.detach();
    await context.clearCookies();
    if (!isDefault(page.viewportSize())) await page.setViewportSize(DEFAULT_VIEWPORT);
    await page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null });
    return true;
  }

  return {
    async take(options) {
      const { viewport, colorScheme, ...fixed } = options;
      const key = JSON.stringify(fixed);
      const slot = free.get(key)?.pop() ?? (await open(key, fixed));
      taken.push(slot);
      if (viewport) await slot.page.setViewportSize(viewport);
      if (colorScheme) await slot.page.emulateMedia({ colorScheme });
      return slot.page;
    },
    async returnAll() {
      const slots = taken;
      taken = [];
      await Promise.all(
        slots.map(async (slot) => {
          if (await reset(slot).catch(() => false)) {
            free.set(slot.key, [...(free.get(slot.key) ?? []), slot]);
          } else {
            await slot.page.context().close();
          }
        }),
      );
    },
    async close() {
      const slots = [...free.values()].flat();
      free.clear();
      await Promise.all([...slots, ...taken].map(({ page }) => page.context().close()));
    },
  };
}

const isDefault = (size: { width: number; height: number } | null) =>
  size?.width === DEFAULT_VIEWPORT.width && size.height === DEFAULT_VIEWPORT.height;
