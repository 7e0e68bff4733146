import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { copied } from "../support/clipboard.ts";
import { eventually } from "../support/eventually.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

const KEY = "0123456789abcdef0123456789abcdef";
const HOUR_MS = 3_600_000;
/** An application's own code of maximum length, without a place to break the line. */
const CODE = "X9".repeat(50);
const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)> \u202egpj.exe 💥 مرحبا \`\`\` `;

const frame = (name: string, file: string, inApp: boolean) => ({
  ...{ function: name, filename: file, lineno: 12, colno: 9, in_app: inApp },
  ...(inApp && { pre_context: ["before"], context_line: "  total(cart)", post_context: ["after"] }),
});
const library = frame("render", "/srv/shop/node_modules/react-dom/server.js", false);

interface ErrorFacts {
  readonly type?: string;
  readonly message: string;
  readonly frames?: readonly object[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly crumbs?: number;
}

/** Sends an error as a server SDK, `agoHours` ago. Resolves to its digest. */
async function report(facts: ErrorFacts, agoHours = 0, release = "shop@1.4.0"): Promise<string> {
  const { type = "TypeError", message, frames = [library, library], tags = {}, crumbs = 3 } = facts;
  const seconds = (Date.now() - agoHours * HOUR_MS) / 1000;
  const event = {
    ...{ timestamp: seconds, level: "error", release, environment: "production", tags },
    user: { id: `u${agoHours}` },
    request: {
      method: "GET",
      url: "https://shop.example/cart/7",
      headers: { Accept: "text/html" },
    },
    exception: {
      values: [
        { type: "PriceError", value: "503 from prices" },
        { type, value: message, stacktrace: { frames } },
      ],
    },
    breadcrumbs: {
      values: Array.from({ length: crumbs }, (_, n) => ({
        ...{ timestamp: seconds - crumbs + n, category: "http", message: `${message} ${n}` },
        level: n === 1 ? "warning" : "info",
      })),
    },
  };
  const response = await fetch(`${product.url}/monitoring?sentry_key=${KEY}`, {
    method: "POST",
    body: `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`,
  });
  return /digest="([^"]+)/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
}

/** Sends the reports of a browser that showed a digest: the notice, and a React error. */
async function reportNotice(digest: string): Promise<void> {
  const stack = "Error: it failed\n    at hydrate (https://shop.example/app.js:2:9)";
  for (const report of [
    { how: "notice", digest, url: "https://shop.example/cart/7" },
    { how: "recovered", type: "Error", message: "React gave up", stack, digest },
  ]) {
    const body = JSON.stringify({ errata: 1, ...report });
    await fetch(`${product.url}/monitoring`, { method: "POST", body });
  }
}

const issues = { whole: "", hostile: "", twin: "", bare: "", stepped: "" };

beforeAll(async () => {
  const app = frame("priceOf", "/srv/shop/src/price.ts", true);
  const whole = {
    message: "no price for this cart",
    frames: [library, library, app, library, app],
  };
  for (const [n, release] of ["shop@1.3.9", "shop@1.4.0", "shop@1.4.1"].entries()) {
    const tags = { plan: n ? "pro" : "free", region: "eu" };
    issues.whole = await report({ ...whole, tags }, 9 - 3 * n, release);
  }
  await reportNotice(issues.whole);
  issues.twin = await report({ ...whole, message: "no price for that cart" });
  for (const hours of [2, 1, 0]) {
    issues.stepped = await report({ type: "RangeError", message: "too many carts" }, hours);
  }
  issues.bare = await report({ message: "", frames: [], crumbs: 0 });
  issues.hostile = await report({
    type: "<b>Bold</b>Error",
    message: HOSTILE.repeat(120),
    frames: Array.from({ length: 300 }, (_, n) => frame(`${HOSTILE}${n}`, HOSTILE, n % 3 === 0)),
    tags: {
      digest: CODE,
      ...Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`k${n}`, HOSTILE])),
    },
    crumbs: 60,
  });
  await reportNotice(CODE);
});

const open = async (digest: string, options: Parameters<typeof product.open>[0] = {}) => {
  const page = await product.open(options);
  await page.goto(`/d/${digest}`);
  await page.locator("#report-heading").waitFor();
  await page.locator(".timeline").last().waitFor();
  return page;
};
const size = (width: number) => ({ viewport: { width, height: 900 } });
const overflow = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

const WIDTHS = [360, 768, 1440];
const STATES = ["whole", "hostile", "bare"] as const;

describe.each(WIDTHS)("at %i px", (width) => {
  it.each(STATES)("the issue that is %s passes axe, light and dark", async (state) => {
    const page = await open(issues[state], size(width));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page)).toEqual([]);
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  it("open menus pass axe and stay inside the window", async () => {
    const page = await open(issues.whole, size(width));
    for (const menu of ["resolved-menu", "ignored-menu", "assign-menu", "merge-menu"]) {
      await page.locator(`[popovertarget="${menu}"]`).click();
      const box = await page.locator(`#${menu}`).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });

  it("nothing moves when the fresh data arrives", async () => {
    // A snapshot cannot reserve space for data that it does not have, so wait for a current one.
    await eventually(async () => {
      const { health } = await product.json("/status");
      expect(health).toMatchObject({ snapshots: { waiting: 0 } });
    });
    const page = await product.open(size(width));
    await page.addInitScript(`
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) shifts.push(value);
      }).observe({ type: "layout-shift", buffered: true });
    `);
    await page.goto(`/d/${issues.whole}`);
    await page.locator(".timeline").last().waitFor();
    await page.waitForLoadState("networkidle");
    const moved = (await page.evaluate("shifts.reduce((sum, value) => sum + value, 0)")) as number;
    expect(moved).toBeLessThan(0.02);
  });
});

describe.each([
  { name: "with scripts", javaScriptEnabled: true },
  { name: "without scripts", javaScriptEnabled: false },
])("$name", ({ javaScriptEnabled }) => {
  it("a comment is added and deleted", async () => {
    const page = await open(issues.whole, { ...size(360), javaScriptEnabled });
    await page.locator("#comment").fill(`Seen in the cart: ${HOSTILE}`);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment-body", { hasText: "Seen in the cart: <script>" }).waitFor();
    await page.getByRole("button", { name: "Delete this comment" }).click();
    await page.locator(".comment-body").waitFor({ state: "detached" });
  });

  it("an issue is assigned and unassigned", async () => {
    const page = await open(issues.whole, { ...size(1440), javaScriptEnabled });
    await page.getByRole("button", { name: "Assign", exact: true }).click();
    await page.getByLabel("Assign to").fill("Ada");
    await page.locator("#assign-menu").getByRole("button", { name: "Assign", exact: true }).click();
    await page.locator(".assignee", { hasText: "Ada" }).waitFor();
    await page.getByRole("button", { name: "Assign", exact: true }).first().click();
    await page.getByRole("button", { name: "Unassign" }).click();
    await page.locator(".assignee").waitFor({ state: "detached" });
  });

  it("a similar issue is merged and split off", async () => {
    const page = await open(issues.whole, { ...size(1440), javaScriptEnabled });
    const other = javaScriptEnabled ? issues.twin : issues.bare;
    if (javaScriptEnabled) {
      await page.locator(".similar li", { hasText: other }).getByRole("button").click();
    } else {
      await page.getByRole("button", { name: "Merge", exact: true }).click();
      await page.getByLabel("Issue to merge into this one").fill(`${product.url}/d/${other}`);
      await page.getByRole("button", { name: `Merge into ${issues.whole}` }).click();
    }
    const split = page.getByRole("button", { name: `Split off ${other}` });
    await split.waitFor();
    expect((await product.json(`/d/${other}`)).digest).toBe(issues.whole);
    await split.click();
    await split.waitFor({ state: "detached" });
  });

  it("pagination goes through the occurrences from newest to oldest", async () => {
    const page = await open(issues.stepped, { ...size(768), javaScriptEnabled });
    for (const place of ["1 of 3", "2 of 3"]) {
      await page.locator(".pagination-position", { hasText: place }).waitFor();
      await page.getByRole("link", { name: "Older report" }).click();
    }
    await page.locator(".pagination-position", { hasText: "3 of 3" }).waitFor();
    await page.getByText("No older report").waitFor({ state: "attached" });
  });
});

it("the code that visitors saw is shown in the notice and next to the digest", async () => {
  const page = await open(issues.hostile, size(768));
  await page.locator(".notice-as-shown").getByText(CODE).waitFor();
  await page.locator(".aliases-line").getByText(CODE).waitFor();
});

describe("by keyboard", () => {
  it("a decision keeps an unsent comment, and sending the comment empties the field", async () => {
    const page = await open(issues.whole);
    const comment = page.locator("#comment");
    await page.keyboard.press("j");
    await page.locator(".pagination-position", { hasText: "2 of" }).waitFor();
    await comment.fill("half a thought");
    for (const [action, state] of [
      ["Mute", "Muted"],
      ["Reopen", "Open"],
    ] as const) {
      await page.getByRole("button", { name: action, exact: true }).click();
      await page.locator(".flash").waitFor();
      await page.locator(".decision .state", { hasText: state }).waitFor();
      expect(await comment.inputValue()).toBe("half a thought");
    }
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment-body", { hasText: "half a thought" }).waitFor();
    expect(await comment.inputValue()).toBe("");
    await page.getByRole("button", { name: "Delete this comment" }).click();
    await page.locator(".comment-body").waitFor({ state: "detached" });
  });

  it("j and k go through the occurrences, c starts a comment, a opens the assign menu", async () => {
    const page = await open(issues.whole, size(1440));
    await page.keyboard.press("j");
    await page.locator(".pagination-position", { hasText: "2 of" }).waitFor();
    await page.keyboard.press("k");
    await page.locator(".pagination-position", { hasText: "1 of" }).waitFor();
    await page.keyboard.press("a");
    await page.locator("#assign-menu").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.keyboard.type("typed");
    expect(await page.locator("#comment").inputValue()).toBe("typed");
  });
});

it("the copied Markdown equals the Markdown URL of the issue", async () => {
  const page = await open(issues.whole, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("Copied").waitFor();
  const markdown = await (await fetch(`${product.url}/d/${issues.whole}.md`)).text();
  expect(await copied(page)).toBe(markdown);
  expect(markdown).toContain("no price for this cart");
});
