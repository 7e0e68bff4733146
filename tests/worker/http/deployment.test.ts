/** `/deployment.json`, and the counters of rate limits, which belong to one deployment. */

import { createExecutionContext } from "cloudflare:test";
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import worker from "#src/worker.ts";
import { ORIGIN } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { bindings } from "#support/store/store.ts";

const HASH = "a".repeat(64);
const NOW_MS = readNowMs();

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
