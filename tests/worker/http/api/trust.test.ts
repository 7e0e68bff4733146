// What tokens read of reported text through `/api/v1`, by the level of its reports.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import { toNode } from "#src/operations/provenance.ts";
import { hasReportedText } from "#src/operations/trust-floor.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import {
  createApiRequest,
  DIGESTS,
  findContractMismatches,
  getOperation,
  INPUTS,
  type StoredIds,
  stopTrackers,
  storeIssues,
} from "#support/http/api-requests.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getShard, log } from "#support/store/store.ts";

/** In every text of the reports of this level. */
const CANARIES = { page: "CANARY_OF_PAGE", public: "CANARY_OF_PUBLIC" } as const;

let members: TestMembers;
let ids: StoredIds;
let person: Proof;
const tokens: Partial<Record<Trust, Proof>> = {};

/** An issue, each text of whose report is the canary of its level. */
function createCanary(n: number, digest: string, trust: "page" | "public") {
  const text = CANARIES[trust];
  const frames = [{ file: text, function: text, line: 1, column: 1, inApp: true }];
  return createReport(n, {
    ...{ digest: digest as never, trust, side: "browser", frames, type: text, message: text },
    ...{ release: text, environment: text, detail: { [text]: text }, stack: text, level: text },
    ...{ aliases: [text], tags: [[text, text]], fingerprint: [text], componentStack: text },
    request: { url: text, route: text, headers: [[text, text]] },
    breadcrumbs: [{ message: text, category: text, data: { [text]: text } }],
    causes: [{ type: text, message: text, frames }],
  });
}

async function read(name: string, input: object, proof: Proof, trust?: string) {
  const operation = getOperation(name);
  const { path, ...init } = createApiRequest(
    operation,
    input,
    trust === undefined ? {} : { trust },
  );
  const headers = { ...init.headers, ...proof };
  const { services } = members;
  const { response, body } = await visit(path, { ...init, origin: ORIGIN, headers, services });
  const json = body === "" ? null : JSON.parse(body);
  expect(findContractMismatches(operation, response, json)).toEqual([]);
  return { status: response.status, json, body };
}

/** The texts of a value, without quotes; names of members count. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || "writtenBy" in value) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(listTexts)];
}

beforeAll(() => stopTrackers());
beforeAll(async () => {
  members = await createMembers();
  ids = await storeIssues();
  await log.append([
    createCanary(10, DIGESTS.erased, "public"),
    createCanary(11, DIGESTS.other, "page"),
    createCanary(12, DIGESTS.whole, "public"),
  ]);
  await getShard().flush();
  for (const lowestTrust of ["server", "page", "public"] as const)
    tokens[lowestTrust] = (await members.token("owner", "1", { lowestTrust })).proof;
  person = (await members.invite("viewer")).proof;
});

afterAll(() => emptyStore());

describe("a token", () => {
  const byOutput = Object.entries(INPUTS).filter(([name]) => !/erase/.test(name));

  it.each(byOutput)("reads no text below server in %s, unless it asks", async (name, toInput) => {
    const { body } = await read(name, toInput(ids), tokens.public ?? {});
    for (const canary of Object.values(CANARIES)) expect(body).not.toContain(canary);
    if (!hasReportedText(toNode(getOperation(name).output))) return;
    const { json } = await read(name, toInput(ids), tokens.public ?? {}, "public");
    for (const canary of Object.values(CANARIES))
      expect(listTexts(json).filter((text) => text.includes(canary))).toEqual([]);
  });

  it("reads the key of a server's report as text, and not that of a stranger before it", async () => {
    const digest = digestFromHash(new Uint8Array(32).fill(3));
    const toGrouping = (value: string) => ({
      version: 1,
      parts: [{ role: "type", value } as const],
    });
    await log.append([
      createReport(20, {
        ...{ digest, trust: "public", side: "browser" },
        grouping: toGrouping(CANARIES.public),
      }),
      createReport(21, { digest, grouping: toGrouping("CartError") }),
    ]);
    const proof = tokens.server ?? {};
    const investigated = await read("issues.investigate", { digest }, proof);
    expect(investigated.body).not.toContain(CANARIES.public);
    expect(investigated.json.issue).toMatchObject({
      trust: "server",
      groupedBy: { withheld: true },
    });
    expect(investigated.json.report.groupedBy).toContain("CartError");
  });

  const get = (level: Trust, trust?: string) =>
    read("issues.get", { digest: DIGESTS.erased }, tokens[level] ?? {}, trust);

  it("reads who could have written a text, and how to ask for it", async () => {
    const { json } = await get("public");
    const withheld = { withheld: true, writtenBy: "public", ask: "trust=public" };
    expect(json).toMatchObject({ trust: "public", message: withheld, title: withheld });
    expect(json.reports[0]).toMatchObject({ detail: withheld, type: withheld });
  });

  it("reads the text as a quote if it asks", async () => {
    const { json } = await get("public", "public");
    const quote = { text: CANARIES.public, writtenBy: "public" };
    expect(json.latestReports[0]).toMatchObject({ message: quote });
    expect(json.reports.at(0)).toMatchObject({ message: quote, stack: quote });
  });

  it.each([
    ["server", "server", 200],
    ["server", "page", 403],
    ["server", "public", 403],
    ["page", "page", 200],
    ["page", "public", 403],
    ["public", "public", 200],
  ] as const)("whose lowest trust is %s asks for %s: %i", async (lowest, asked, status) => {
    const answer = await get(lowest, asked);
    expect(answer.status).toBe(status);
    if (status !== 403) return;
    expect(answer.json.reason).toBe("trust-forbidden");
    expect(answer.body).not.toContain(CANARIES.public);
  });

  it("must name a level that exists, once, and only where there is reported text", async () => {
    expect((await get("public", "all")).json.reason).toBe("bad-request");
    const { json } = await read("whoami.get", {}, tokens.public ?? {}, "server");
    expect(json.reason).toBe("unknown-parameter");
  });

  it("cannot read pages and exports if its lowest trust is not public", async () => {
    const { services } = members;
    for (const path of ["/", "/issues.json", `/d/${DIGESTS.erased}?format=md`, "/export"]) {
      const headers = { ...tokens.server, accept: "application/json" };
      const { response, body } = await visit(path, { origin: ORIGIN, headers, services });
      expect([path, response.status, JSON.parse(body).reason]).toEqual([path, 403, "api-only"]);
    }
  });
});

describe("a person", () => {
  it("reads everything as text", async () => {
    const { json } = await read("issues.get", { digest: DIGESTS.erased }, person);
    expect(listTexts(json)).toContain(CANARIES.public);
  });

  it("sees what a token would read", async () => {
    const { body } = await read("issues.get", { digest: DIGESTS.erased }, person, "server");
    expect(body).not.toContain(CANARIES.public);
  });
});

it("has no operation with an input of the name of the parameter", () => {
  for (const { input } of OPERATIONS) expect(input.entries).not.toHaveProperty("trust");
});
