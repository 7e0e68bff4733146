import { afterEach, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { lookUp } from "#src/operations/lookup.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { finishJobs, getIndex, log, projectStore, uploadChunk } from "#support/store/store.ts";

skipPauses();
afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const find = async (q: string) =>
  JSON.parse((await visit(`/lookup?q=${encodeURIComponent(q)}`, asJson)).body);
const findDigests = async (q: string): Promise<readonly string[]> =>
  (await find(q)).hits.map(({ digest }: { digest: string }) => digest);

const HEADERS: NonNullable<NonNullable<Report["request"]>["headers"]> = [
  ["x-vercel-id", "fra1::iad1::k9x2p-1714568971234-2b3c4d5e6f7a"],
  ["x-amz-cf-id", "SceQPNcaSMF3OdNCp7wtqLS13rcJlXiyTtld_kE4JIU0Jl64tGiQwA=="],
  ["x-amzn-trace-id", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1"],
  ["x-request-id", "B0030269-DBEF-49ED-BFAB-D8DF07FA06F7"],
];

const REQUEST_IDS = [
  "ID: fra1::iad1::k9x2p-1714568971234-2b3c4d5e6f7a",
  "k9x2p-1714568971234-2b3c4d5e6f7a",
  "Request ID: SceQPNcaSMF3OdNCp7wtqLS13rcJlXiyTtld_kE4JIU0Jl64tGiQwA==",
  "1-5759e988-bd862e3fe1be46a994272793",
  "request_id=b0030269-dbef-49ed-bfab-d8df07fa06f7",
  "b0030269dbef49edbfabd8df07fa06f7",
];

describe.each(["waits in the log", "is in a chunk"])("a report that %s", (place) => {
  const store = async (reports: readonly Report[]) => {
    await log.append(reports);
    if (place === "is in a chunk") await uploadChunk();
  };

  it.each(REQUEST_IDS)("is found by an id of its request: %s", async (pasted) => {
    await store([
      createReport(1, { side: "server", request: { headers: HEADERS } }),
      createReport(2, { digest: "0000-0000" }),
    ]);
    expect(await findDigests(pasted)).toEqual(["7F3K-Q2M9"]);
  });

  it("is found by a tag with an id of its request", async () => {
    await store([createReport(1, { tags: [["correlation_id", "corr-4711-x"]] })]);
    expect(await findDigests("Correlation ID: corr-4711-x")).toEqual(["7F3K-Q2M9"]);
  });

  it("is found by the first eight characters of its event id", async () => {
    const id = `fc6d8c0c${toReportId(1).slice(8)}`;
    await store([createReport(1, { id })]);
    for (const pasted of ["fc6d8c0c", "FC6D8C0C", "event id: fc6d8c0c", id.slice(0, 20)])
      expect([pasted, await findDigests(pasted)]).toEqual([pasted, ["7F3K-Q2M9"]]);
    expect(await findDigests(`fc6d8c0c${"1".repeat(8)}`)).toEqual([]);
  });

  it("is found by its person, with the number of reports and their issues", async () => {
    const detail = { user: { id: "customer-8841", email: "Grace@example.org" } };
    await store([
      createReport(1, { detail }),
      createReport(2, { detail }),
      createReport(3, { detail, digest: "0000-0000" }),
      createReport(4, { digest: "NN8A-S8H6", detail: { user: { id: "customer-1" } } }),
    ]);
    for (const pasted of [
      "grace@example.org",
      "customer-8841",
      "mail of grace@example.org, today",
    ]) {
      const found = await find(pasted);
      expect([pasted, found.person?.reports]).toEqual([pasted, 3]);
      expect(found.hits.map(({ digest }: { digest: string }) => digest).toSorted()).toEqual([
        "0000-0000",
        "7F3K-Q2M9",
      ]);
    }
    const { body } = await visit("/lookup?q=grace%40example.org");
    expect(body.replaceAll("<!-- -->", "")).toContain("3 reports of");
  });
});

it("a server's report is found before that of a stranger who copied the id", async () => {
  const request = { headers: HEADERS };
  await log.append([
    createReport(1, { side: "server", request }),
    createReport(2, { digest: "0000-0000", trust: "public", request }),
  ]);
  expect(await findDigests("k9x2p-1714568971234-2b3c4d5e6f7a")).toEqual(["7F3K-Q2M9"]);
});

it("members see the reports of a person, viewers only the issues", async () => {
  await log.append([createReport(1, { detail: { user: { email: "grace@example.org" } } })]);
  const find = async (canSeePersons: boolean) => {
    const found = await lookUp(projectStore, "grace@example.org", { canSeePersons });
    return [found.matches.length, found.person?.reports];
  };
  expect([await find(true), await find(false)]).toEqual([
    [1, 1],
    [1, undefined],
  ]);
});

it("the filter user finds the issues of a person, or leaves them out", async () => {
  await log.append([
    createReport(1, { detail: { user: { id: "customer-8841", email: "grace@example.org" } } }),
    createReport(2, { digest: "0000-0000", tags: [["user.id", "customer-1"]] }),
  ]);
  const list = async (query: string) => {
    const { issues } = await projectStore.listIssues(parseIssueQuery(query));
    return issues.map(({ digest }) => digest);
  };
  expect(await list("user:Grace@example.org")).toEqual(["7F3K-Q2M9"]);
  expect(await list("user:customer-1")).toEqual(["0000-0000"]);
  expect(await list("-user:customer-1")).toEqual(["7F3K-Q2M9"]);
  expect(await list('user:"customer-8841" cart')).toEqual(["7F3K-Q2M9"]);
  expect(await list("user:nobody")).toEqual([]);
  const { body } = await visit("/issues.json?q=user%3Agrace%40example.org", asJson);
  expect(JSON.parse(body).total).toBe(1);
});

it("an erased report has no code, and its person is not found", async () => {
  await log.append([createReport(1, { detail: { user: { email: "grace@example.org" } } })]);
  await uploadChunk();
  expect(await findDigests("grace@example.org")).toEqual(["7F3K-Q2M9"]);
  expect(await getIndex().eraseReport(toReportId(1))).toBe(true);
  await finishJobs();
  expect((await find("grace@example.org")).person).toBeUndefined();
});

it("a report has a limited number of codes, and takes no row for them", async () => {
  const tags = Array.from({ length: 20 }, (_, n) => [`user.id`, `person-${n}`] as const);
  await log.append([createReport(1, { tags })]);
  expect(await findDigests(`person-${limits.maxPersonsPerReport - 1}`)).toEqual(["7F3K-Q2M9"]);
  expect((await find(`person-${limits.maxPersonsPerReport}`)).person).toBeUndefined();
});

describe("a code of another system without a report", () => {
  const MADE_MS = Date.UTC(2026, 10, 21, 17, 0, 3);
  const CODE = `fra1::iad1::k9x2p-${MADE_MS}-2b3c4d5e6f7a`;

  it("tells whose it is, when it was made, the errors of those seconds, and a command", async () => {
    await log.append([
      createReport(0),
      createReport(600_000, { digest: "0000-0000", message: "much later" }),
    ]);
    const { code } = await find(CODE);
    expect(code).toMatchObject({
      owner: "Vercel",
      what: "request id",
      madeMs: MADE_MS,
      places: ["fra1", "iad1"],
      command: expect.stringContaining("vercel logs --request-id k9x2p-"),
    });
    expect(code.errors.map(({ digest }: { digest: string }) => digest)).toEqual(["7F3K-Q2M9"]);
    const { response, body } = await visit(`/lookup?q=${encodeURIComponent(CODE)}&whole=1`);
    expect(response.status).toBe(404);
    for (const text of ["Request id of Vercel", "21 Nov 2026, 17:00:03 UTC", "/d/7F3K-Q2M9"])
      expect(body).toContain(text);
    const shown = body.replaceAll("<!-- -->", "");
    expect(shown).toContain("1 error within five seconds");
  });

  it("says at once that no report has it, if it was made more than a minute ago", async () => {
    const readAt = async (ageMs: number) => {
      const { body } = await visit(`/lookup?q=${encodeURIComponent(CODE)}&whole=1`, {
        services: { nowMs: () => MADE_MS + ageMs },
      });
      return body;
    };
    const old = await readAt(61_000);
    expect(old).toContain("No report has this id");
    expect(old).not.toContain("data-awaits");
    const recent = await readAt(59_000);
    expect(recent).toContain("data-awaits");
    expect(recent).not.toContain("No report has this id");
  });

  it("and the name of an error tell what they mean", async () => {
    const { code } = await find("Error 1101 on the shop");
    expect(code).toMatchObject({ owner: "Cloudflare", code: "1101" });
    const { body } = await visit("/lookup?q=error+code%3A+1101");
    expect(body).toContain("wrangler tail");
  });

  it("leads to the network errors that browsers reported", async () => {
    await log.append([createReport(1, { kind: "network", type: "tcp.refused", side: "browser" })]);
    const { response } = await visit("/lookup?q=ERR_CONNECTION_REFUSED");
    expect(response.headers.get("location")).toBe("/issues?q=kind%3Anetwork+type%3Atcp.refused");
  });
});

describe("the page of an unknown code names only reasons of its kind", () => {
  it.each([
    ["grace@example.org", ["It was erased"], ["Next.js", "digit", "Ray ID", "IP address"]],
    ["2338823894", ["It comes from another build"], ["It was erased", "IP address"]],
    ["192.0.2.7", ["does not store IP addresses"], ["Next.js", "It was erased"]],
    ["8f1e2d3c4b5a6978-FRA", ["The request caused no report"], ["Next.js", "It was erased"]],
    ["/checkout/pay", [], ["Next.js", "It was erased", "IP address"]],
  ])("%s", async (pasted, named, omitted) => {
    const { body } = await visit(`/lookup?q=${encodeURIComponent(pasted)}&whole=1`);
    const reasons = /<dl class="reasons">.*?<\/dl>/s.exec(body)?.[0] ?? "";
    for (const text of named) expect(reasons).toContain(text);
    for (const text of omitted) expect(reasons).not.toContain(text);
    expect(reasons).toContain("It has expired");
  });
});
