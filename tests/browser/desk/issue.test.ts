import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { readCopiedText } from "#support/browser/clipboard.ts";
import { openProduct } from "#support/browser/product.ts";
import {
  CODE,
  HOSTILE,
  reportSampleIssues,
  type SampleIssues,
} from "#support/browser/sample-issues.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

let issues: SampleIssues;
beforeAll(async () => {
  issues = await reportSampleIssues(product.url);
});

const open = async (digest: string, options: Parameters<typeof product.open>[0] = {}) => {
  const page = await product.open(options);
  await page.goto(`/d/${digest}`);
  await page.locator("#report-heading").waitFor();
  await page.locator(".timeline").last().waitFor();
  return page;
};
const ofWidth = (width: number) => ({ viewport: { width, height: 900 } });
it("open menus pass axe and stay inside a narrow window", async () => {
  const width = 360;
  const page = await open(issues.whole, ofWidth(width));
  for (const menu of ["resolved-menu", "snooze-menu", "assign-menu", "more-menu", "merge-menu"]) {
    if (menu === "merge-menu") await page.locator('[popovertarget="more-menu"]').click();
    await page.locator(`[popovertarget="${menu}"]`).click();
    const box = await page.locator(`#${menu}`).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

it("nothing moves when the fresh data arrives", async () => {
  // A snapshot cannot reserve space for data that it does not have. That of an issue with a new
  // comment is written at once.
  const commented = await open(issues.whole);
  await commented.locator("#comment").fill("Seen in the cart");
  await commented.getByRole("button", { name: "Comment", exact: true }).click();
  await commented.locator(".comment-body").waitFor();
  await eventually(async () => expect(await measureShift()).toBeLessThan(0.02));
  await commented.getByRole("button", { name: "Delete this comment" }).click();
  await commented.locator(".comment-body").waitFor({ state: "detached" });
});

it.each([390, 768, 1350])("local times move nothing below them, at %i px", async (width) => {
  const page = await open(issues.whole, ofWidth(width));
  await page.getByRole("button", { name: "Show UTC" }).first().waitFor();
  const id = page.locator(".report-meta code");
  const shown = await id.boundingBox();
  // As the server sends it.
  await page.locator(".report-meta").evaluate((meta) => {
    const time = meta.querySelector("time[data-clock]");
    if (time) time.textContent += " UTC";
    const button = meta.querySelector(".zone-switch");
    button?.setAttribute("hidden", "");
    button?.replaceChildren();
  });
  expect(await id.boundingBox()).toEqual(shown);
});

/** The layout shift of the issue's page, from its first byte until it is complete. */
async function measureShift(): Promise<number> {
  const page = await product.open(ofWidth(768));
  await page.addInitScript(`
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shifts.push(value);
    }).observe({ type: "layout-shift", buffered: true });
  `);
  await page.goto(`/d/${issues.whole}`);
  await page.locator(".timeline").last().waitFor();
  await page.waitForLoadState("networkidle");
  const shift: number = await page.evaluate("shifts.reduce((sum, value) => sum + value, 0)");
  await page.close();
  return shift;
}

describe.each([
  { name: "with scripts", javaScriptEnabled: true },
  { name: "without scripts", javaScriptEnabled: false },
])("$name", ({ javaScriptEnabled }) => {
  it("a comment is added and deleted", async () => {
    const page = await open(issues.whole, { ...ofWidth(360), javaScriptEnabled });
    await page.locator("#comment").fill(`Seen in the cart: ${HOSTILE}`);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment-body", { hasText: "Seen in the cart: <script>" }).waitFor();
    await page.getByRole("button", { name: "Delete this comment" }).click();
    await page.locator(".comment-body").waitFor({ state: "detached" });
  });

  it("a similar issue is merged and split off", async () => {
    const page = await open(issues.whole, { ...ofWidth(1440), javaScriptEnabled });
    const other = javaScriptEnabled ? issues.twin : issues.bare;
    if (javaScriptEnabled) {
      await page.locator(".similar li", { hasText: other }).getByRole("button").click();
    } else {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("button", { name: "Merge…" }).click();
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
    const page = await open(issues.stepped, { ...ofWidth(768), javaScriptEnabled });
    for (const place of ["1 of 3", "2 of 3"]) {
      await page.locator(".pagination-position", { hasText: place }).waitFor();
      await page.getByRole("link", { name: "Older report" }).click();
    }
    await page.locator(".pagination-position", { hasText: "3 of 3" }).waitFor();
    await page.getByText("No older report").waitFor({ state: "attached" });
  });
});

describe("the time of a report", () => {
  it("is in the time zone of the browser, or in UTC for a visitor who chose it", async () => {
    const page = await open(issues.whole, { timezoneId: "Asia/Kolkata" });
    const clock = page.locator(".report-meta [data-clock]");
    const at = new Date((await clock.getAttribute("datetime")) ?? "");
    const format = (date: Date) => `${date.toUTCString().slice(5, 25).replace(/^0/, "")}`;
    const local = format(new Date(at.getTime() + 5.5 * 3_600_000)).replace(/(\d{4}) /, "$1, ");
    const utc = `${format(at).replace(/(\d{4}) /, "$1, ")} UTC`;
    const seen = page.locator(".issue-stats time");
    const readSeen = async () => [
      await seen.first().getAttribute("title"),
      await seen.nth(1).textContent(),
    ];
    expect(await clock.textContent()).toBe(local);
    await seen.first().hover();
    expect((await readSeen()).join()).not.toContain("UTC");
    await page.getByRole("button", { name: "Show UTC" }).click();
    expect(await clock.textContent()).toBe(utc);
    for (const text of await readSeen()) expect(text).toMatch(/ UTC$/);
    await page.reload();
    await page.getByRole("button", { name: "Show local time" }).waitFor();
    expect(await clock.textContent()).toBe(utc);
  });

  it("is not shown twice when the page arrives in the middle of its text", async () => {
    const page = await product.open({ timezoneId: "Asia/Kolkata" });
    let sendRest = () => {};
    const server = createServer(async (request, response) => {
      const { headers, url = "" } = request;
      const answer = await fetch(new URL(url, product.url), {
        headers: { cookie: headers.cookie ?? "", accept: headers.accept ?? "" },
      });
      response.setHeader("content-type", answer.headers.get("content-type") ?? "");
      const body = Buffer.from(await answer.arrayBuffer());
      if (!url.startsWith("/d/")) return response.end(body);
      // A late part: after the element of the script.
      const [start, rest] = body.toString().split("</body>");
      const time = '<time id="late" datetime="2026-11-21T17:41:43Z" data-clock="whole">';
      response.write(`${start}${time}21 No`);
      sendRest = () => response.end(`v 2026, 17:41:43 UTC</time></body>${rest}`);
    }).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const loaded = page.goto(`http://127.0.0.1:${port}/d/${issues.whole}`);
      await page
        .locator(".issue-stats time[data-initialized]")
        .first()
        .waitFor({ state: "attached" });
      sendRest();
      await loaded;
      expect(await page.locator("#late").textContent()).toBe("21 Nov 2026, 23:11:43");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("is in UTC without scripts", async () => {
    const page = await open(issues.whole, { javaScriptEnabled: false });
    expect(await page.locator(".report-meta [data-clock]").textContent()).toMatch(/ UTC$/);
    expect(await page.locator(".zone-switch").isVisible()).toBe(false);
  });
});

it("the code that visitors saw is shown in the notice and next to the digest", async () => {
  const page = await open(issues.hostile, ofWidth(768));
  await page.locator(".shown-notice").getByText(CODE).waitFor();
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
      ["Archive", "Archived"],
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
    const page = await open(issues.whole, ofWidth(1440));
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
  expect(await readCopiedText(page)).toBe(markdown);
  expect(markdown).toContain("no price for this cart");
});

it("the copy button says that the Markdown could not be loaded", async () => {
  const page = await open(issues.whole, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.route("**/*.md?*", (route) => route.abort());
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("The text could not be loaded").waitFor();
});
