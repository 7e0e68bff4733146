// The notice of `errata/react` in Chromium, beside the reporter: what visitors read is what is sent.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { bundleForPage, openShop } from "#support/browser/reporting-shop.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();
const shop = openShop(product);
const START = `failing.startErrata({ to: "https://errata.example/monitoring" });`;
const LOCAL = `failing.startErrata({ to: "/monitoring?sentry_key=0123456789abcdef0123456789abcdef" });`;

let script = "";
beforeAll(async () => {
  script = await bundleForPage("failing-boundaries.tsx", "failing");
});

/** Opens a page with the module, after which the source `start` runs. */
async function openPage(
  path: string,
  start: string,
  { headers = {}, marked = [] as readonly string[] } = {},
): Promise<Page> {
  const javaScript = { "content-type": "text/javascript" };
  shop.serve(`${path}.js`, { headers: javaScript, body: `${script};${start}` });
  const templates = marked.map((digest) => `<template data-dgst="${digest}"></template>`).join("");
  const html = `<!doctype html><title>Shop</title><body>${templates}<script nonce="abc" src="${path}.js"></script>`;
  shop.serve(path, { headers, body: html });
  const page = await product.open();
  await page.goto(shop.url + path);
  return page;
}

const timed = (digest: string) => ({ "server-timing": `errata-digest;desc="${digest}"` });
const readDigests = (page: Page) => page.locator(".errata-notice code").allInnerTexts();

describe("the notices of a page whose server failed", () => {
  it("show the digests that their errors are reported with, each once", async () => {
    const page = await openPage("/two", LOCAL, {
      headers: timed("AAAA-0001"),
      marked: ["AAAA-0001", "BBBB-0002"],
    });
    await page.evaluate(
      `failing.showFailures([new Error("one"), new Error("two"), new Error("three")])`,
    );
    await eventually(() => expect(shop.reports()).toHaveLength(3));
    const reported = shop.reports().map(({ message, digest }) => [message, digest]);
    expect(reported).toEqual([
      ["one", "AAAA-0001"],
      ["two", "BBBB-0002"],
      ["three", undefined],
    ]);
    expect(await readDigests(page)).toEqual(["AAAA-0001", "BBBB-0002"]);
  });

  it("are reported each, if the errors differ in their digests alone", async () => {
    const page = await openPage("/omitted", LOCAL);
    const create = (digest: string) =>
      `Object.assign(new Error("omitted in production"), { stack: "", digest: "${digest}" })`;
    await page.evaluate(`failing.showFailures([${create("AAAA-0001")}, ${create("BBBB-0002")}])`);
    await eventually(() => expect(shop.reports()).toHaveLength(2));
    expect(shop.reports().map(({ digest }) => digest)).toEqual(["AAAA-0001", "BBBB-0002"]);
    expect(await readDigests(page)).toEqual(["AAAA-0001", "BBBB-0002"]);
  });

  it("show the page's digest for an error whose own is empty", async () => {
    const page = await openPage("/empty", LOCAL, { headers: timed("AAAA-0001") });
    await page.evaluate(`failing.showFailures([Object.assign(new Error("x"), { digest: "" })])`);
    await eventually(() => expect(shop.reports()).toHaveLength(1));
    expect(shop.reports()[0]?.digest).toBe("AAAA-0001");
    expect(await readDigests(page)).toEqual(["AAAA-0001"]);
  });

  it("report the errors whose digest they show, once", async () => {
    const page = await openPage("/notices", LOCAL, { headers: timed("AAAA-0001") });
    await page.evaluate(
      `failing.showNotices([new Error("of the page"), new Error("of the browser")])`,
    );
    await page.evaluate(`failing.showFailures([new Error("in a boundary")])`);
    await eventually(() => expect(shop.reports()).toHaveLength(2));
    expect(shop.reports().map(({ message, digest }) => [message, digest])).toEqual([
      ["of the page", "AAAA-0001"],
      ["in a boundary", undefined],
    ]);
  });

  it("do not show its digest after a soft navigation, nor is it reported", async () => {
    const page = await openPage("/soft", LOCAL, {
      headers: timed("AAAA-0001"),
      marked: ["BBBB-0002"],
    });
    shop.serve("/soft/other", {});
    await page.evaluate(`history.pushState(null, "", "/soft/other");
      failing.showFailures([new Error("on the next page")])`);
    await page.locator(".errata-notice").waitFor();
    await page.evaluate(`history.pushState(null, "", "/soft")`);
    await page.evaluate(`failing.showFailures([new Error("on the first page again")])`);
    await eventually(() => expect(shop.reports()).toHaveLength(2));
    expect(shop.reports().map(({ message, digest }) => [message, digest])).toEqual([
      ["on the next page", undefined],
      ["on the first page again", "BBBB-0002"],
    ]);
    expect(await readDigests(page)).toEqual(["BBBB-0002"]);
  });

  it.each([
    ["that does not report", START.replace("})", ", sample: 0 })"), ["AAAA-0001"]],
    ["with the reporter", START, ["AAAA-0001"]],
    ["without a reporter", "", []],
  ])(
    "show the digest of a view %s, with its receipt where it is known",
    async (_, start, linked) => {
      const page = await openPage(`/view-${linked.length}-${start.length}`, start, {
        headers: timed("AAAA-0001"),
      });
      await page.evaluate(`failing.showFailures([new Error("x")])`);
      await page.getByText("AAAA-0001").waitFor();
      const links = await page
        .locator(".errata-notice a")
        .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
      expect(links).toEqual(linked.map((digest) => `https://errata.example/e/${digest}`));
    },
  );
});

describe("a notice under a strict policy", () => {
  it("has its style by the nonce of the page, and violates nothing", async () => {
    const policy =
      "default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src 'self'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'";
    const page = await openPage("/strict", "", {
      headers: { "content-security-policy": policy, ...timed("AAAA-0001") },
    });
    const problems: string[] = [];
    page.on("console", (message) => {
      if (/policy|trusted/i.test(message.text())) problems.push(message.text());
    });
    await page.evaluate(`failing.showFailures([new Error("x")])`);
    await page.getByText("AAAA-0001").waitFor();
    const display = await page
      .locator(".errata-notice")
      .evaluate((notice) => getComputedStyle(notice).display);
    expect(display).toBe("flex");
    expect(problems).toEqual([]);
  });

  it("keeps its mark small where its style is forbidden", async () => {
    const page = await openPage("/no-style", "", {
      headers: { "content-security-policy": "style-src 'none'", ...timed("AAAA-0001") },
    });
    await page.evaluate(`failing.showFailures([new Error("x")])`);
    await page.getByText("AAAA-0001").waitFor();
    const mark = await page.locator(".errata-notice svg").boundingBox();
    expect(mark?.width).toBeLessThan(30);
  });
});
