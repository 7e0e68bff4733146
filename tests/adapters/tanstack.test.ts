import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { configureErrata, getErrata } from "#src/adapters/server.ts";
import { createErrorAdapter, reportFunction } from "#src/adapters/tanstack.ts";
import * as client from "#src/adapters/tanstack-client.ts";
import { createFetch } from "#src/adapters/tanstack-server.ts";

const SECRET = "secret-of-the-kitchen";
let sent: { message: string }[];

let logged: MockInstance<typeof console.error>;

beforeEach(() => {
  sent = [];
  logged = vi.spyOn(console, "error").mockReturnValue(undefined);
  configureErrata({
    dsn: "https://errata_server_00112233445566778899aabbccddeeff@errata.example/1",
    fetch: async (_url, init) => {
      sent.push(...JSON.parse(String(init?.body)).reports);
      return new Response("{}");
    },
  });
});

afterEach(async () => {
  await getErrata().flush();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function readMessages(): Promise<readonly string[]> {
  await getErrata().flush();
  return sent.map(({ message }) => message);
}

describe("an error that a server of TanStack Start sends", () => {
  const adapter = createErrorAdapter({ isPublic: (error) => error.name === "ClosedError" });
  /** What the browser gets of what the server sends. */
  const transfer = (error: Error) =>
    client
      .createErrorAdapter()
      .fromSerializable(JSON.parse(JSON.stringify(adapter.toSerializable(error))));

  it("has its digest and no message, stack, cause or member", async () => {
    const error = Object.assign(new TypeError(SECRET, { cause: SECRET }), { card: SECRET });
    const shown = transfer(error);
    const { digest = "" } = getErrata().find(error) ?? {};
    expect(shown).toMatchObject({ digest, message: `Internal Error. Digest: ${digest}` });
    expect(shown.stack).toBe(`Error: ${shown.message}`);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(await readMessages()).toEqual([SECRET]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(digest, error);
  });

  it("has its message too in development", () => {
    vi.stubEnv("NODE_ENV", "development");
    const error = new Error(SECRET);
    const shown = transfer(error);
    expect(shown).toMatchObject({ message: SECRET, digest: getErrata().find(error)?.digest });
  });

  it("has its message and no report if the application shows it", async () => {
    const error = Object.assign(new Error("closed on Mondays"), { name: "ClosedError" });
    expect(transfer(error)).toMatchObject({ message: "closed on Mondays" });
    await expect(reportFunction({ next: () => Promise.reject(error) })).rejects.toBe(error);
    expect(await readMessages()).toEqual([]);
  });

  it("is one for the middleware and the adapter", async () => {
    const error = new Error(SECRET);
    await expect(reportFunction({ next: () => Promise.reject(error) })).rejects.toBe(error);
    transfer(error);
    expect(await readMessages()).toEqual([SECRET]);
  });

  it.each([
    ["a redirect", new Response(null, { status: 307, headers: { location: "/" } })],
    ["not found", { isNotFound: true }],
  ])("is none: %s", async (_, thrown) => {
    await expect(reportFunction({ next: () => Promise.reject(thrown) })).rejects.toBe(thrown);
    expect(await readMessages()).toEqual([]);
  });
});

it("an error that a browser sends to a server function keeps its message", () => {
  const sentByBrowser = client.createErrorAdapter().toSerializable(new Error("no price"));
  expect(createErrorAdapter().fromSerializable(sentByBrowser)).toMatchObject({
    message: "no price",
  });
});

describe("a version of TanStack Start without the functions of the adapter", () => {
  const fallback = () => "a page";
  const error = new Error(SECRET);

  it("renders pages itself, which the log says once, and its failures are reported", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    let handler: unknown;
    const start = {
      defaultStreamHandler: fallback,
      createStartHandler: (options: { handler: unknown }) => {
        handler = options.handler;
        return () => Promise.reject(error);
      },
    };
    const fetch = createFetch({ dom: {}, router: {}, start });
    expect(handler).toBe(fallback);
    await expect(fetch(new Request("https://shop.example/"))).rejects.toBe(error);
    await expect(fetch(new Request("https://shop.example/"))).rejects.toBe(error);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      "errata: no StartServer in this version of TanStack Start. Pages show no digest.",
    );
    expect(await readMessages()).toEqual([SECRET]);
  });
});
