import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

/** What a page has sent to the reporting path, as it goes. */
function sentBy(page: Page): { message: string; how: string; digest?: string }[] {
  const sent: { message: string; how: string; digest?: string }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/monitoring") {
      sent.push(JSON.parse(request.postData() ?? "{}"));
    }
  });
  return sent;
}

const throwLater = (message: string) =>
  setTimeout(() => {
    throw new Error(message);
  });

describe("the reporter", () => {
  it("reports an error once, however often it is thrown", async () => {
    const page = await product.open();
    const sent = sentBy(page);
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
      expect(sent.map(({ message }) => message)).toEqual([
        "reporter: the same",
        "reporter: another",
      ]),
    );
  });

  it("sends at most ten reports for a page view", async () => {
    const page = await product.open();
    const sent = sentBy(page);
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
    await eventually(() => expect(sent.length).toBeGreaterThanOrEqual(10));
    expect(sent).toHaveLength(10);
  });

  it("gets a report out although the page is closed at once", async () => {
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

  it("never reports itself, and never throws, when the reporting path is away", async () => {
    const page = await product.open();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route("**/monitoring", (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto("/");
    await page.evaluate(throwLater, "reporter: to nobody");
    await page.getByText("Application error").first().waitFor();
    expect(errors).toEqual(["reporter: to nobody"]);
  });

  it("survives values that cannot be read", async () => {
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

describe("Errata is its own first user", () => {
  it("what violates the policy of its pages arrives in it", async () => {
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
