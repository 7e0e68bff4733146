// Requests whose appends share a call, on plain workerd: clients disconnect, and the request that
// leads the call is cancelled. Vitest's own workerd runs without
// `handle_cross_request_promise_resolution`.

import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readNowMs } from "#support/clock/clock.ts";
import { workerFile } from "../../../.tools/build/built.ts";
import { root } from "../../../.tools/install.mjs";
import { createEventBody } from "../../../.tools/reports/bodies.ts";
import { createId, nameFault } from "../../../.tools/reports/names.ts";
import { createClient } from "../../../.tools/rig/client.ts";
import { type Running, startRig } from "../../../.tools/rig/store.ts";

const SEED = 7;
const numbers = Array.from({ length: 90 }, (_, n) => n);
const disconnects = (n: number) => n % 3 === 0;

/** The body of an event of one issue. */
function createBody(n: number): string {
  return createEventBody(SEED, {
    n,
    id: createId(SEED, `${n}`),
    fault: nameFault(1),
    atMs: readNowMs(),
  });
}

describe("requests that share a call to the log", () => {
  let rig: Running;
  beforeAll(async () => {
    rig = await startRig(workerFile, root);
  });
  afterAll(() => rig?.stop());

  it("get responses while the clients of other requests disconnect, and count once", async () => {
    const client = createClient(() => rig.port);
    const responses = await Promise.all(
      numbers.map((n) =>
        client.post(createBody(n), disconnects(n) ? { leaveAfterMs: n / 10 } : {}),
      ),
    );
    const completed = responses.filter((_, n) => !disconnects(n));
    expect(completed.map(({ status }) => status)).toEqual(completed.map(() => 200));
    // The others send again: a report that was stored already is a duplicate.
    for (const n of numbers.filter(disconnects))
      expect((await client.post(createBody(n))).status).toBe(200);
    const digest = completed[0]?.outcomes[0]?.digest;
    const issue = await client.readJson(`/d/${digest}.json`);
    expect(issue.count).toBe(numbers.length);
    client.close();
  });
});

/**
 * A Worker without `waitUntil`, so that a request ends when its client disconnects. Its object
 * keeps a call whose first part is held, until it is released. The request "held" sends a counter,
 * which is not sent again.
 */
const WORKER = `
  import { DurableObject } from "cloudflare:workers";
  import { createAppendCoalescer } from "./src/store/client/coalesce-appends.ts";
  import { connect } from "./src/store/remote.ts";
  import { readNowMs } from "./tests/support/clock/clock.ts";
  const options = { nowMs: readNowMs, lateMs: 1500, maxWaitMs: 10_000 };
  const coalescers = new Map();
  const arrived = new Map();
  export class ReportLog extends DurableObject {
    calls = [];
    held = Promise.withResolvers();
    async append(parts) {
      const lines = parts.map(({ entries, ifNew }) => (entries[0]?.line ?? "held") + (ifNew ? " again" : ""));
      const call = this.calls.push(lines);
      if (lines[0].startsWith("held")) await this.held.promise;
      return parts.map(() => ({ ok: true, value: [{ call }] }));
    }
    release() {
      this.held.resolve();
      this.held = Promise.withResolvers();
    }
    listCalls() {
      return this.calls;
    }
  }
  export class ProjectIndex extends DurableObject {}
  export class Registry extends DurableObject {}
  export default {
    async fetch(request, env) {
      const [, name, what] = new URL(request.url).pathname.split("/");
      const open = () => env.REPORT_LOG.getByName(name);
      if (what === "calls") return Response.json(await open().listCalls());
      if (what === "arrived") return Response.json(arrived.get(name) ?? 0);
      if (what === "release") return Response.json(await open().release() ?? null);
      const coalescer = coalescers.get(name) ?? createAppendCoalescer(options);
      coalescers.set(name, coalescer);
      const line = await request.text();
      const part = line === "held"
        ? { entries: [], counters: [[["held"], 1]] }
        : { entries: [{ line }], counters: [] };
      const appended = coalescer.append({ name, log: connect(open, { timeoutMs: null }) }, part);
      arrived.set(name, (arrived.get(name) ?? 0) + 1);
      return Response.json(await appended);
    },
  };
`;

describe("a request whose leader is cancelled", () => {
  let rig: Running;
  const folder = mkdtempSync(join(tmpdir(), "errata-coalescing-"));
  beforeAll(async () => {
    const outfile = join(folder, "worker.js");
    await build({
      ...{ stdin: { contents: WORKER, resolveDir: root }, bundle: true, outfile },
      ...{ format: "esm", external: ["cloudflare:*"], logLevel: "error" },
    });
    rig = await startRig(outfile, root);
  });
  afterAll(async () => {
    await rig?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An isolate whose requests "held", "leader" and "follower" have arrived in this order. */
  async function arrange(name: string, leader: string) {
    const at = (path: string) => `http://127.0.0.1:${rig.port}/${name}/${path}`;
    const get = async (path: string) => (await fetch(at(path))).json();
    const post = async (body: string, arrivals: number) => {
      const sent = request(at(""), { method: "POST", agent: false });
      const response = new Promise<unknown>((resolve, reject) => {
        sent.on("error", reject);
        sent.on("response", (response) => resolve(json(response)));
      });
      response.catch(() => undefined);
      sent.end(body);
      await vi.waitFor(async () => expect(await get("arrived")).toBe(arrivals), 10_000);
      return { sent, answer: response };
    };
    const first = await post("held", 1);
    const { sent } = await post(leader, 2);
    const follower = await post("follower", 3);
    // Without a reset, the runtime notices that a client is gone only when it answers.
    const leave = () => sent.socket?.resetAndDestroy();
    return { get, leave, first: first.answer, follower: follower.answer };
  }

  it("before the call was sent: it appends in a call of its own", async () => {
    const { get, leave, first, follower } = await arrange("a", "leader");
    leave();
    expect(await follower).toEqual([{ call: 2 }]);
    expect(await get("calls")).toEqual([["held"], ["follower"]]);
    await get("release");
    expect(await first).toEqual([{ call: 1 }]);
  });

  it("after the call was sent: it appends once more, as a duplicate", async () => {
    const { get, leave, first, follower } = await arrange("b", "held leader");
    await get("release");
    expect(await first).toEqual([{ call: 1 }]);
    const calls = [["held"], ["held leader", "follower"]];
    await vi.waitFor(async () => expect(await get("calls")).toEqual(calls), 10_000);
    leave();
    expect(await follower).toEqual([{ call: 3 }]);
    expect(await get("calls")).toEqual([...calls, ["follower again"]]);
  });
});
