import { describe, expect, it, vi } from "vitest";
import { handle, handleError, withDigest } from "#src/adapters/sveltekit.ts";
import { collectReports } from "#support/adapters/sent-reports.ts";
import { expectConsoleError } from "#support/console.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** The part of SvelteKit's event that the hooks read. */
function createEvent(request: { signal?: AbortSignal } = {}, platform?: unknown) {
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  return {
    request: new Request("https://shop.example/cart/7/__data.json", { headers, ...request }),
    url: new URL("https://shop.example/cart/7"),
    route: { id: "/cart/[id]" },
    isDataRequest: false,
    platform,
  };
}

describe("handleError of SvelteKit", () => {
  it("returns the digest of the report, and a message without that of the error", async () => {
    const readReports = collectReports();
    const printed = expectConsoleError();
    const error = new TypeError("no price");
    const shown = handleError({ kind: "unknown", error, event: createEvent() });
    const [report] = await readReports();
    expect(report).toMatchObject({
      type: "TypeError",
      message: "no price",
      route: "/cart/[id]",
      status: 500,
      trace: TRACE,
      request: { method: "GET", url: "https://shop.example/cart/7" },
    });
    const digest = report?.digest;
    expect(shown).toEqual({ digest, message: `Internal Error. Digest: ${digest}` });
    expect(printed.join()).toContain(`${digest} TypeError: no price`);
  });

  it("keeps the message of error(503)", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const error = { status: 503, message: "closed" };
    const shown = handleError({ kind: "app", error, event: createEvent() });
    const [report] = await readReports();
    expect(report).toMatchObject({ type: "HttpError", message: "closed", status: 503 });
    expect(shown).toEqual({ digest: report?.digest });
  });

  const left = AbortSignal.abort();
  it.each([
    ["error(404)", { kind: "app", error: { status: 404, message: "no tea" } }],
    ["an unknown address", { kind: "framework", error: { status: 404, message: "Not Found" } }],
    ["arguments that are not valid", { kind: "validation", error: { status: 400 } }],
    ["an unknown address of SvelteKit 2", { error: new Error("Not found"), status: 404 }],
    ["a request that the visitor has left", { kind: "unknown", error: left.reason }, left],
  ])("reports nothing of %s", async (_, caught, signal?: AbortSignal) => {
    const readReports = collectReports();
    expect(handleError({ ...caught, event: createEvent(signal && { signal }) })).toEqual({});
    expect(await readReports()).toEqual([]);
  });

  it("reports what SvelteKit 2 calls unexpected", async () => {
    const readReports = collectReports();
    expectConsoleError();
    handleError({ error: new Error("no price"), status: 500, event: createEvent() });
    expect(await readReports()).toHaveLength(1);
  });

  it("keeps a Worker alive until the report is sent", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const waitUntil = vi.fn();
    const event = createEvent({}, { ctx: { waitUntil } });
    handleError({ kind: "unknown", error: new Error("no price"), event });
    await readReports();
    expect(waitUntil).toHaveBeenCalledOnce();
  });
});

describe("a handleError of the application", () => {
  it("gets the digest, and its answer is shown besides the digest", async () => {
    const readReports = collectReports();
    const own = vi.fn(() => ({ message: "Sorry" }));
    const input = { kind: "unknown", error: new Error("no price"), event: createEvent() };
    const shown = withDigest(own)(input);
    const [report] = await readReports();
    expect(own).toHaveBeenCalledWith({ ...input, digest: report?.digest });
    expect(shown).toEqual({ message: "Sorry", digest: report?.digest });
  });

  it("may answer later", async () => {
    const readReports = collectReports();
    const answer = withDigest(async () => undefined);
    const shown = answer({ kind: "unknown", error: new Error("no"), event: createEvent() });
    expect(shown).toBeInstanceOf(Promise);
    const [report] = await readReports();
    expect(await shown).toMatchObject({ digest: report?.digest });
  });
});

describe("handle of SvelteKit", () => {
  it.each([
    ["of an own response", () => new Response("<p>", { headers: { "content-type": "text/html" } })],
    [
      "of a response that fetch returned",
      async () => fetch("data:text/html,<p>").then((response) => response),
    ],
  ])("adds trace and token to the headers %s", async (_, resolve) => {
    collectReports();
    const response = await handle({ event: createEvent(), resolve });
    expect(response.headers.get("server-timing")).toMatch(
      new RegExp(`^errata-trace;desc="${TRACE}", errata-token;desc="[\\w-]{35}"$`),
    );
    expect(await response.text()).toBe("<p>");
  });

  it("keeps the timings of the application, and other responses as they are", async () => {
    const event = createEvent();
    const headers = { "content-type": "text/html", "server-timing": "db;dur=5" };
    const page = await handle({ event, resolve: () => new Response("<p>", { headers }) });
    expect(page.headers.get("server-timing")).toMatch(/^db;dur=5, errata-trace/);
    const image = new Response("", { headers: { "content-type": "image/png" } });
    expect(await handle({ event: createEvent(), resolve: () => image })).toBe(image);
    expect(image.headers.has("server-timing")).toBe(false);
  });
});
