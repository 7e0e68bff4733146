import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

interface SentReport {
  readonly message: string;
  readonly how: string;
  readonly digest?: string;
}

/** The reports that a page has sent so far, a live list. */
function recordReports(page: Page): readonly SentReport[] {
  const sentReports: SentReport[] = [];
  page.on("request", (request) => {
    if (request.method() !== "POST" || new URL(request.url()).pathname !== "/monitoring") return;
    const body = JSON.parse(request.postData() ?? "{}") as { reports?: SentReport[] };
    sentReports.push(...(body.reports ?? []));
  });
  return sentReports;
}

const throwLater = (message: string) =>
  setTimeout(() => {
    throw new Error(message);
  });

/**
 * Posts 30 reports one after another, as SDKs do: `keepalive`, without reading the response
 * bodies. Returns the statuses, 0 for a rejection.
 */
async function sendUnread(options: { path: string; status: number; fill: string; atMs: number }) {
  const createBody = (n: number) => {
    const id = String(n).padStart(32, "a");
    const message = `quota ${n} ${options.fill}`;
    switch (options.status) {
      case 200:
        return [{ event_id: id }, { type: "event" }, { event_id: id, message }]
          .map((line) => JSON.stringify(line))
          .join("\n");
      case 202:
        return JSON.stringify({
          errata: 1,
          id,
          how: "uncaught",
          type: "Error",
          message,
          url: location.href,
          at: options.atMs,
        });
      default:
        return `{"broken":${JSON.stringify(message)}`;
    }
  };
  const statuses: number[] = [];
  const responses: Response[] = [];
  for (let n = 0; n < 30; n++) {
    const pending = fetch(options.path, {
      method: "POST",
      keepalive: true,
      body: createBody(n).padEnd(4_200),
    });
    const response = await pending.catch(() => null);
    if (response !== null) responses.push(response);
    statuses.push(response?.status ?? 0);
    // The quota is free again when the browser has received the body, soon after the headers.
    await new Promise(requestAnimationFrame);
  }
  return responses.length === 0 ? [] : statuses;
}

describe("the reporter", () => {
  it("reports an error once, however often it is thrown", async () => {
    const page = await product.open();
    const sentReports = recordReports(page);
    await page.goto("/");
    await page.evaluate(() => {
      const error = new Error("reporter: the same");
      for (let i = 0; i < 3; i++)
        setTimeout(() => {
          throw error;
        });
    });
    await page.evaluate(throwLater, "reporter: another");
    await eventually(() =>
      expect(sentReports.map(({ message }) => message)).toEqual([
        "reporter: the same",
        "reporter: another",
      ]),
    );
  });

  it("sends at most ten reports per page view", async () => {
    const page = await product.open();
    const sentReports = recordReports(page);
    const thrown: string[] = [];
    page.on("pageerror", ({ message }) => thrown.push(message));
    await page.goto("/");
    await page.evaluate(() => {
      for (let i = 0; i < 30; i++)
        setTimeout(() => {
          throw new Error(`reporter: number ${i}`);
        });
    });
    await eventually(() => expect(thrown).toHaveLength(30));
    await eventually(() => expect(sentReports.length).toBeGreaterThanOrEqual(10));
    expect(sentReports).toHaveLength(10);
  });

  it("sends a report even if the page is closed immediately", async () => {
    const page = await product.open();
    await page.goto("/");
    await page.evaluate(() => {
      addEventListener("pagehide", () => {
        window.dispatchEvent(
          new ErrorEvent("error", { error: new Error("reporter: while leaving") }),
        );
      });
    });
    await page.close({ runBeforeUnload: true });
    await eventually(async () => {
      const { issues } = (await product.json("/")) as { issues: { message: string }[] };
      expect(issues.map(({ message }) => message)).toContain("reporter: while leaving");
    });
  });

  it("never reports itself and never throws if the ingest endpoint is unavailable", async () => {
    const page = await product.open();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route("**/monitoring", (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto("/");
    await page.evaluate(throwLater, "reporter: not sent");
    await page.getByText("Application error").first().waitFor();
    expect(errors).toEqual(["reporter: not sent"]);
  });

  it.each([
    ["errors of the reporter", "/monitoring", 202],
    ["errors of Sentry's SDK", "/api/1/envelope/?sentry_key=0123456789abcdef0123456789abcdef", 200],
    ["reports that Errata refuses", "/monitoring", 400],
  ])(
    "can send 30 keepalive requests of 4.2 KB whose responses are not read: %s",
    async (_what, path, status) => {
      const page = await product.open();
      await page.goto("/");
      const statuses = await page.evaluate(sendUnread, {
        path,
        status,
        fill: "x".repeat(3_900),
        atMs: readNowMs(),
      });
      expect(statuses).toEqual(Array.from({ length: 30 }, () => status));
    },
  );

  it("handles values that cannot be read", async () => {
    const page = await product.open();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto("/");
    await page.evaluate(() => {
      const hostile = new Proxy(
        {},
        {
          get() {
            throw new Error("reporter: a trap");
          },
        },
      );
      dispatchEvent(
        new PromiseRejectionEvent("unhandledrejection", {
          reason: hostile,
          promise: new Promise(() => undefined),
        }),
      );
      dispatchEvent(
        new PromiseRejectionEvent("unhandledrejection", {
          reason: null,
          promise: new Promise(() => undefined),
        }),
      );
    });
    expect(errors).toEqual([]);
  });
});

describe("Errata's own pages", () => {
  it("report violations of their policy to Errata", async () => {
    const page = await product.open();
    await page.goto("/");
    await page.evaluate(() => {
      new Image().src = "https://other.example/a.png";
    });
    await eventually(async () => {
      const { issues } = (await product.json("/")) as { issues: { kind: string; type: string }[] };
      expect(issues).toContainEqual(expect.objectContaining({ kind: "csp", type: "img-src" }));
    });
  });
});
