/** The pages that the Worker answers while it starts (`src/warm-up`). */
import { afterEach, describe, expect, it, vi } from "vitest";
import { handleRequest } from "#src/app.ts";
import { openServices } from "#src/open-services.ts";
import { isCollecting } from "#src/render/react/patch-scheduling.ts";
import { RECORDING } from "#src/warm-up/recording.ts";
import { type WarmUpOptions, warmUp } from "#src/warm-up/warm-up.ts";

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
const answer: WarmUpOptions["answer"] = (request, bindings, platform) =>
  handleRequest(request, openServices(bindings, platform), context as never);
const options: WarmUpOptions = { recording: RECORDING, answer, isCollecting };

const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
const readGlobals = () => [
  ...NAMES.map((name) => globalThis[name]),
  ...[crypto.getRandomValues, crypto.randomUUID],
  ...(["error", "warn"] as const).map((name) => Object.getOwnPropertyDescriptor(console, name)),
];

afterEach(() => vi.restoreAllMocks());

describe("the warm-up", () => {
  it("answers every recorded page as its Worker did, whole", async () => {
    const bodies: string[] = [];
    const warmed = await warmUp({
      ...options,
      async answer(...args) {
        const response = await answer(...args);
        if (response.body === null || args[0].method === "POST") return response;
        const [own, copy] = response.body.tee();
        void new Response(copy).text().then((text) => bodies.push(text));
        return new Response(own, response);
      },
    });
    expect(warmed.map(({ path, status }) => [path, status])).toEqual(
      RECORDING.pages.map(({ path, status }) => [path, status]),
    );
    await vi.waitUntil(() => bodies.length >= 3);
    const pages = bodies.filter((body) => body.includes("<html"));
    expect(pages.length).toBeGreaterThanOrEqual(3);
    for (const page of pages) {
      expect(page.trimEnd()).toMatch(/<\/html>$/);
      // No part of it failed: Errata would show a code of its own.
      expect(page).not.toContain("data-errata-notice");
    }
  });

  it("calls only what is recorded, reports nothing and logs nothing", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const [error, warn] = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
    const failures: unknown[] = [];
    await warmUp({
      ...options,
      answer: (request, bindings, platform) =>
        answer(request, bindings, {
          ...platform,
          logFailure: (report) => void failures.push(report),
          logProblem: (cause) => void failures.push(String(cause)),
        }),
    });
    expect(failures).toEqual([]);
    for (const spy of [fetched, error, warn]) expect(spy).not.toHaveBeenCalled();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["waits for I/O that never ends", () => new Promise<Response>(() => undefined)],
  ] satisfies [string, () => Promise<Response>][])(
    "ends, and puts back every global, when a page %s",
    async (_, broken) => {
      const before = readGlobals();
      const warmed = await warmUp({ ...options, answer: async () => broken() });
      expect(warmed.map(({ status }) => status)).toEqual(RECORDING.pages.map(() => 0));
      expect(readGlobals()).toEqual(before);
    },
  );

  it("ends without an answer if there is no recording", async () => {
    expect(await warmUp({ ...options, recording: { atMs: 0, shared: {}, pages: [] } })).toEqual([]);
  });

  it("opens services of its own, so that no request gets them", async () => {
    const opened: object[] = [];
    await warmUp({
      ...options,
      answer: (request, bindings, platform) => {
        opened.push(bindings);
        return answer(request, bindings, platform);
      },
    });
    expect(new Set(opened).size).toBe(RECORDING.pages.length);
  });
});
