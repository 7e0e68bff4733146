// The answers of `/api/v1`, compared with `/openapi.json`.

import { beforeAll, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { TRUST_LEVELS } from "#src/core/trust/trust.ts";
import { toApiValue } from "#src/http/api/api-output.ts";
import { matchApiRoute } from "#src/http/api/api-routes.ts";
import { toOutputSchema } from "#src/http/api/json-schema.ts";
import { createOpenApi } from "#src/http/api/openapi.ts";
import { parseRoute, takesQuery } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import { toNode } from "#src/operations/provenance.ts";
import { applyTrustFloor } from "#src/operations/trust-floor.ts";
import {
  createApiRequest,
  DIGESTS,
  findContractMismatches,
  getOperation,
  INPUTS,
  PREPARATIONS,
  STATUSES,
  type StoredIds,
  stopTrackers,
  storeIssues,
} from "#support/http/api-requests.ts";
import { findMismatches } from "#support/http/check-schema.ts";
import { createTestServices, openLimiters, type VisitOptions, visit } from "#support/http/visit.ts";
import { createSampleOutput } from "#support/operations/sample-output.ts";
import { storage } from "#support/store/store.ts";

const SAME_ORIGIN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };
const NAMES = OPERATIONS.map(({ name }) => name);

let ids: StoredIds;

/** Sends a request, and compares the answer with the document. */
async function call(
  name: string,
  input: object,
  { services, ...changed }: VisitOptions & { readonly path?: string } = {},
) {
  const operation = getOperation(name);
  const { path, ...init } = createApiRequest(operation, input);
  const headers = { ...SAME_ORIGIN, ...init.headers, ...changed.headers };
  const { response, body } = await visit(changed.path ?? path, {
    ...init,
    ...changed,
    headers,
    ...(services && { services }),
  });
  const json = body === "" ? null : JSON.parse(body);
  expect(findContractMismatches(operation, response, json)).toEqual([]);
  return { status: response.status, json, headers: response.headers };
}

beforeAll(() => stopTrackers());
beforeAll(async () => {
  ids = await storeIssues();
});

it("has a request for each operation", () => {
  expect(Object.keys(INPUTS).sort()).toEqual([...NAMES].sort());
});

describe("the answer fits the document", () => {
  it.each(Object.entries(INPUTS))("of %s", async (name, toInput) => {
    await PREPARATIONS[name]?.();
    const { status, json } = await call(name, toInput(ids));
    expect([status, json]).toEqual([STATUSES[name] ?? 200, expect.any(Object)]);
  });
});

describe("a failure fits the document", () => {
  it.each(NAMES)("of %s with a name that nobody knows", async (name) => {
    const operation = getOperation(name);
    const input = INPUTS[name]?.(ids) ?? {};
    const { status, json } = await call(name, { ...input, colour: "red" });
    expect([status, json.reason]).toEqual([400, "unknown-parameter"]);
    expect(JSON.stringify(json)).not.toContain("colour");
    if (takesQuery(operation)) return;
    for (const [headers, body, expected] of [
      [{ "content-type": "text/plain" }, '{"a":1}', 415],
      [{}, "[]", 400],
      [{}, `{"a":"${"x".repeat(operation.maxBodyBytes ?? limits.maxFormBytes)}"}`, 413],
      [{ "content-encoding": "gzip" }, "no gzip", 415],
    ] as const)
      expect((await call(name, input, { headers, body })).status).toBe(expected);
    const refused = await call(name, input, { headers: { "idempotency-key": "a b" } });
    expect(refused.status).toBe(400);
  });

  it.each(NAMES)("of %s over the limit, or from another site", async (name) => {
    const input = INPUTS[name]?.(ids) ?? {};
    const limiters = { ...openLimiters, api: async () => false };
    const limited = await call(name, input, { services: { limiters } });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await call(name, input, { headers })).status).toBe(403);
  });

  it.each(NAMES)("of %s without storage", async (name) => {
    const reject = () => Promise.reject(new Error("away"));
    const broken = new Proxy({}, { get: () => reject });
    const parts = ["projectStore", "projectAdmin", "alerts", "sourceMaps"] as const;
    const { registry } = createTestServices({ waitUntil: () => undefined });
    const services = {
      ...Object.fromEntries(parts.map((part) => [part, broken])),
      registry: { ...registry, applyChange: reject, listAuditEntries: reject },
    };
    const { status } = await call(name, INPUTS[name]?.(ids) ?? {}, { services });
    expect([200, 503]).toContain(status);
  });

  const unknown = digestFromHash(new Uint8Array(32).fill(250));
  it.each([
    ["issues.get", { digest: "AAAA-AAAA" }, 400, "bad-request"],
    ["issues.get", { digest: unknown }, 404, "unknown-digest"],
    ["issues.decide", { digest: unknown, state: "open" }, 404, "unknown-digest"],
    ["reports.get", { digest: DIGESTS.whole, report: "none" }, 404, "unknown-report"],
    ["releases.get", { name: "0.0.1" }, 404, "unknown-release"],
    ["sourceMaps.list", { script: "two words" }, 400, "bad-script"],
    ["sourceMaps.get", { id: "0".repeat(40) }, 404, "unknown-upload"],
    ["repositories.remove", { id: "none" }, 404, "unknown-repository"],
    ["repositories.save", { url: "https://git.example/shop" }, 400, "bad-request"],
    ["issues.assign", { digest: DIGESTS.whole, assignee: "nobody" }, 400, "unknown-member"],
    ["issues.decide", { digest: DIGESTS.whole, state: "open", count: 3 }, 400, "bad-request"],
  ])("of %s with %o: %i %s", async (name, input, status, reason) => {
    const answer = await call(name, input);
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
  });

  it("of more views than a project may have", async () => {
    for (let n = 0; n < 200; n++)
      await storage.projectStore.saveView(`${n}`, { query: "", sort: "last" });
    const { status, json } = await call("views.save", { name: "one more" });
    expect([status, json.reason]).toEqual([409, "too-many"]);
  });
});

describe("the document", () => {
  const { paths, components } = createOpenApi();

  it("has the routes of all operations, and no others", () => {
    const written = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(written.sort()).toEqual(OPERATIONS.map(({ route }) => route).sort());
    for (const operation of OPERATIONS) {
      const { method, path } = parseRoute(operation);
      expect(matchApiRoute(method, path.replaceAll(/[{}]/g, ""))).toMatchObject({ operation });
    }
  });

  it.each(OPERATIONS.map((operation) => [operation.name, toNode(operation.output)] as const))(
    "describes every value that %s can have",
    (_, node) => {
      const schemas = components.schemas;
      for (const trust of TRUST_LEVELS)
        for (const floor of TRUST_LEVELS) {
          const sample = createSampleOutput(node, trust);
          const shown = applyTrustFloor(node, sample, { floor, maxChars: 3 });
          for (const value of [toApiValue(node, sample), toApiValue(node, shown)])
            expect(findMismatches(toOutputSchema(node), value, schemas)).toEqual([]);
        }
    },
  );

  it("refers only to what it has", () => {
    const refs = JSON.stringify({ paths, components }).match(/"#\/[^"]+"/g) ?? [];
    for (const ref of new Set(refs)) {
      const names = JSON.parse(ref).split("/").slice(1);
      const found = names.reduce(
        (part: object | undefined, one: string) => part && Reflect.get(part, one),
        { paths, components },
      );
      expect(found, ref).toBeDefined();
    }
  });
});

it.each([
  [{ type: "object", properties: { a: { type: "number" } } }, { a: "1" }],
  [{ type: "object", properties: {} }, { b: 1 }],
  [{ type: "object", properties: {}, required: ["a"] }, {}],
  [{ type: "array", prefixItems: [{ type: "string" }], items: false }, ["a", "b"]],
  [{ type: "string", format: "date-time" }, "yesterday"],
  [{ anyOf: [{ type: "string" }, { const: true }] }, false],
  [{ type: "string", enum: ["a"] }, "b"],
] as const)("a value that does not fit %o is found: %o", (schema, value) => {
  expect(findMismatches(schema, value, {})).not.toEqual([]);
});
