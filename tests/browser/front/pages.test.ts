// Pages behind the front as Chromium understands them: the same documents, whose errors arrive from
// the first script on.

import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTag, findTagPlace } from "#src/front/head-tag.ts";
import { createLaunchOptions } from "#support/browser/chromium.ts";
import { openProduct } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { FRONT_KEY, type FrontInTest, openFront } from "#support/front/front.ts";
import { CORPUS_PAGES, findMark, toBytes } from "#support/front/pages.ts";
import { type ExactSite, openExactSite } from "#support/front/site.ts";
import { createCertificate } from "#support/http/certificate.ts";
import { root } from "../../../.tools/install.mjs";

const product = openProduct({ serverKey: FRONT_KEY });
const HTML = "text/html; charset=utf-8";
const pages = new Map<
  string,
  { text: string; headers?: Record<string, string>; status?: number }
>();
let site: ExactSite;
let front: FrontInTest;

function openInFront(options: Parameters<typeof openFront>[1] = {}): Promise<FrontInTest> {
  const { host, port } = new URL(product.url);
  const vars = { ERRATA_DSN: `http://${FRONT_KEY}@${host}/1`, ERRATA_RELEASE: "shop@3" };
  return openFront(site, { deskPort: Number(port), vars, ...options });
}

beforeAll(async () => {
  site = await openExactSite((url) => {
    const { text = "", headers, status } = pages.get(url) ?? { status: 404 };
    const type = url.endsWith(".js") ? "text/javascript" : HTML;
    const chunks = [Buffer.from(text)];
    return { status, headers: { "content-type": type, ...headers }, chunks };
  });
  front = await openInFront();
});
afterAll(async () => {
  await front?.stop();
  await site?.close();
});

/** The first issue with these words, as soon as it is stored. */
function findIssue(words: string) {
  return eventually(async () => {
    const { issues } = await product.json(`/issues?q=${encodeURIComponent(words)}`);
    const [issue] = issues as { digest: string; trust: string; count: number }[];
    expect(issue, words).toBeDefined();
    return issue as { digest: string; trust: string; count: number };
  });
}

describe("a document with the tag", () => {
  it.each(CORPUS_PAGES.filter(({ page }) => findMark(page) !== undefined && page.length < 10_000))(
    "is the same document with one script more: $name",
    async ({ page: text, type = "charset" }) => {
      const bytes = toBytes(text);
      const tag = createTag({ src: "/monitoring/errata.js" });
      const isCharsetUnnamed = !type.includes("charset");
      const options = { isEnd: true, isEncoded: false, isCharsetUnnamed, tagBytes: tag.length };
      const place = findTagPlace(bytes, options);
      if (typeof place === "string") throw new Error(`There is no place: ${place}`);
      const before = bytes.toString("latin1");
      const after = before.slice(0, place.at) + tag + before.slice(place.at);
      const page = await product.open();
      const parsed = await page.evaluate(
        ([one, other]) =>
          [one, other].map((source) => {
            const document = new DOMParser().parseFromString(source ?? "", "text/html");
            const [script, ...others] = document.querySelectorAll("script[data-errata]");
            const isFirst = document.head?.firstElementChild === script;
            script?.remove();
            const html = document.documentElement.outerHTML;
            const doctype =
              document.doctype && new XMLSerializer().serializeToString(document.doctype);
            return { html, doctype, mode: document.compatMode, isFirst, count: others.length };
          }),
        [before.replace(/^ï»¿/, ""), after.replace(/^ï»¿/, "")],
      );
      const [
        { isFirst: _, ...expected } = { isFirst: false },
        { isFirst, ...found } = { isFirst: false },
      ] = parsed;
      expect(found).toEqual(expected);
      expect(isFirst).toBe(true);
    },
  );
});

describe("the errors of a page", () => {
  it("arrive from its first inline script on, with its token, release and trace", async () => {
    pages.set("/first", {
      text: `<html><head><script>throw new TypeError("no first price")</script></head><body><script src="/gone.js"></script></body></html>`,
    });
    const page = await product.open();
    await page.goto(`${front.url}/first`);
    const { digest, trust } = await findIssue("no first price");
    expect(trust).toBe("page");
    const { reports } = await product.json(`/d/${digest}`);
    const trace = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType("navigation");
      const { serverTiming } = navigation as PerformanceNavigationTiming;
      return serverTiming.find(({ name }) => name === "errata-trace")?.description;
    });
    expect(reports).toMatchObject([
      {
        side: "browser",
        release: "shop@3",
        traceId: trace,
        request: { url: `${front.url}/first` },
      },
    ]);
  });

  it("of a failed page belong to the story of the server's", async () => {
    pages.set("/broken", {
      status: 500,
      text: `<html><body><h1>Sorry</h1><script>throw new Error("after the failure")</script></body></html>`,
    });
    const page = await product.open();
    await page.goto(`${front.url}/broken`);
    const code = page.locator(".errata-notice code");
    const digest = await code.textContent();
    await expect.poll(() => page.getByRole("button", { name: /Copy/ }).isVisible()).toBe(true);
    const { reports: servers } = await eventually(async () => {
      const issue = await product.json(`/d/${digest}`);
      expect(issue.count).toBe(1);
      return issue as { reports: { traceId: string }[] };
    });
    const issue = await findIssue("after the failure");
    const { reports } = (await product.json(`/d/${issue.digest}`)) as {
      reports: { traceId: string }[];
    };
    expect(reports[0]?.traceId).toBe(servers[0]?.traceId);
  });
});

describe("an application that hydrates its whole document", () => {
  it("finds what it has rendered", async () => {
    const source = (mode: "server" | "client") => `
      import { ${mode === "server" ? "renderToString" : "hydrateRoot"} } from "react-dom/${mode}";
      import { createElement as h, useState } from "react";
      function App() {
        const [count, setCount] = useState(0);
        return h("html", null, h("head", null, h("title", null, "App")),
          h("body", null, h("button", { onClick: () => setCount(count + 1) }, "Clicks: " + count),
          h("script", { src: "/client.js", async: true })));
      }
      ${
        mode === "server"
          ? "export default renderToString(h(App));"
          : "window.recovered = []; hydrateRoot(document, h(App), { onRecoverableError: (error) => recovered.push(String(error)) });"
      }`;
    const bundle = async (mode: "server" | "client") => {
      const { outputFiles } = await build({
        stdin: { contents: source(mode), resolveDir: root },
        define: { "process.env.NODE_ENV": '"production"' },
        format: mode === "server" ? "esm" : "iife",
        platform: mode === "server" ? "node" : "browser",
        banner:
          mode === "server"
            ? {
                js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
              }
            : {},
        bundle: true,
        write: false,
      });
      return outputFiles?.[0]?.text ?? "";
    };
    const server = await bundle("server");
    const { default: text } = await import(
      `data:text/javascript;base64,${Buffer.from(server.replaceAll("import.meta.url", JSON.stringify(`file://${root}/x.js`))).toString("base64")}`
    );
    pages.set("/app", { text: `<!DOCTYPE html>${text}` });
    pages.set("/client.js", { text: await bundle("client") });
    const page = await product.open();
    await page.goto(`${front.url}/app`);
    const button = page.getByRole("button");
    await expect
      .poll(async () => {
        await button.click();
        return button.textContent();
      })
      .not.toBe("Clicks: 0");
    expect(
      await page.evaluate(() => (window as unknown as { recovered: string[] }).recovered),
    ).toEqual([]);
  });
});

describe("a page over https", () => {
  const tls = createCertificate(["127.0.0.1"], new Date(readNowMs()));
  let browser: Browser;
  let secure: FrontInTest;
  beforeAll(async () => {
    secure = await openInFront({ tls });
    const flags = [`--ignore-certificate-errors-spki-list=${tls.spki}`, "--short-reporting-delay"];
    browser = await chromium.launch(await createLaunchOptions(flags));
  });
  afterAll(async () => {
    await browser?.close();
    await secure?.stop();
  });

  it("sends the browser's own reports with its token", async () => {
    pages.set("/secure", {
      headers: { "content-security-policy": "img-src 'self'" },
      text: `<html><head></head><body><script>new Image().src = "https://secure.example/x.png"</script></body></html>`,
    });
    const page = await browser.newPage();
    await page.goto(`${secure.url}/secure`);
    expect((await findIssue("kind:csp secure.example")).trust).toBe("page");
  });
});
