/** What `npm run deploy` asks a deployment, and the counters of rate limits, which belong to one deployment. */

import { createExecutionContext } from "cloudflare:test";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { OpenedObjects, RecordedVersions } from "#src/core/stats/object-version.ts";
import { findLaterData } from "#src/store/client/schemas.ts";
import worker from "#src/worker.ts";
import { ORIGIN } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings } from "#support/store/store.ts";

const HASH = "a".repeat(64);
const NOW_MS = readNowMs();

afterEach(() => emptyStore());

async function read(vars: object) {
  const request = new Request(`${ORIGIN}/deployment.json`);
  return worker.fetch(request, { ...bindings, ...vars }, createExecutionContext());
}

it("proves which deployment is served, without the hash of its token", async () => {
  const response = await read({ ERRATA_UPLOAD: `${HASH}.${NOW_MS + 60_000}` });
  expect([response.status, response.headers.get("cache-control")]).toEqual([
    200,
    "private, no-store",
  ]);
  const text = await response.text();
  expect(text).not.toContain(HASH);
  expect(JSON.parse(text)).toEqual({
    deployment: createHash("sha256").update(HASH).digest("hex"),
    release: expect.stringMatching(/^errata@[\d.]+\+[0-9a-f]{12}$/),
  });
});

it.each([
  ["without a token", {}],
  ["after the token has expired", { ERRATA_UPLOAD: `${HASH}.${NOW_MS - 1}` }],
])("does not exist %s", async (_, vars) => {
  expect((await read(vars)).status).toBe(404);
});

describe("the stored data", () => {
  const TOKEN = "sntrys_secret";
  const ERRATA_UPLOAD = `${createHash("sha256").update(TOKEN).digest("hex")}.${NOW_MS + 60_000}`;

  function open(token: string | undefined, after = 0) {
    const headers = new Headers(token === undefined ? [] : [["authorization", `Bearer ${token}`]]);
    const request = new Request(`${ORIGIN}/deployment.json?after=${after}`, { headers });
    return worker.fetch(request, { ...bindings, ERRATA_UPLOAD }, createExecutionContext());
  }

  it.each([undefined, "sntrys_other", "errata_token"])(
    "is not opened with the token %s",
    async (token) => {
      expect((await open(token)).status).toBe(401);
      expect(await bindings.KV.get("data-versions")).toBeNull();
    },
  );

  it("is opened object by object, and the versions are recorded for the next deployment", async () => {
    const response = await open(TOKEN);
    expect(response.status).toBe(200);
    const { objects, total, next } = (await response.json()) as OpenedObjects;
    expect(objects.map(({ object, name }) => `${object} ${name}`)).toEqual([
      ...["Registry registry", "ReportLog 1/0", "ProjectIndex 1", "AlertSender 1"],
    ]);
    expect([total, next]).toEqual([4, null]);
    for (const { version } of objects)
      expect(version).toMatchObject({
        state: { kind: "ready" },
        data: version?.code,
        backfills: [],
      });
    const record = await bindings.KV.get("data-versions", "json");
    expect(record).toMatchObject({ v: 1, release: expect.stringContaining("errata@") });
    expect(findLaterData(record as RecordedVersions)).toEqual([]);
    expect(((await (await open(TOKEN, 4)).json()) as OpenedObjects).objects).toEqual([]);
  });

  it("is created where the deployment wants it", async () => {
    const hints: (string | undefined)[] = [];
    const record = (namespace: DurableObjectNamespace) =>
      new Proxy(namespace, {
        get(target, name) {
          if (name !== "getByName") return Reflect.get(target, name).bind?.(target);
          return (id: string, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
            hints.push(options?.locationHint);
            return target.getByName(id, options);
          };
        },
      });
    const placed = { REPORT_LOG: record(bindings.REPORT_LOG), ERRATA_LOCATION: "weur" };
    const request = new Request(`${ORIGIN}/deployment.json?after=0`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const env = { ...bindings, ...placed, ERRATA_UPLOAD };
    expect((await worker.fetch(request, env, createExecutionContext())).status).toBe(200);
    expect(hints).toEqual(["weur"]);
  });

  it("that needs later code is found before a deployment", () => {
    const later = findLaterData({ v: 1, release: "x", oldest: { ProjectIndex: 99, ReportLog: 1 } });
    expect(later).toMatchObject([{ object: "ProjectIndex", needs: 99 }]);
  });
});

it("counts no request of another Worker with the same rate limit", async () => {
  const keys: string[] = [];
  const limit = (inner: RateLimit): RateLimit => ({
    limit: (options) => {
      keys.push(options.key);
      return inner.limit(options);
    },
  });
  const address = "192.0.2.7";
  const request = new Request(`${ORIGIN}/sign-in`, {
    method: "POST",
    headers: { "cf-connecting-ip": address, origin: ORIGIN, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ code: "unknown" }),
  });
  const counted = { ...bindings, SIGN_IN_LIMIT: limit(bindings.SIGN_IN_LIMIT) };
  await worker.fetch(request, counted, createExecutionContext());
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}:192\.0\.2\.7$/)]);
});
