import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SELF_TEST_KINDS } from "../../src/ui/setup/self-test-kinds.ts";
import { eventually } from "../support/eventually.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

let sent = 0;
async function report(message: string): Promise<string> {
  const id = (++sent).toString(16).padStart(32, "c");
  const body = JSON.stringify({ errata: 1, id, how: "uncaught", type: "Error", message });
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  return ((await response.json()) as { digest: string }).digest;
}

/**
 * A page, and what the browser says against it: violations of its policies, and headers that it
 * does not understand.
 */
async function watched(): Promise<{ readonly page: Page; readonly against: readonly string[] }> {
  const page = await product.open();
  const against: string[] = [];
  page.on("console", (message) => {
    if (/policy|trusted/i.test(message.text())) against.push(message.text());
  });
  await page.exposeFunction("violated", (what: string) => against.push(what));
  await page.addInitScript(() => {
    const { violated } = globalThis as unknown as { violated: (what: string) => void };
    document.addEventListener("securitypolicyviolation", (event) => {
      violated(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return { page, against };
}

describe("nothing that the pages do is against their own policies", () => {
  it("a failed render of any kind", async () => {
    const { page, against } = await watched();
    for (const { kind } of SELF_TEST_KINDS) {
      await page.goto(`/self-test/${kind}`, { waitUntil: "networkidle" });
      expect({ kind, against }).toEqual({ kind, against: [] });
    }
  });

  it("pages that come without a reload, decisions, rows that arrive, islands", async () => {
    const digest = await report("no price for this cart");
    const { page, against } = await watched();
    await page.goto("/issues", { waitUntil: "load" });
    await page.evaluate(() => {
      (globalThis as { stayed?: boolean }).stayed = true;
    });
    await page.locator(`a[href*="/d/${digest}"]`).first().click();
    await page.waitForURL(`**/d/${digest}`);
    await page.keyboard.press("r");
    await page.locator("main [data-state=resolved]").first().waitFor();
    await page.locator('.site-header a[href="/live"]').click();
    await page.waitForURL("**/live");
    await eventually(async () => {
      await report("a message that arrives");
      await page.locator("ol[data-live-filter] .live-row").first().waitFor({ timeout: 2_000 });
    });
    expect(await page.evaluate(() => (globalThis as { stayed?: boolean }).stayed)).toBe(true);
    await page.goto(`/e/${digest}`, { waitUntil: "load" });
    await page.locator("[data-copy]").first().click();
    expect(against).toEqual([]);
  });
});

describe("text becomes neither elements nor code", () => {
  const SINKS: readonly (readonly [name: string, code: string])[] = [
    ["innerHTML", "document.body.innerHTML = x"],
    ["outerHTML", "document.body.outerHTML = x"],
    ["insertAdjacentHTML", "document.body.insertAdjacentHTML('beforeend', x)"],
    ["document.write", "document.write(x)"],
    ["DOMParser", "new DOMParser().parseFromString(x, 'text/html')"],
    ["createContextualFragment", "document.createRange().createContextualFragment(x)"],
    ["srcdoc", "document.createElement('iframe').srcdoc = x"],
    ["a script's address", "document.createElement('script').src = '/assets/x.js'"],
    ["a script's text", "document.createElement('script').text = '1'"],
    ["an event's attribute", "document.body.setAttribute('onclick', '1')"],
    ["eval", "eval('1')"],
    ["Function", "new Function('1')()"],
    ["a timer", "setTimeout('1')"],
    ["a policy of one's own", "trustedTypes.createPolicy('own', { createHTML: (x) => x })"],
    ["the default policy", "trustedTypes.createPolicy('default', { createHTML: (x) => x })"],
  ];

  it.each(SINKS)("not by %s", async (_name, code) => {
    const page = await product.open();
    // The page's own script cannot say it, so a script of the page is made to by its source.
    await page.route("**/assets/page-*.js", async (route) => {
      const said = `const x = "<b id=made>made</b>"; try { ${code}; document.title = "taken" } catch (error) { document.title = error.name }`;
      await route.fulfill({ contentType: "text/javascript", body: said });
    });
    await page.goto("/status", { waitUntil: "load" });
    await page.waitForFunction(() => /Error$|^taken$/.test(document.title));
    expect(await page.title()).toMatch(/Error$/);
    expect(await page.locator("#made").count()).toBe(0);
  });

  it("and whoever tries is reported to Errata itself", async () => {
    const page = await product.open();
    await page.goto("/", { waitUntil: "load" });
    await page.evaluate(() => {
      try {
        document.body.innerHTML = "<b>made</b>";
      } catch {
        // It is refused, which is what is reported.
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
  /** Its host has another name of this machine, which a browser takes for another site. */
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

  async function elsewhere(body = ""): Promise<Page> {
    html = body;
    const page = await product.open();
    await page.goto(site, { waitUntil: "load" });
    return page;
  }

  it.each(["/", "/e/0000-0000", "/self-test/shell", "/self-test/failure-page", "/issues.json"])(
    "cannot put %s into a frame",
    async (path) => {
      const page = await elsewhere(`<iframe src="${product.url}${path}"></iframe>`);
      await eventually(async () => {
        const frame = page.frames()[1];
        expect(frame?.url()).toBe("chrome-error://chromewebdata/");
      });
    },
  );

  it("cannot show its pictures", async () => {
    const page = await elsewhere();
    const loaded = await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const picture = new Image();
          picture.onload = () => resolve("shown");
          picture.onerror = () => resolve("refused");
          picture.src = src;
        }),
      `${product.url}/favicon.svg`,
    );
    expect(loaded).toBe("refused");
  });

  it("can send reports and read the answer, with and without CORS", async () => {
    const page = await elsewhere();
    const answers = await page.evaluate(async (url) => {
      const error = { errata: 1, how: "uncaught", type: "Error", message: "from elsewhere" };
      const open = await fetch(url, { method: "POST", body: JSON.stringify(error) });
      const { digest } = (await open.json()) as { digest?: string };
      // As a browser sends what violates a policy.
      const violation = {
        "document-uri": "http://shop.example/",
        "effective-directive": "img-src",
        "blocked-uri": "http://other.example/a.png",
      };
      const body = JSON.stringify({ "csp-report": violation });
      const blind = await fetch(url, { method: "POST", mode: "no-cors", body });
      return [open.status, typeof digest, open.headers.has("errata-outcome"), blind.type];
    }, `${product.url}/monitoring`);
    expect(answers).toEqual([202, "string", true, "opaque"]);
  });

  it("does not learn the address that somebody came from", async () => {
    const digest = await report("no referrer for this cart");
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    const asked = page.waitForRequest(`${site}/`);
    await page.evaluate((url) => {
      const link = document.createElement("a");
      link.href = url;
      document.body.append(link);
      link.click();
    }, site);
    expect((await (await asked).allHeaders()).referer).toBeUndefined();
  });
});

it("what is loaded by every page says how it may be used too", async () => {
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

it("strangers may ask for so many receipts, and then wait", async () => {
  // Twice as many as one minute has room for: a new minute may begin among them.
  const asked = Array.from({ length: 121 }, () =>
    fetch(`${product.url}/e/0000-0000.json`, { headers: { "cf-connecting-ip": "192.0.2.9" } }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses).toContain(429);
  const { status } = await fetch(`${product.url}/e/0000-0000.json`, {
    headers: { "cf-connecting-ip": "192.0.2.10" },
  });
  expect(status).toBe(200);
});
