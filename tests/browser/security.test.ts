import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SELF_TEST_KINDS } from "#src/ui/setup/self-test-kinds.ts";
import { isSameWindow, markWindow } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

let reportCount = 0;
async function sendReport(message: string): Promise<string> {
  const id = (++reportCount).toString(16).padStart(32, "c");
  const body = JSON.stringify({ errata: 1, id, how: "uncaught", type: "Error", message });
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  return ((await response.json()) as { digest: string }).digest;
}

/**
 * A page and the problems that the browser logs: violations of its policies, and headers that it
 * does not understand.
 */
async function openObservedPage(): Promise<{
  readonly page: Page;
  readonly problems: readonly string[];
}> {
  const page = await product.open();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (/policy|trusted/i.test(message.text())) problems.push(message.text());
  });
  await page.exposeFunction("violated", (what: string) => problems.push(what));
  await page.addInitScript(() => {
    const { violated: onViolation } = globalThis as unknown as { violated: (what: string) => void };
    document.addEventListener("securitypolicyviolation", (event) => {
      onViolation(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return { page, problems };
}

describe("pages comply with their own policies", () => {
  it("after a failed render of any kind", async () => {
    const kinds = SELF_TEST_KINDS.values();
    const visit = async () => {
      const { page, problems } = await openObservedPage();
      for (const { kind } of kinds) {
        await page.goto(`/self-test/${kind}`, { waitUntil: "networkidle" });
        expect({ kind, problems }).toEqual({ kind, problems: [] });
      }
    };
    // A quiet network takes half a second to be recognized, so two pages wait for it at once.
    await Promise.all([visit(), visit()]);
  });

  it("during client-side navigation, decisions, live updates and hydration", async () => {
    const digest = await sendReport("no price for this cart");
    const { page, problems } = await openObservedPage();
    await page.goto("/issues", { waitUntil: "load" });
    await markWindow(page);
    await page.locator(`a[href*="/d/${digest}"]`).first().click();
    await page.waitForURL(`**/d/${digest}?list=*`);
    await page.keyboard.press("r");
    await page.locator("main [data-state=resolved]").first().waitFor();
    await page.locator('.site-header a[href="/live"]').click();
    await page.waitForURL("**/live");
    await waitForSocket(page);
    await sendReport("a message that arrives");
    await page.locator("ol[data-live-filter] .live-row").first().waitFor();
    expect(await isSameWindow(page)).toBe(true);
    await page.goto(`/e/${digest}`, { waitUntil: "load" });
    await page.locator("[data-copy]").first().click();
    expect(problems).toEqual([]);
  });
});

describe("a page with Trusted Types", () => {
  const SINKS: readonly (readonly [name: string, code: string])[] = [
    ["innerHTML", "document.body.innerHTML = x"],
    ["outerHTML", "document.body.outerHTML = x"],
    ["insertAdjacentHTML", "document.body.insertAdjacentHTML('beforeend', x)"],
    ["document.write", "document.write(x)"],
    ["DOMParser", "new DOMParser().parseFromString(x, 'text/html')"],
    ["createContextualFragment", "document.createRange().createContextualFragment(x)"],
    ["srcdoc", "document.createElement('iframe').srcdoc = x"],
    ["the URL of a script", "document.createElement('script').src = '/assets/x.js'"],
    ["the text of a script", "document.createElement('script').text = '1'"],
    ["an event attribute", "document.body.setAttribute('onclick', '1')"],
    ["eval", "eval('1')"],
    ["Function", "new Function('1')()"],
    ["a timer", "setTimeout('1')"],
    ["another policy", "trustedTypes.createPolicy('own', { createHTML: (x) => x })"],
    ["the default policy", "trustedTypes.createPolicy('default', { createHTML: (x) => x })"],
  ];

  it.each(SINKS)("refuses to turn text into elements or code through %s", async (_name, code) => {
    const page = await product.open();
    // The code replaces the page's own script, because the policy allows no other script.
    await page.route("**/assets/page-*.js", async (route) => {
      const script = `const x = "<b id=made>made</b>"; try { ${code}; document.title = "taken" } catch (error) { document.title = error.name }`;
      await route.fulfill({ contentType: "text/javascript", body: script });
    });
    await page.goto("/status", { waitUntil: "load" });
    await page.waitForFunction(() => /Error$|^taken$/.test(document.title));
    expect(await page.title()).toMatch(/Error$/);
    expect(await page.locator("#made").count()).toBe(0);
  });

  it("reports an attempt to Errata itself", async () => {
    const page = await product.open();
    await page.goto("/", { waitUntil: "load" });
    await page.evaluate(() => {
      try {
        document.body.innerHTML = "<b>made</b>";
      } catch {
        // The browser refuses it and reports that.
      }
    });
    await eventually(async () => {
      const { issues } = (await product.json("/")) as { issues: { kind: string; type: string }[] };
      expect(issues).toContainEqual(
        expect.objectContaining({ kind: "csp", type: "require-trusted-types-for" }),
      );
    });
  });
});

describe("a page of another site", () => {
  /** Its host is another name of this machine, which makes it another site for the browser. */
  let site = "";
  let html = "";
  const server = createServer((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><body>${html}`),
  );
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    site = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  async function openForeignPage(body = ""): Promise<Page> {
    html = body;
    const page = await product.open();
    await page.goto(site, { waitUntil: "load" });
    return page;
  }

  it.each(["/", "/e/0000-0000", "/self-test/shell", "/self-test/failure-page", "/issues.json"])(
    "cannot embed %s in a frame",
    async (path) => {
      const page = await openForeignPage(`<iframe src="${product.url}${path}"></iframe>`);
      await eventually(async () => {
        const frame = page.frames()[1];
        expect(frame?.url()).toBe("chrome-error://chromewebdata/");
      });
    },
  );

  it("cannot load its images", async () => {
    const page = await openForeignPage();
    const loaded = await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve("shown");
          image.onerror = () => resolve("refused");
          image.src = src;
        }),
      `${product.url}/favicon.svg`,
    );
    expect(loaded).toBe("refused");
  });

  it("can send reports and read the response, with and without CORS", async () => {
    const page = await openForeignPage();
    const results = await page.evaluate(async (url) => {
      const error = { errata: 1, how: "uncaught", type: "Error", message: "from elsewhere" };
      const readableResponse = await fetch(url, { method: "POST", body: JSON.stringify(error) });
      const { digest } = (await readableResponse.json()) as { digest?: string };
      // A violation as browsers report it.
      const violation = {
        "document-uri": "http://shop.example/",
        "effective-directive": "img-src",
        "blocked-uri": "http://other.example/a.png",
      };
      const body = JSON.stringify({ "csp-report": violation });
      const opaqueResponse = await fetch(url, { method: "POST", mode: "no-cors", body });
      return [
        readableResponse.status,
        typeof digest,
        readableResponse.headers.has("errata-outcome"),
        opaqueResponse.type,
      ];
    }, `${product.url}/monitoring`);
    expect(results).toEqual([202, "string", true, "opaque"]);
  });

  it("does not get the URL of the desk as referrer", async () => {
    const digest = await sendReport("no referrer for this cart");
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    const request = page.waitForRequest(`${site}/`);
    await page.evaluate((url) => {
      const link = document.createElement("a");
      link.href = url;
      document.body.append(link);
      link.click();
    }, site);
    expect((await (await request).allHeaders()).referer).toBeUndefined();
  });
});

it("static files that every page loads have security headers", async () => {
  const html = await (await fetch(`${product.url}/`)).text();
  const [script = ""] = /\/assets\/page-[^"]+\.js/.exec(html) ?? [];
  for (const path of [script, "/favicon.svg", "/robots.txt"]) {
    const { status, headers } = await fetch(`${product.url}${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-frame-options")).toBe("DENY");
  }
  const { headers } = await fetch(`${product.url}${script}`);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it("the number of receipts per minute is limited for each address", async () => {
  // Twice the limit per minute, because a new minute may begin in between.
  const responses = Array.from({ length: 121 }, () =>
    fetch(`${product.url}/e/0000-0000.json`, { headers: { "cf-connecting-ip": "192.0.2.9" } }),
  );
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses).toContain(429);
  const { status } = await fetch(`${product.url}/e/0000-0000.json`, {
    headers: { "cf-connecting-ip": "192.0.2.10" },
  });
  expect(status).toBe(200);
});
