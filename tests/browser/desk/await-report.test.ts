import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { isSameWindow, markWindow } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";
import { eventually } from "#support/eventually.ts";

const SERVER_KEY = `errata_server_${"2468ace013579bdf".repeat(2)}`;
const product = openProduct({ serverKey: SERVER_KEY });
const GIVEN_UP = /did not arrive|is not in any report|is not among/;

let count = 0;
/** Sends an error of a server and resolves to its digest, if the format's response has it. */
async function send(body: object): Promise<string> {
  const response = await fetch(`${product.url}/monitoring`, {
    method: "POST",
    headers: { authorization: `Bearer ${SERVER_KEY}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { digest: string }).digest;
}

/** Sends an event as a Sentry SDK on a server does. */
const sendEvent = (over: object) =>
  send({
    ...{ platform: "node", level: "error", environment: "production" },
    event_id: (++count).toString(16).padStart(32, "a"),
    exception: { values: [{ type: "TeaError", value: "no tea in the pot" }] },
    ...over,
  });

/** Sends an error as the product's own reporter does. */
const sendError = (message: string) => {
  const id = (++count).toString(16).padStart(32, "b");
  return send({ errata: 1, id, how: "uncaught", type: "TeaError", message, release: "1.4.0" });
};

/** Sends an error that a server reports with a code of its framework. */
const sendNextReport = (digest: string) =>
  send({ error: { message: `no tea for ${digest}`, digest }, request: { path: "/" } });

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

const findText = (page: Page, text: string) => page.locator("main").getByText(text).first();

const readText = async (page: Page) => (await page.locator("main").innerText()).trim();

async function lookUpInPage(page: Page, code: string): Promise<void> {
  await page.goto("/status", { waitUntil: "load" });
  await markWindow(page);
  await page.locator(".site-header [data-lookup-input]").fill(code);
  await page.keyboard.press("Enter");
}

describe.each([
  ["a full load", (page: Page, code: string) => page.goto(`/lookup?q=${encodeURIComponent(code)}`)],
  ["a navigation on the page", lookUpInPage],
])("after %s", (way, lookUp) => {
  it("a digest that arrives later opens its issue in place of the lookup", async () => {
    const message = `no tea after ${way}`;
    const page = await product.open();
    // The digest of an issue that has been erased.
    const digest = await sendError(message);
    const erased = await fetch(`${product.url}/d/${digest}/erase`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ confirm: digest }),
    });
    expect(erased.status).toBe(202);
    await eventually(async () =>
      expect(await product.json(`/d/${digest}.json`)).toMatchObject({ reason: "unknown-digest" }),
    );
    await lookUp(page, digest);
    await waitForSocket(page);
    expect(await heading(page).innerText()).toBe(`Waiting for ${digest}…`);
    await page.getByText("Listening for").waitFor();
    await sendError(message);
    await page.waitForURL(`**/d/${digest}`);
    await findText(page, message).waitFor();
    if (way === "a full load") return;
    expect(await isSameWindow(page)).toBe(true);
    await page.goBack();
    await page.waitForURL("**/status");
  });

  it("a Next.js digest that arrives later opens its issue", async () => {
    const code = `15500011${way.length}`;
    const page = await product.open();
    await lookUp(page, code);
    await waitForSocket(page);
    expect(await readText(page)).not.toMatch(GIVEN_UP);
    await sendNextReport(code);
    await page.waitForURL(/\/d\/[\dA-Z-]{9}/);
    await findText(page, `no tea for ${code}`).waitFor();
  });

  it("an event id that arrives later opens its report", async () => {
    const id = way.length.toString(16).padStart(32, "c");
    const page = await product.open();
    await lookUp(page, id);
    await waitForSocket(page);
    expect(await readText(page)).not.toMatch(GIVEN_UP);
    await sendEvent({ event_id: id });
    await page.waitForURL(/\/d\/[\dA-Z-]{9}\?report=/);
  });

  it("a trace id that arrives later opens its report", async () => {
    const trace_id = `4bf92f3577b34da6a3ce929d0e0e${way.length.toString().padStart(4, "0")}`;
    const page = await product.open();
    await lookUp(page, trace_id);
    await waitForSocket(page);
    await sendEvent({ contexts: { trace: { trace_id, span_id: "00f067aa0ba902b7" } } });
    await page.waitForURL(/\/d\/[\dA-Z-]{9}/);
  });
});

describe("a page that waits", () => {
  it("says that the report has arrived, and stays after Escape", async () => {
    const code = "1234512345";
    const page = await product.open();
    await page.goto(`/lookup?q=${code}`);
    await waitForSocket(page);
    await page.evaluate(() =>
      new MutationObserver(() =>
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })),
      ).observe(document.querySelector("[data-when=arrived]") as Element, { attributes: true }),
    );
    await sendNextReport(code);
    await page.getByText("The report has arrived: ").last().waitFor();
    expect(await heading(page).innerText()).toBe(`${code} has arrived`);
    expect(await page.title()).toBe(`${code} has arrived · Errata`);
    await page.getByRole("link", { name: "Open its issue" }).click();
    await findText(page, `no tea for ${code}`).waitFor();
  });

  it("stays while the visitor writes another code", async () => {
    const code = "1234512346";
    const page = await product.open();
    await page.goto(`/lookup?q=${code}`);
    await waitForSocket(page);
    await page.locator("main [data-lookup-input]").fill("another code");
    await sendNextReport(code);
    await page.getByRole("link", { name: "Open its issue" }).waitFor();
    expect(await page.locator("main [data-lookup-input]").inputValue()).toBe("another code");
  });

  it("says after a minute that it still listens, and then asks less often", async () => {
    const page = await product.openForFile();
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/lookup.json")) asked.push(request.url());
    });
    await page.goto("/lookup?q=1234512347");
    await waitForSocket(page);
    await page.clock.runFor(61_000);
    await page.getByText("Not here yet. Still listening.").waitFor();
    expect(await readText(page)).not.toMatch(GIVEN_UP);
    await page.clock.runFor(3_600_000);
    await page.getByText("Not here yet. Still listening.").waitFor();
    expect(asked.length).toBeLessThan(120);
  });

  it("looks again for a report that arrives during a lookup", async () => {
    const id = "d".repeat(32);
    const page = await product.openForFile();
    await page.clock.install({ time: 0 });
    const held = new Promise<() => Promise<void>>((resolve) => {
      const hold = async (route: Route) => {
        const response = await route.fetch();
        resolve(() => route.fulfill({ response }));
      };
      void page.route("**/lookup.json*", hold, { times: 1 });
    });
    const isNamed = page
      .waitForEvent("websocket")
      .then((socket) =>
        socket.waitForEvent("framereceived", ({ payload }) => payload.toString().includes(id)),
      );
    await page.goto(`/lookup?q=${id}`);
    const release = await held;
    // From here on, the page looks again only when something happens.
    await page.clock.pauseAt(3_600_000);
    await sendEvent({ event_id: id });
    await isNamed;
    await release();
    await page.getByText("The report has arrived: ").first().waitFor();
    await page.clock.resume();
    await page.waitForURL(/\/d\/[\dA-Z-]{9}\?report=/);
  });

  it("finds a report that arrives while the live socket is closed", async () => {
    const code = "1234512348";
    const page = await product.openForFile();
    await page.routeWebSocket(/\/live\/socket$/, (socket) => void socket.close());
    await page.goto(`/lookup?q=${code}`);
    await page.getByText("Not connected.").first().waitFor();
    await sendNextReport(code);
    await page.waitForURL(/\/d\/[\dA-Z-]{9}/);
  });

  it("passes axe on a phone", async () => {
    const page = await product.open({ viewport: { width: 360, height: 800 } });
    await page.goto("/lookup?q=7F3K-Q2M9");
    await waitForSocket(page);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByText("Why might it be missing?").click();
    await page.getByText("The report could not be stored").waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it("without scripts says that the report is not here yet, with a link to look again", async () => {
    const code = "1234512349";
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto(`/lookup?q=${code}`);
    await heading(page).getByText(`${code} is not here yet`).waitFor();
    const text = await readText(page);
    expect(text).not.toMatch(GIVEN_UP);
    expect(text).not.toMatch(/Listening|Waiting/);
    await sendNextReport(code);
    await page.getByRole("link", { name: "Look again" }).click();
    await page.waitForURL(/\/d\/[\dA-Z-]{9}/);
  });
});
