import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SELF_TEST_KINDS } from "#src/ui/setup/self-test-kinds.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();
const SENTENCE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";

/** The expected issue of each button. */
const ERRORS: Record<string, RegExp> = {
  shell: /self-test: the shell threw/,
  "before-flush": /self-test: a boundary threw before the flush/,
  "after-flush": /self-test: a boundary threw after the flush/,
  "late-rejection": /self-test: a promise rejected late/,
  deadline: /was not rendered within/,
  string: /self-test: a string was thrown/,
  null: /Null/,
  frozen: /self-test: a frozen object was thrown/,
  getters: /self-test: a getter threw/,
  "huge-message": /self-test: a message of 1 MB/,
  "cyclic-cause": /self-test: an error that caused itself/,
  fallback: /self-test: the fallback threw too/,
  "failure-page": /self-test: the shell threw/,
  recovered: /self-test: only the server failed/,
  both: /self-test: both sides failed, this is the server/,
  component: /self-test: a component threw in the browser/,
  uncaught: /self-test: an uncaught error/,
  rejection: /self-test: an unhandled rejection/,
  mismatch: /Minified React error #418/,
  chunk: /dynamically imported module/,
};
/** Kinds whose thrown value has no stack. */
const NO_STACK = new Set(["string", "null", "frozen"]);
/**
 * Failures in the browser only: their notice has no digest, and the page shows which report was
 * sent.
 */
const BROWSER_KINDS = new Set(["component", "uncaught", "rejection", "mismatch", "chunk"]);

async function pressButton(page: Page, kind: string): Promise<void> {
  await page.goto("/self-test");
  await page.locator(`form[action="/self-test/${kind}"] button`).click();
  await page.waitForURL(`**/self-test/${kind}*`);
}

/** The digest in the visible text of the page. */
async function readShownDigest(page: Page): Promise<string> {
  const line = page.getByText(/Digest: [0-9A-Z]{4}-[0-9A-Z]{4}/).first();
  await line.waitFor();
  return /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await line.innerText())?.[0] ?? "";
}

describe("every button of the self-test causes an error that the desk shows", () => {
  it("each kind has a case", () => {
    expect(Object.keys(ERRORS).sort()).toEqual(SELF_TEST_KINDS.map(({ kind }) => kind).sort());
  });

  const withDigest = SELF_TEST_KINDS.filter(({ kind }) => !BROWSER_KINDS.has(kind));
  it.each(withDigest)(
    "$kind: the digest in the notice leads to the expected error",
    async ({ kind }) => {
      const page = await product.open();
      await pressButton(page, kind);
      await page.getByText(SENTENCE).first().waitFor();
      const digest = await readShownDigest(page);
      await page.goto(`/lookup?q=${digest}`);
      expect(new URL(page.url()).pathname).toBe(`/d/${digest}`);
      await page
        .getByText(ERRORS[kind] ?? /$^/)
        .first()
        .waitFor();
      if (!NO_STACK.has(kind)) {
        const { reports } = await product.json(`/d/${digest}`);
        const stacks = (reports as { side: string; frames: unknown[] }[]).filter(
          ({ side }) => side === "server",
        );
        expect(stacks[0]?.frames.length).toBeGreaterThan(0);
      }
      await eventually(async () =>
        expect((await product.json(`/d/${digest}`)).linkedCount).toBeGreaterThan(0),
      );
    },
  );

  it.each(SELF_TEST_KINDS.filter(({ kind }) => BROWSER_KINDS.has(kind)))(
    "$kind: the browser's report leads to the expected error, and the page stays usable",
    async ({ kind }) => {
      const page = await product.open();
      await pressButton(page, kind);
      const report = page.locator("[data-self-test-report] a");
      await report.waitFor();
      if (kind !== "mismatch") {
        await page.getByText(SENTENCE).first().waitFor();
        expect(await page.getByText(/Digest: /).count()).toBe(0);
      }
      await page.getByRole("link", { name: "Issues" }).first().waitFor();
      const href = (await report.getAttribute("href")) ?? "";
      await eventually(async () => {
        const { hits } = await product.json(new URL(href).pathname + new URL(href).search);
        expect(hits).toHaveLength(1);
      });
      await page.goto(href);
      await page
        .getByText(ERRORS[kind] ?? /$^/)
        .first()
        .waitFor();
    },
  );

  it("both: the browser's report is shown on the issue of the server's error", async () => {
    const page = await product.open();
    await pressButton(page, "both");
    const digest = await readShownDigest(page);
    await eventually(async () => {
      const { reports } = await product.json(`/d/${digest}`);
      expect(JSON.stringify(reports)).toContain("both sides failed, this is the browser");
    });
    // The notice with the server's digest is still shown after hydration.
    await page.waitForFunction(() => document.querySelector("[data-island]") === null);
    expect(await readShownDigest(page)).toBe(digest);
  });

  it("the console shows the digest, the report id and the receipt", async () => {
    const page = await product.open();
    const consoleLines: string[] = [];
    page.on("console", (message) => consoleLines.push(message.text()));
    await pressButton(page, "before-flush");
    const digest = await readShownDigest(page);
    await eventually(() => {
      expect(consoleLines.join("\n")).toMatch(
        new RegExp(`digest ${digest}, report [0-9a-f]{32}.*/e/${digest}`),
      );
    });
  });
});

describe("a failed boundary shows its notice in place, and the rest of the page is unchanged", () => {
  const KINDS = ["before-flush", "after-flush", "late-rejection", "deadline", "both"];
  const expectNoticeInPlace = async (page: Page) => {
    const notice = page.locator('[data-boundary="stage"]').getByText(SENTENCE).first();
    await notice.waitFor();
    await page
      .locator('[data-boundary="stage"]')
      .getByText(/Digest: /)
      .first()
      .waitFor();
    expect(await page.getByText("Waiting for the failure…").count()).toBe(0);
    await page.getByText("The rest of the page still works").waitFor();
    await page.locator("h1").waitFor();
  };

  it.each(["after-flush", "both"])("%s, with scripts", async (kind) => {
    const page = await product.open();
    await page.goto(`/self-test/${kind}`);
    await expectNoticeInPlace(page);
  });

  it.each(KINDS)("%s, without scripts", async (kind) => {
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto(`/self-test/${kind}`);
    await expectNoticeInPlace(page);
  });

  it.each(["after-flush"])("%s, with scripts blocked by a policy", async (kind) => {
    const page = await product.open();
    await page.route("**/*", async (route) => {
      const response = await route.fetch();
      const policy = "script-src 'none'; report-uri /monitoring";
      await route.fulfill({
        response,
        headers: { ...response.headers(), "content-security-policy": policy },
      });
    });
    await page.goto(`/self-test/${kind}`);
    await expectNoticeInPlace(page);
  });

  it.each(["both"])("%s, without hydration", async (kind) => {
    const page = await product.open();
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`/self-test/${kind}`);
    await expectNoticeInPlace(page);
  });
});

it("a page whose React chunk cannot be loaded still shows the notice", async () => {
  const page = await product.open();
  await page.route("**/assets/hydrate*.js", (route) => route.fulfill({ status: 404 }));
  await page.goto("/self-test/component");
  await page.locator("[data-toast]").getByText(SENTENCE).waitFor();
});

it("an uncaught error shows the notice without loading React", async () => {
  const page = await product.open();
  const scripts: string[] = [];
  page.on(
    "request",
    (request) => request.resourceType() === "script" && scripts.push(request.url()),
  );
  await page.goto("/", { waitUntil: "load" });
  await page.evaluate(() => {
    setTimeout(function throwLater() {
      throw new Error("an uncaught error");
    });
  });
  await page.locator("[data-toast]").getByText(SENTENCE).waitFor();
  const code = await page.locator("[data-toast] code").textContent();
  await page.waitForLoadState("networkidle");
  await eventually(async () => {
    const found = await product.json(`/lookup?q=${code}`);
    expect(found.hits).toMatchObject([{ title: expect.stringContaining("an uncaught error") }]);
  });
  expect(scripts.filter((url) => url.includes("hydrate"))).toEqual([]);
});

describe("without scripts", () => {
  it("the choice to disable streaming is stored: the second page is complete at once", async () => {
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto("/self-test");
    await page.waitForURL("**/self-test?streaming=off");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect(requested.filter((path) => path === "/")).toHaveLength(1);
    expect(page.url()).not.toContain("streaming");
  });

  it("a browser with scripts deletes that choice", async () => {
    const page = await product.open();
    await page.goto("/?streaming=off");
    await eventually(async () => {
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name }) => name)).not.toContain("errata-no-streaming");
    });
  });
});
