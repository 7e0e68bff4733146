import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openShop, waitForEventId } from "./shop.ts";

const errata = openErrata();
const chromium = openChromium();
const shop = openShop(errata, chromium);

/** The ways to configure an SDK for Errata, and the URL that it then sends to. */
const WAYS = [
  {
    way: "by its DSN, from another origin",
    options: () => ({ dsn: errata.dsn }),
    to: () => `${errata.url}/api/1/envelope/`,
  },
  {
    way: "by a DSN with a path, from another origin",
    options: () => ({ dsn: errata.dsn.replace(/1$/, "under/a/path/1") }),
    to: () => `${errata.url}/under/a/path/api/1/envelope/`,
  },
  {
    way: "by a tunnel on its own origin, which forwards to the reporting path",
    options: () => ({ dsn: errata.dsn, tunnel: "/tunnel" }),
    to: () => `${shop.url}/tunnel`,
  },
  {
    way: "by a tunnel that is the reporting path itself, on another origin",
    options: () => ({ dsn: errata.dsn, tunnel: `${errata.url}/monitoring` }),
    to: () => `${errata.url}/monitoring`,
  },
  {
    way: "by its managed tunnel, whose path it derives from the DSN",
    options: () => ({ dsn: errata.dsn, tunnel: true }),
    to: () => new RegExp(`^${shop.url}/[0-9a-z]+$`),
  },
];

const SPANS = /^(transaction|span)$/;

/** The fault behind each button of the page, and the expected report. */
const MISTAKES = [
  {
    button: "uncaught",
    title: "TypeError: no price for this cart",
    functions: ["priceOf"],
  },
  {
    button: "rejection",
    title: "RangeError: the cart has no such page",
    functions: ["loadCart"],
  },
  {
    button: "captured",
    title: "Error: paying by invoice failed",
    functions: ["payWith"],
    cause: { type: "TypeError", message: "no price for this cart", function: "priceOf" },
  },
  { button: "message", title: "Message: the cart was emptied", level: "warning" },
  { button: "string", title: /the shop is closed$/ },
  {
    button: "breadcrumbs",
    title: "Error: counted wrongly",
    breadcrumbs: [
      { category: "console", message: /the cart is being counted/ },
      { category: "cart", message: /three items/ },
      { category: "fetch", message: /\/stock/ },
    ],
  },
];

describe.each(WAYS)("@sentry/browser $way", ({ options, to }) => {
  it("gets a 200 for its first envelope, a session", async () => {
    const { sent, cors } = await shop.visit(options());
    const [first] = await eventually(() => {
      expect(sent.length).toBeGreaterThan(0);
      return sent;
    });
    const url = to();
    expect(first).toMatchObject({ items: ["session"], status: 200 });
    expect(first?.url.replace(/\?.*/, "")).toMatch(url);
    expect(cors).toEqual([]);
  });

  it.each(MISTAKES)("sends an event that is stored complete: $button", async (mistake) => {
    const { page, sent, cors } = await shop.visit(options());
    await page.click(`#${mistake.button}`);
    const id = await waitForEventId(sent);
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect(cors).toEqual([]);

    const { title, report } = await errata.find(id);
    expect(title).toMatch(mistake.title);
    expect(report).toMatchObject({
      eventId: id,
      trust: "public",
      side: "browser",
      format: "sentry",
      release: "shop@1.4.0",
      environment: "staging",
      level: mistake.level ?? "error",
      request: { url: expect.stringContaining(shop.url) },
    });
    const clicked = {
      category: "ui.click",
      message: expect.stringContaining(`#${mistake.button}`),
    };
    expect(report.breadcrumbs).toContainEqual(expect.objectContaining(clicked));
    for (const { category, message } of mistake.breadcrumbs ?? []) {
      const said = { category, message: expect.stringMatching(message) };
      expect(report.breadcrumbs).toContainEqual(expect.objectContaining(said));
    }
    for (const name of mistake.functions ?? []) {
      const frame = { function: name, file: `${shop.url}/page.js`, inApp: true };
      expect(report.frames[0]).toMatchObject(frame);
    }
    if (mistake.cause !== undefined) {
      const { function: thrownIn, ...said } = mistake.cause;
      expect(report.causes).toMatchObject([said]);
      expect(report.causes?.[0]?.frames[0]?.function).toBe(thrownIn);
    }
  });
});

describe("@sentry/browser with tracing", () => {
  it("learns from the first response that spans are not stored, and sends only errors", async () => {
    const { page, sent } = await shop.visit({ dsn: errata.dsn, tracesSampleRate: 1 });
    await eventually(() => expect(sent[0]).toMatchObject({ items: ["session"], status: 200 }));
    await page.click("#traced");
    await page.evaluate(() => window.flushSentry());
    await page.click("#captured");
    const { title } = await errata.find(await waitForEventId(sent));
    expect(title).toBe("Error: paying by invoice failed");
    expect(sent.flatMap(({ items }) => items).filter((item) => SPANS.test(item))).toEqual([]);
  });
});
