import { afterEach, describe, expect, it } from "vitest";
import worker from "#src/worker.ts";
import { createMembers } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { expectConsoleError } from "#support/console.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createRefusingKv, withKvMethods } from "#support/store/faulty-kv.ts";
import { bindings, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** The events that workerd passes to sendToTail() when a Worker throws (tests/fixtures/tail). */
const thrown = {
  event: {
    request: {
      method: "GET",
      url: "https://shop.example/cart?id=42",
      headers: { "cf-ray": "8f1c2d3e4f5a6b7c-AMS", "user-agent": "curl/8" },
    },
  },
  eventTimestamp: readNowMs(),
  outcome: "exception",
  scriptName: "shop",
  scriptVersion: { id: "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d", tag: "1.4.0" },
  exceptions: [
    {
      name: "CartError",
      message: "no price for a-1",
      stack: "    at priceOf (worker.js:35:38)\n    at Object.fetch (worker.js:5:32)",
      timestamp: readNowMs(),
    },
  ],
  logs: [],
  diagnosticsChannelEvents: [],
  executionModel: "stateless",
  truncated: false,
  cpuTime: 0,
  wallTime: 0,
};

async function sendToTail(events: readonly object[], env = bindings): Promise<void> {
  await worker.tail(events as TraceItem[], env);
}

describe("the Worker as a tail consumer", () => {
  it("stores the exceptions of other Workers, and the desk finds them", async () => {
    await sendToTail([thrown]);
    const { issues } = await projectStore.listNewestIssues();
    expect(issues).toMatchObject([{ type: "CartError", message: "no price for a-1", count: 1 }]);
    const digest = issues[0]?.digest ?? "";
    const asJson = { headers: { accept: "application/json" } };
    const { hits } = JSON.parse((await visit(`/lookup?q=${digest}`, asJson)).body);
    expect(hits).toMatchObject([{ digest, title: "CartError: no price for a-1" }]);
    const { reports } = JSON.parse((await visit(`/d/${digest}`, asJson)).body);
    expect(reports).toMatchObject([
      { format: "tail", release: "1.4.0", rayId: "8f1c2d3e4f5a6b7c-AMS", side: "server" },
    ]);
  });

  it("stores nothing of successful invocations, and reads no settings for them", async () => {
    const calls: string[] = [];
    const refuse = (name: string) => () => {
      calls.push(name);
      throw new Error("down");
    };
    const env = {
      ...bindings,
      KV: withKvMethods(bindings.KV, { get: refuse("settings") }),
      REPORT_LOG: { getByName: refuse("log") },
      REGISTRY: {
        idFromName: (name: string) => bindings.REGISTRY.idFromName(name),
        getByName: refuse("registry"),
      },
    } as unknown as typeof bindings;
    await sendToTail([{ ...thrown, outcome: "ok", exceptions: [] }], env);
    expect(calls).toEqual([]);
  });

  it("groups exceptions by the settings of the project", async () => {
    await sendToTail([thrown]);
    const [{ digest = "" } = {}] = (await projectStore.listNewestIssues()).issues;
    const { change, deployer } = await createMembers();
    await change(deployer, { do: "split-by-stack", project: "1", digest });
    // A new isolate, which has no copy of the registry.
    await sendToTail([{ ...thrown, eventTimestamp: readNowMs() + 1 }], { ...bindings });
    const { issues } = await projectStore.listNewestIssues();
    expect(issues.map(({ count }) => count)).toEqual([1, 1]);
  });

  it("logs that events could not be stored, and does not throw", async () => {
    const consoleLines = expectConsoleError();
    const REPORT_LOG = { getByName: () => ({ append: () => Promise.reject(new Error("down")) }) };
    const KV = createRefusingKv(bindings.KV, "put");
    await sendToTail([thrown], { ...bindings, KV, REPORT_LOG } as unknown as typeof bindings);
    expect(consoleLines.join()).toContain("tail: events could not be stored");
  });
});
