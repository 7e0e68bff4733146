import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

let reportCount = 0;
const sendReport = (message: string, over: Record<string, unknown> = {}) =>
  fetch(`${product.url}/monitoring`, {
    method: "POST",
    body: JSON.stringify({
      errata: 1,
      id: (++reportCount).toString(16).padStart(32, "d"),
      how: "uncaught",
      type: "Error",
      message,
      stack: `Error: ${message}\n    at total (https://shop.example/cart.js:4:9)`,
      url: "https://shop.example/cart",
      release: "1.4.0",
      ...over,
    }),
  });

/** The messages in page order, newest first. */
const readMessages = (page: Page) =>
  page.locator(".live-row [data-part=message]").allTextContents();

/** Opens the page and waits for its socket, which only sends later events. */
async function open(path: string): Promise<Page> {
  const page = await product.open();
  await page.goto(path, { waitUntil: "load" });
  await waitForSocket(page);
  await sendReport("a first message that arrives through the socket");
  await page.locator("ol[data-live-filter] .live-row").first().waitFor();
  return page;
}

describe("a live report", () => {
  it("appears above the others with the markup of the server, linked to its report", async () => {
    await sendReport("it was there before");
    const page = await open("/live");
    const markup = "<img src=x onerror=alert(1)> no price";
    await sendReport(markup);
    await eventually(async () => expect((await readMessages(page))[0]).toBe(markup));
    const [live, reloaded] = [page, await product.open()];
    await reloaded.goto("/live", { waitUntil: "load" });
    const outer = (at: Page) =>
      at
        .locator(".live-row", { hasText: "no price" })
        .evaluate((row) => row.outerHTML.replaceAll("<!-- -->", "").replace(/\s+/g, " "));
    expect(await outer(live)).toBe(await outer(reloaded));
    await page.locator(".live-row a").first().click();
    await page.waitForURL(/\/d\/[0-9A-Z-]{9}\?report=[0-9a-f]{32}$/);
  });

  it("is counted while the page is paused and appears in order afterwards", async () => {
    const page = await open("/live");
    await page.keyboard.press("p");
    await sendReport("while it was paused");
    await sendReport("and once more");
    await page.getByText("2 waiting").waitFor();
    expect(await readMessages(page)).not.toContain("and once more");
    await page.getByRole("button", { name: "Resume" }).click();
    await eventually(async () =>
      expect((await readMessages(page)).slice(0, 2)).toEqual([
        "and once more",
        "while it was paused",
      ]),
    );
  });

  it("is filtered like the earlier reports", async () => {
    const page = await open("/live?q=MESSAGE+that&side=browser");
    await sendReport("something else");
    await sendReport("another message that counts");
    await eventually(async () =>
      expect((await readMessages(page))[0]).toBe("another message that counts"),
    );
    expect((await readMessages(page)).every((message) => message.includes("message that"))).toBe(
      true,
    );
  });

  it("also appears after navigation from another page", async () => {
    const page = await product.open();
    await page.goto("/releases", { waitUntil: "load" });
    await page.getByRole("link", { name: "Live" }).click();
    await waitForSocket(page);
    await sendReport("after a link was followed");
    await page.locator("ol[data-live-filter] .live-row").first().waitFor();
  });

  it("appears after a lost connection is restored", async () => {
    const page = await product.open();
    let lost = 0;
    await page.routeWebSocket(/\/live\/socket$/, (socket) => {
      lost += 1;
      if (lost === 1) socket.close();
      else socket.connectToServer();
    });
    await page.goto("/live");
    await eventually(async () => {
      await sendReport("after it was lost");
      expect(await page.locator("ol[data-live-filter] .live-row").count()).toBeGreaterThan(0);
    });
    expect(lost).toBe(2);
  });

  const openWithEvents = async (options?: BrowserContextOptions) => {
    const page = await product.open(options);
    const sockets: { send(message: string): void }[] = [];
    await page.routeWebSocket(/\/live\/socket$/, (socket) => void sockets.push(socket));
    await page.goto("/live");
    await eventually(() => expect(sockets).toHaveLength(1));
    const receive = async (count: number, trust: string, text: string) =>
      sockets[0]?.send(
        JSON.stringify(
          Array.from({ length: count }, (_, n) => ({
            ...{ id: n.toString(16).padStart(32, "e"), digest: "7F3K-Q2M9", trust },
            ...{ kind: "error", side: "server", atMs: 0, type: "Error", message: `${text} ${n}` },
          })),
        ),
      );
    const receiveAt = async (...times: readonly string[]) => {
      for (const at of times) {
        const [id, atMs] = [at.replace(/\D/g, "").padStart(32, "f"), Date.parse(at)];
        const event = { id, digest: "7F3K-Q2M9", kind: "error", side: "server", type: "Error" };
        sockets[0]?.send(JSON.stringify([{ ...event, atMs, message: at }]));
      }
    };
    return { page, receive, receiveAt };
  };

  it("is listed under the day of the visitor's time zone, or of UTC if they chose it", async () => {
    const { page, receiveAt } = await openWithEvents({ timezoneId: "Asia/Kolkata" });
    await receiveAt("2026-11-20T18:29:59Z", "2026-11-20T18:30:00Z", "2026-11-20T23:59:00Z");
    const readList = () =>
      page
        .locator("[data-live-filter] > li:not(.live-row), [data-live-filter] time")
        .allTextContents();
    await expect
      .poll(readList)
      .toEqual(["Sat, 21 Nov 2026", "05:29:00", "00:00:00", "Fri, 20 Nov 2026", "23:59:59"]);
    await page.getByRole("button", { name: "Show UTC" }).click();
    await expect
      .poll(readList)
      .toEqual(["Fri, 20 Nov 2026 UTC", "23:59:00", "18:30:00", "18:29:59"]);
    await receiveAt("2026-11-21T00:00:00Z");
    await expect.poll(readList).toContain("Sat, 21 Nov 2026 UTC");
  });

  it("removes the oldest row beyond 200", async () => {
    await sendReport("it was there before");
    const { page, receive } = await openWithEvents();
    await page.getByText("it was there before").first().waitFor();
    await receive(250, "server", "number");
    await page.getByText("250 received").waitFor();
    expect(await page.locator(".live-row").count()).toBe(200);
    expect((await readMessages(page))[0]).toBe("number 249");
  });

  it("keeps the rows of servers when more public reports arrive than it shows", async () => {
    const { page, receive } = await openWithEvents();
    await receive(1, "server", "of a server");
    await receive(300, "public", "invented");
    await page.getByText("301 received").waitFor();
    expect(await readMessages(page)).toContain("of a server 0");
  });
});

describe("the live page", () => {
  it("works without scripts: recent reports and a refresh link", async () => {
    await sendReport("read without scripts");
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto("/live");
    await eventually(async () =>
      expect(await readMessages(page)).toContain("read without scripts"),
    );
    expect(await page.getByRole("button", { name: "Pause" }).isVisible()).toBe(false);
    await sendReport("and then this");
    await page.getByRole("link", { name: "Refresh" }).click();
    await eventually(async () => expect((await readMessages(page))[0]).toBe("and then this"));
  });
});
