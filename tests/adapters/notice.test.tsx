import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createNoticeHtml, createNoticePage } from "#src/adapters/notice.ts";
import { NOTICE_TEXTS } from "#src/adapters/notice-parts.ts";
import { createProblem, createProblemResponse, wantsPage } from "#src/adapters/problem.ts";
import { createQrCode } from "#src/adapters/qr.ts";
import { Notice } from "#src/adapters/react.tsx";
import { createServerOptions } from "#src/adapters/react-server.ts";
import { configureErrata, getErrata } from "#src/adapters/server.ts";
import { findReceiptUrl, findShownDigest } from "#src/adapters/shown-digest.ts";

const DIGEST = "7F3K-Q2M9";
const render = (props: Parameters<typeof Notice>[0]) =>
  renderToStaticMarkup(createElement(Notice, props));

/** Starts the browser reporter of a page, as far as a notice sees it. */
function reportTo(to: string): void {
  vi.stubGlobal("__errata", { to });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ["as HTML", createNoticeHtml],
  ["of React", render],
])("a notice %s", (_, show) => {
  it("has the sentence alone if no server failed", () => {
    const html = show({});
    expect(html).toContain(NOTICE_TEXTS.sentence);
    expect(html).not.toContain("<code>");
    expect(html).not.toContain("<button");
  });

  it("has the digest, a button that copies it, and a link to the receipt", () => {
    const html = show({ digest: DIGEST, receiptUrl: `https://errata.example/e/${DIGEST}` });
    expect(html).toContain(`<code>${DIGEST}</code>`);
    expect(html).toContain(">Copy</button>");
    expect(html).toContain(`href="https://errata.example/e/${DIGEST}"`);
  });

  it("has no link without an address, nor for the code of a framework", () => {
    expect(show({ digest: DIGEST })).not.toContain("<a ");
    reportTo("/monitoring");
    expect(show({ digest: DIGEST })).not.toContain("<a ");
    reportTo("https://errata.example/monitoring?sentry_key=abc");
    expect(show({ digest: DIGEST })).toContain(`href="https://errata.example/e/${DIGEST}"`);
    expect(show({ digest: "2338823894" })).not.toContain("<a ");
  });

  it("escapes every value", () => {
    const hostile = `"'<script>alert(1)</script>&`;
    const texts = { sentence: hostile, digest: hostile, copy: hostile, receipt: hostile };
    const html = show({ digest: hostile, receiptUrl: hostile, nonce: hostile, texts });
    expect(html).not.toContain("<script>alert");
  });

  it("has a QR code of the receipt, if it is given one", () => {
    const qr = createQrCode(`https://errata.example/e/${DIGEST}`);
    expect(show({ digest: DIGEST, qr })).toContain(`viewBox="0 0 ${qr.size} ${qr.size}"`);
    expect(show({ digest: DIGEST })).not.toContain('errata-qr"');
    // Version 2 and the quiet zone: a longer host in small letters would need version 3.
    expect(createQrCode(`https://errata.shop.example/e/${DIGEST}`).size).toBe(25 + 4);
    expect(createQrCode(`https://shop.example/p/2/e/${DIGEST}`).size).toBe(25 + 4);
    expect(createQrCode("https://shop.example/Status/a-page-with-a-name").size).toBe(29 + 4);
  });

  it("has no style if the page has it", () => {
    expect(show({ nonce: "abc" })).toContain('<style nonce="abc">');
    expect(show({ hasStyle: false })).not.toContain("<style");
  });
});

describe("the page of a notice", () => {
  it("is a whole document", () => {
    const page = createNoticePage({ digest: DIGEST, title: "Tea & House" });
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).toContain("<title>Tea &amp; House</title>");
    expect(page).toContain(DIGEST);
  });
});

describe("the shown digest", () => {
  const stubPage = (digest?: string) => {
    const serverTiming = [{ name: "errata-digest", description: digest }];
    vi.stubGlobal("performance", { getEntriesByType: () => [{ serverTiming }] });
  };

  it("is the error's own before that of the server, of the reporter and of the page", () => {
    const error = Object.assign(new Error("x"), { digest: DIGEST });
    expect(findShownDigest(error)).toBe(DIGEST);
    configureErrata({});
    const thrown = new Error("on the server");
    const { digest } = getErrata().name(thrown);
    stubPage("TIME-DGST");
    const inBrowser = new Error("in the browser");
    expect(findShownDigest(inBrowser)).toBe("TIME-DGST");
    const find = vi.fn(() => "MARK-DGST");
    vi.stubGlobal("__errata", { to: "/monitoring", find });
    expect(findShownDigest(thrown)).toBe(digest);
    expect(findShownDigest(inBrowser)).toBe("MARK-DGST");
    expect(find.mock.calls).toEqual([[inBrowser]]);
    vi.stubGlobal("__errata", undefined);
    stubPage();
    expect(findShownDigest(inBrowser)).toBeUndefined();
  });

  it.each([undefined, null, "text", 5, { digest: 5 }, { digest: "" }])(
    "is none of a thrown %s where no server failed",
    (thrown) => {
      expect(findShownDigest(thrown)).toBeUndefined();
    },
  );

  it("is found whatever the page has replaced", () => {
    const hostile = () => {
      throw new Error("replaced");
    };
    vi.stubGlobal("performance", { getEntriesByType: hostile });
    for (const find of [undefined, hostile]) {
      vi.stubGlobal("__errata", { to: "/monitoring", find });
      expect(findShownDigest(new Error("x"))).toBeUndefined();
    }
    const error = Object.defineProperty(new Error("x"), "digest", { get: hostile });
    expect(findShownDigest(error)).toBeUndefined();
    expect(findReceiptUrl(DIGEST)).toBeUndefined();
  });
});

describe("the options of react-dom/server", () => {
  it("give React the digest of a failure, and none of a redirect", () => {
    configureErrata({});
    const { onError } = createServerOptions({ route: "/cart" });
    const error = new Error("no price");
    expect(onError(error, { componentStack: "\n    at Cart" })).toBe(
      getErrata().find(error)?.digest,
    );
    expect(onError(Object.assign(new Error("x"), { digest: "NEXT_NOT_FOUND" }))).toBeUndefined();
  });
});

describe("the problem details of a failed API", () => {
  const named = { digest: DIGEST, id: "0".repeat(32), receiptUrl: "https://errata.example/e/x" };

  it("have the digest, the receipt and the status, and nothing of the error", async () => {
    expect(createProblem(named)).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      instance: "https://errata.example/e/x",
      digest: DIGEST,
    });
    const response = createProblemResponse({ digest: DIGEST, id: named.id }, 503);
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Service Unavailable",
      status: 503,
      digest: DIGEST,
    });
  });

  it.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", null, true],
    ["*/*", "navigate", true],
    ["application/json", "cors", false],
    ["*/*", "cors", false],
    [null, null, false],
  ])("are for programs: Accept %s, Sec-Fetch-Mode %s", (accept, mode, isPage) => {
    expect(wantsPage(accept, mode)).toBe(isPage);
  });
});
