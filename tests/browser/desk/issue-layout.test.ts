// The page of an issue as people see it: the answer above the fold, the bar, tabs and actions.
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { readCopiedText } from "#support/browser/clipboard.ts";
import { openProduct } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const product = openProduct();

const source = (name: string, line: number) => ({
  ...{ function: name, filename: `/app/src/checkout/${name}.ts`, lineno: line, colno: 9 },
  ...{ in_app: true, vars: { quantity: 2, currency: "EUR" } },
  pre_context: ["export function total(line) {", "  // Rounds each line.", "  const price = null;"],
  context_line: "  return price.amount * line.quantity;",
  post_context: ["}"],
});
const error = (type: string, value: string, name: string) => ({
  ...{ type, value },
  stacktrace: { frames: [source("caller", 3), source(name, 88)] },
});
const LONG = "could not read the price of a line of the basket in this currency ".repeat(20);

/** The values of `exception` by the name of the issue; the last is the error that was reported. */
const EXCEPTIONS = {
  plain: [error("TypeError", "Cannot read properties of null (reading 'amount')", "total")],
  chain: [
    error("KeyError", "'EUR'", "prices"),
    error("OrderError", "order 9917 could not be created", "orders"),
  ],
  many: Array.from({ length: 40 }, (_, n) => error(`Cause${n}Error`, `failure ${n}`, `c${n}`)),
  long: [error("sqlalchemy.exc.OperationalError", LONG, "total")],
  rightToLeft: [error("TypeError", "لا يوجد سعر لهذا المنتج في السلة", "total")],
  bare: [{ type: "Error", value: "" }],
};
type Name = keyof typeof EXCEPTIONS | "csp" | "message";
const digests: Partial<Record<Name, string>> = {};

async function send(body: string, type?: string): Promise<string> {
  const headers = new Headers(type === undefined ? [] : [["content-type", type]]);
  const url = `${product.url}/monitoring?sentry_key=${KEY}`;
  const response = await fetch(url, { method: "POST", headers, body });
  return /digest="([^"]+)/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
}

beforeAll(async () => {
  const event = (more: object) =>
    send(
      `{}\n{"type":"event"}\n${JSON.stringify({
        ...{ timestamp: readNowMs() / 1000, release: "shop@1.4.0", environment: "production" },
        ...more,
      })}\n`,
    );
  for (const [name, values] of Object.entries(EXCEPTIONS))
    digests[name as Name] = await event({ exception: { values } });
  digests.message = await event({ message: "Payment was retried 5 times", level: "warning" });
  const violation = {
    ...{ "document-uri": "https://shop.example/help", "blocked-uri": "https://chat.example/a.js" },
    ...{ "effective-directive": "script-src-elem", "original-policy": "script-src 'self'" },
  };
  const body = JSON.stringify({ "csp-report": violation });
  digests.csp = await send(body, "application/csp-report");
});

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };
type Options = Parameters<typeof product.open>[0];

async function open(name: Name, options: Options = DESK) {
  const page = await product.open(options);
  await page.goto(`/d/${digests[name]}`);
  await page.locator("#report-heading").waitFor();
  await page.locator(".timeline").last().waitFor();
  return page;
}
type Page = Awaited<ReturnType<typeof open>>;

const findTop = async (page: Page, selector: string) =>
  (await page.locator(selector).filter({ visible: true }).first().boundingBox())?.y;

describe("the source begins above the fold", () => {
  it.each<[Name, string, Options, number]>([
    ["plain", "on a desk", DESK, 330],
    ["chain", "on a desk, with a chain of causes", DESK, 330],
    ["many", "on a desk, with forty causes", DESK, 330],
    ["long", "on a desk, with a long title", DESK, 330],
    ["rightToLeft", "on a desk, with a title from right to left", DESK, 330],
    ["plain", "on a phone", PHONE, 346],
    ["chain", "on a phone, with a chain of causes", PHONE, 346],
    ["rightToLeft", "on a phone, with a title from right to left", PHONE, 346],
  ])("%s: %s", async (name, _, options, maxY) => {
    const page = await open(name, options);
    expect(await findTop(page, ".source")).toBeLessThanOrEqual(maxY);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(options?.viewport?.width ?? 0);
  });
});

describe.each([
  ["light", "light"],
  ["dark", "dark"],
] as const)("in %s colors", (_, colorScheme) => {
  it.each(Object.keys({ ...EXCEPTIONS, message: "", csp: "" }) as Name[])(
    "the page passes axe and stays inside the window, on a desk and a phone: %s",
    async (name) => {
      for (const view of [DESK, PHONE]) {
        const page = await open(name, { ...view, colorScheme });
        expect(await findAxeViolations(page)).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect(width).toBeLessThanOrEqual(view.viewport.width);
      }
    },
  );
});

it.each([true, false])(
  "the tabs of a chain show the stack of one error, with scripts: %s",
  async (javaScriptEnabled) => {
    const page = await open("chain", { ...DESK, javaScriptEnabled });
    const shown = page.locator(".error").filter({ visible: true });
    expect(await shown.count()).toBe(1);
    expect(await shown.textContent()).toContain("prices.ts");
    await page.getByRole("radio", { name: /OrderError/ }).check({ force: true });
    expect(await shown.count()).toBe(1);
    expect(await shown.textContent()).toContain("orders.ts");
    // One stop of the Tab key; the arrow keys change the tab.
    await page.keyboard.press("ArrowLeft");
    expect(await shown.textContent()).toContain("prices.ts");
  },
);

it("the bar stays at the top, and the title enters it when the heading has left", async () => {
  const page = await open("plain", { viewport: { width: 1440, height: 500 } });
  const title = page.locator(".bar-title");
  const readOpacity = () => title.evaluate((element) => Number(getComputedStyle(element).opacity));
  expect(await readOpacity()).toBe(0);
  const before = await title.boundingBox();
  await page.evaluate("scrollTo(0, 400)");
  await expect.poll(readOpacity).toBe(1);
  const bar = await page.locator(".issue-bar").boundingBox();
  expect([bar?.y, bar?.height]).toEqual([0, 48]);
  const after = await title.boundingBox();
  expect([after?.x, after?.width]).toEqual([before?.x, before?.width]);
});

it("the title is simply in the bar for people who want less motion", async () => {
  const page = await open("plain", { ...DESK, reducedMotion: "reduce" });
  const title = page.locator(".bar-title");
  expect(await title.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
});

it("on a phone, the actions are at the bottom edge, and nothing is behind them at the end", async () => {
  const page = await open("plain", PHONE);
  const actions = await page.locator(".issue-bar .actions").boundingBox();
  expect((actions?.y ?? 0) + (actions?.height ?? 0)).toBe(844);
  for (const name of ["Resolve", "More actions"]) {
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const footer = await page.locator(".site-footer").boundingBox();
  expect(Math.floor((footer?.y ?? 0) + (footer?.height ?? 0))).toBeLessThanOrEqual(actions?.y ?? 0);
});

it.each([true, false])(
  "rare actions are in a menu, with scripts: %s",
  async (javaScriptEnabled) => {
    const page = await open("plain", { ...DESK, javaScriptEnabled });
    expect(await page.getByRole("button", { name: "Erase…" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Erase…" }).click();
    await page.locator("#erase-issue").waitFor();
    expect(await page.locator("#more-menu").isVisible()).toBe(true);
  },
);

it("a frame is copied as its path and line, and opens in the editor that was set", async () => {
  const page = await product.openForFile({
    ...DESK,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto("/settings/repositories");
  const form = page.locator('[aria-labelledby="editor"]');
  await form.getByRole("combobox").selectOption("VS Code");
  await page.getByLabel("Folder of the code on this machine").fill("shop");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("absolute path").waitFor();
  await form.getByRole("combobox").selectOption("VS Code");
  await page.getByLabel("Folder of the code on this machine").fill("/home/ada/shop");
  await form.getByRole("button", { name: "Save" }).click();
  await page.goto(`/d/${digests.plain}`);
  const frame = page.locator(".frame").first();
  expect(await frame.getByRole("link", { name: "VS Code" }).getAttribute("href")).toBe(
    "vscode://file/home/ada/shop/src/checkout/total.ts:88:9",
  );
  await frame.getByRole("button", { name: /^Copy path:line/ }).click();
  await frame.getByText("Copied").waitFor();
  expect(await readCopiedText(page)).toBe("src/checkout/total.ts:88");
});
