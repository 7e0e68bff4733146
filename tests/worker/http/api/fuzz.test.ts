// Requests of `/api/v1` that are made from the schemas of its operations: values that a schema
// allows, also at its limits, and values that it does not. No answer is a 5xx, and each fits
// `/openapi.json`. A run makes a few requests of each operation, always the same ones. To search
// for longer, set FUZZ_ROUNDS: eight hundred rounds take about ten minutes.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { listPathMembers } from "#src/core/operation-facts.ts";
import { type JsonSchema, toInputMembers } from "#src/http/api/json-schema.ts";
import { type Operation, parseRoute, takesQuery } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import {
  createApiRequest,
  findContractMismatches,
  getOperation,
  INPUTS,
  type StoredIds,
  stopTrackers,
  storeIssues,
} from "#support/http/api-requests.ts";
import { visit } from "#support/http/visit.ts";

const ROUNDS = Number((env as { readonly FUZZ_ROUNDS?: string }).FUZZ_ROUNDS);
const SEED = 20_261_130;
const SAME_ORIGIN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };

/** They end the store, or the project, for the requests after them: only their failures are made. */
const ENDING = new Set([
  "projects.rebuild",
  "projects.eraseData",
  "projects.delete",
  "projects.archive",
]);

/** Texts that break what is careless with them. */
const HOSTILE = fc.constantFrom<unknown>(
  ...["", " ", "\0", "\ud800", "é\u0301", "'", '"', "\\", "%", "%00", "%2e%2e%2f", "../..", "NaN"],
  ...["__proto__", "constructor", "null", "-1", "1e999", "9".repeat(400), "x".repeat(70_000)],
  ...[
    "<script>",
    "{{7*7}}",
    "' OR 1=1 --",
    "\u202e",
    "🦄".repeat(2_000),
    "7F3K-Q2M9",
    "0".repeat(32),
  ],
  ...[null, true, 0, -1, 1.5, 1e308, [], {}, [[]], [null], { a: { b: [] } }],
);

/** Values that the schema describes, and now and then another one. */
function toValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: toDescribed(schema) }, { weight: 1, arbitrary: HOSTILE });
}

function toDescribed(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, pattern, items, properties = {}, required = [] } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (type) {
    case "integer":
    case "number": {
      const { minimum: min = -5, maximum: max = min + 1e9 } = schema;
      return fc.oneof(fc.constantFrom(min, max, min - 1, max + 1), fc.integer({ min, max }));
    }
    case "boolean":
      return fc.boolean();
    case "array": {
      const { minItems = 0, maxItems = 12 } = schema;
      const most = Math.min(maxItems, minItems + 12);
      const item = typeof items === "object" ? toValue(items) : fc.anything();
      return fc.array(item, { minLength: minItems, maxLength: most });
    }
    case "object": {
      const members = Object.entries(properties).map(
        ([name, one]) => [name, toValue(one)] as const,
      );
      return members.length === 0
        ? fc.dictionary(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), { maxKeys: 5 })
        : fc.record(Object.fromEntries(members), { requiredKeys: [...required] as never[] });
    }
    default: {
      const { minLength = 0, maxLength = 200 } = schema;
      if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
      const most = Math.min(maxLength, 2_000);
      return fc.oneof(
        fc.string({
          unit: "grapheme",
          minLength,
          maxLength: Math.max(minLength, Math.min(most, 40)),
        }),
        fc.constantFrom("x".repeat(maxLength), "x".repeat(maxLength + 1)),
      );
    }
  }
}

/** Inputs of an operation: of known things, with some members replaced, added or left out. */
function toInputs(name: string, ids: StoredIds): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const operation = getOperation(name);
  const known = { ...INPUTS[name]?.(ids) } as Readonly<Record<string, unknown>>;
  const members = Object.entries(toInputMembers(operation.input)).map(
    ([member, { schema }]) =>
      [
        member,
        fc.oneof(
          { weight: 3, arbitrary: fc.constant({ keep: true } as const) },
          {
            weight: 2,
            arbitrary: toValue(schema).map((value) => ({ keep: false, value }) as const),
          },
          { weight: 1, arbitrary: fc.constant({ keep: false, value: undefined } as const) },
        ),
      ] as const,
  );
  return fc.record(Object.fromEntries(members)).map((chosen) => {
    const values = Object.entries(chosen).map(([member, one]) => {
      return [member, one.keep ? known[member] : one.value] as const;
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  });
}

let ids: StoredIds;
beforeAll(() => stopTrackers());
beforeAll(async () => {
  ids = await storeIssues();
});

/** False for a request that would end what the later ones need. */
function isHarmless(name: string, input: Readonly<Record<string, unknown>>): boolean {
  return !ENDING.has(name) || JSON.stringify(input) !== JSON.stringify(INPUTS[name]?.(ids) ?? {});
}

/** The input with texts in the path and the query, where there are no other values. */
function toSent(operation: Operation, input: Readonly<Record<string, unknown>>) {
  const inPath = listPathMembers(parseRoute(operation).path);
  const isText = (name: string) => takesQuery(operation) || inPath.includes(name);
  const toText = (value: unknown) => {
    return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
  };
  return Object.fromEntries(
    Object.entries(input).map(([name, one]) => [name, isText(name) ? toText(one) : one]),
  );
}

async function send(name: string, input: Readonly<Record<string, unknown>>, trust: string) {
  const operation = getOperation(name);
  const { path, ...init } = createApiRequest(operation, toSent(operation, input), {
    ...(trust !== "" && { trust }),
  });
  const headers = { ...SAME_ORIGIN, ...init.headers };
  const { response, body } = await visit(path, { ...init, headers });
  const json = body === "" ? null : JSON.parse(body);
  return { status: response.status, reason: json?.reason, response, json };
}

const ROUTES = new Map(OPERATIONS.map((one) => [one.name, parseRoute(one).path]));

it(`has no request with a 5xx or an answer of another form, in ${ROUNDS} rounds`, async () => {
  const counts = new Map<number, number>();
  for (const { name } of OPERATIONS) {
    const inputs = fc.sample(toInputs(name, ids), { numRuns: ROUNDS, seed: SEED });
    const trusts = fc.sample(fc.constantFrom("", "", "server", "page", "public", "all"), {
      numRuns: ROUNDS,
      seed: SEED,
    });
    for (const [n, input] of inputs.entries()) {
      if (!isHarmless(name, input)) continue;
      // The path of another operation, or of none.
      const path = ROUTES.get(name) ?? "";
      const isInPath = (value: unknown) => value === "" || value === "." || value === "..";
      if (Object.entries(input).some(([key, one]) => path.includes(`{${key}}`) && isInPath(one)))
        continue;
      const { status, reason, response, json } = await send(name, input, trusts[n] ?? "");
      const sent = `${name} ${JSON.stringify(input).slice(0, 400)}`;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect([sent, status, reason]).toEqual([sent, expect.toSatisfy((one) => one < 500), reason]);
      if (status !== 404 || reason !== "not-found")
        expect([sent, findContractMismatches(getOperation(name), response, json)]).toEqual([
          sent,
          [],
        ]);
    }
  }
  console.info("fuzz", JSON.stringify(Object.fromEntries(counts)));
  expect(counts.get(200)).toBeGreaterThan(OPERATIONS.length / 4);
  expect(counts.get(400)).toBeGreaterThan(OPERATIONS.length / 4);
}, 3_600_000);
