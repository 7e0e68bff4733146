// The pages on which a person connects a program or a device. They need a person, so their Errata is
// not open to its machine as that of the other pages.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInByLink } from "#support/accounts/sign-in-by-link.ts";
import { findAxeViolations, LAYOUT_RULES } from "#support/browser/axe.ts";
import { measureOverflow } from "#support/browser/page-state.ts";
import { shareBrowser } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { makeLink } from "../../.tools/deploy/sign-in-link.ts";
import { serve } from "../../.tools/local/serve.ts";

const link = makeLink(readNowMs());
let served: Awaited<ReturnType<typeof serve>>;
let cookie = "";

beforeAll(async () => {
  served = await serve({ vars: { ERRATA_SETUP: link.setup } });
  cookie = await signInByLink(link.at(served.url));
});
afterAll(() => served?.stop());

async function openPage(options: { readonly javaScriptEnabled: boolean }): Promise<Page> {
  const page = await (await shareBrowser()).newPage({ baseURL: served.url, ...options });
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
  await page.context().addCookies([{ name, value, url: served.url }]);
  return page;
}

/** The code that a device shows, which waits for its person. */
async function startDevice(): Promise<string> {
  const response = await fetch(`${served.url}/oauth/device`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "errata-cli", scope: "read triage upload admin" }),
  });
  const { user_code: code } = (await response.json()) as { user_code: string };
  return code;
}

const submit = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name }).click();
  await page.waitForLoadState("load");
};

/** Pages: their path, the heading, and what leads to them from there. */
const PAGES: readonly {
  readonly name: string;
  readonly toPath: (code: string) => string;
  readonly heading: RegExp;
  readonly act?: (page: Page) => Promise<void>;
}[] = [
  { name: "that asks for a code", toPath: () => "/device", heading: /Connect a device/ },
  {
    name: "of a code that nobody knows",
    toPath: () => "/device?user_code=BCDF-GHJK",
    heading: /Connect a device/,
  },
  {
    name: "that asks for consent",
    toPath: (code) => `/device?user_code=${code}`,
    heading: /Errata command line/,
  },
  {
    name: "after Allow",
    toPath: (code) => `/device?user_code=${code}`,
    heading: /./,
    act: submit("Allow"),
  },
  {
    name: "after Deny",
    toPath: (code) => `/device?user_code=${code}`,
    heading: /./,
    act: submit("Deny"),
  },
  { name: "of a request without a program", toPath: () => "/oauth/authorize", heading: /./ },
  {
    name: "of a program that does not answer",
    toPath: () => {
      const address = encodeURIComponent("https://none.invalid/program");
      return `/oauth/authorize?client_id=${address}&redirect_uri=${address}`;
    },
    heading: /./,
  },
];

/** As in `pages.test.ts`, and a phone that is dark. The first view is checked by every rule. */
const VIEWS = [
  { width: 390, colorScheme: "light", rules: undefined },
  { width: 390, colorScheme: "dark", rules: undefined },
  { width: 360, colorScheme: "dark", rules: LAYOUT_RULES },
  { width: 1440, colorScheme: "dark", rules: LAYOUT_RULES },
] as const;

describe.each([true, false])("with scripts: %s, the page", (javaScriptEnabled) => {
  it.each(PAGES)("$name is accessible, fits every width and keeps to its CSP", async (row) => {
    const { toPath, heading, act } = row;
    const page = await openPage({ javaScriptEnabled });
    const violations: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text());
    });
    await page.goto(toPath(await startDevice()), { waitUntil: "load" });
    await act?.(page);
    expect(await page.locator("h1").first().innerText()).toMatch(heading);
    for (const { width, colorScheme, rules } of VIEWS) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      if (javaScriptEnabled) expect(await findAxeViolations(page, rules)).toEqual([]);
      expect({ width, overflow: await measureOverflow(page) }).toEqual({ width, overflow: 0 });
    }
    expect(violations).toEqual([]);
  });
});
