/** A receipt and its comments belong to the project of the URL, as soon as it has the digest. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { toReportCode } from "#src/core/report/report-code.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, log, NOW_MS, projectStore } from "#support/store/store.ts";

const toDigest = (n: number) => digestFromHash(Uint8Array.of(n, 0, 0, 0, 0));
const [PUBLIC, PAGE, LINKED, ELSEWHERE] = [toDigest(1), toDigest(2), toDigest(3), toDigest(4)];
const ALIAS = "2338823894";
const REPORT_ID = "5".repeat(32);
const CODE = toReportCode(REPORT_ID);
const settings = {
  project: "2",
  shards: 1,
  nowMs: () => NOW_MS,
  drainSpool: async () => 0,
};
const otherStore = createProjectStore(bindings, settings);

let members: TestMembers;
let proof: Proof;

beforeAll(async () => {
  members = await createMembers();
  const owner = await members.invite("owner");
  proof = owner.proof;
  await members.change(owner.actor, { do: "create-project", name: "Another team" });
  const browser = { side: "browser", format: "reporter" } as const;
  await log.append([
    createReport(1, { ...browser, digest: PUBLIC, trust: "public", aliases: [ALIAS] }),
    createReport(2, { ...browser, digest: PAGE, trust: "page" }),
    createReport(3, {
      ...browser,
      digest: LINKED,
      isLinked: true,
      kind: "notice",
      trust: "public",
    }),
    createReport(4, { ...browser, digest: toDigest(5), id: REPORT_ID, trust: "public" }),
  ]);
  // The owner of the other project sends the same errors with a server key.
  const known = [PUBLIC, PAGE, LINKED, ELSEWHERE];
  await createReportWriter(bindings, settings).append([
    ...known.map((digest, n) => createReport(10 + n, { digest })),
    createReport(20, { digest: toDigest(6), aliases: [ALIAS] }),
    createReport(21, { ...browser, digest: toDigest(7), id: REPORT_ID, trust: "page" }),
  ]);
});

afterAll(() => emptyStore());

const send = (path: string, init: RequestInit = {}) =>
  visit(path, { origin: ORIGIN, services: members.services, redirect: "manual", ...init });
const isKnown = async (path: string) => JSON.parse((await send(`${path}.json`)).body).isKnown;

describe.each([
  ["that a public report has", PUBLIC],
  ["that a signed page reported", PAGE],
  ["that a visitor was shown", LINKED],
  ["of a failure in the browser", CODE],
])("a digest %s", (_, digest) => {
  it("is not answered by the owners of another project", async () => {
    expect(await isKnown(`/e/${digest}`)).toBe(false);
    expect(await isKnown(`/p/2/e/${digest}`)).toBe(true);
  });

  it("does not take the comments of visitors to another project", async () => {
    const before = await otherStore.getFreshIssue(digest === CODE ? toDigest(7) : digest);
    const { response } = await send(`/e/${digest}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "comment=My+card+ends+in+1881",
    });
    expect(response.status).toBe(303);
    const after = await otherStore.getFreshIssue(digest === CODE ? toDigest(7) : digest);
    expect(after?.linkedCount).toBe(before?.linkedCount);
  });
});

it("a code of a framework that the project knows leads to no issue of another project", async () => {
  expect((await send(`/e/${ALIAS}`)).response.status).toBe(200);
  expect((await send(`/p/2/e/${ALIAS}`)).response.headers.get("location")).toBe(
    `/p/2/e/${toDigest(6)}`,
  );
});

it("a digest that no report of the project has is answered by the others", async () => {
  expect(await isKnown(`/e/${ELSEWHERE}`)).toBe(true);
});

it("a page report with the code of a server's issue does not make the code ambiguous", async () => {
  const [code, server, page] = ["1122334455", toDigest(8), toDigest(9)];
  await log.append([
    createReport(30, { digest: page, side: "browser", trust: "page", aliases: [code] }),
    createReport(31, { digest: server, aliases: [code] }),
  ]);
  expect(await projectStore.findIssuesByAlias(code)).toEqual([server]);
  expect((await send(`/e/${code}`)).response.headers.get("location")).toBe(`/e/${server}`);
  const lookup = await send(`/lookup?q=${code}`, { headers: { accept: "text/html", ...proof } });
  expect(lookup.response.headers.get("location")).toBe(`/d/${server}`);
});
