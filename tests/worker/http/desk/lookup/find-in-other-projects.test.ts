import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { toReportCode } from "#src/core/report/report-code.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { openLimiters, visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, log, NOW_MS } from "#support/store/store.ts";

skipPauses();

const toDigest = (n: number) => digestFromHash(Uint8Array.of(n, 0, 0, 0, 0));
const [FIRST, SECOND, BOTH, PUBLIC, UNKNOWN] = [
  toDigest(1),
  toDigest(2),
  toDigest(3),
  toDigest(4),
  toDigest(5),
];
/** The last character is the check character. */
const MISREAD = `${SECOND.slice(0, -1)}${SECOND.endsWith("Z") ? "Y" : "Z"}`;
const CODE = "4242424242";
/** Failures in the browser alone: of a signed page, and of any page. */
const [SIGNED_ID, ANONYMOUS_ID] = ["5", "6"].map((digit) => digit.repeat(32)) as [string, string];
/** Known to the logs only. */
const REQUEST_ID = "fra1::iad1::k9x2p-1714568971234-2b3c4d5e6f7a";
const EVENT_ID = "fc6d8c0c43fc4630ad850ee518f1b9d0";
const RAY = "8f1e2d3c4b5a6978";
const REFUSED = toDigest(8);
const BROWSER = toDigest(6);
const ANONYMOUS = toDigest(7);

let members: TestMembers;
let owner: Proof;
let outsider: Proof;

const createWriter = (project: string) =>
  createReportWriter(bindings, { project, shards: 1, nowMs: () => NOW_MS });

beforeAll(async () => {
  members = await createMembers();
  const { proof, actor } = await members.invite("owner");
  owner = proof;
  await members.change(actor, { do: "create-project", name: "Web shop" });
  await members.change(actor, { do: "create-project", name: "Till" });
  outsider = (await members.invite("viewer")).proof;
  await log.append([createReport(1, { digest: FIRST, trust: "server" })]);
  await createWriter("2").append([
    createReport(2, {
      id: EVENT_ID,
      ...{ digest: SECOND, aliases: [CODE], message: "the basket is empty", side: "server" },
      rayId: RAY,
      request: { url: "https://shop.example/basket", headers: [["x-vercel-id", REQUEST_ID]] },
      detail: { user: { id: "customer-8841", email: "grace@example.org" } },
    }),
    createReport(3, { digest: BOTH, message: "no stock" }),
    createReport(4, { digest: PUBLIC, trust: "public" }),
    ...[
      { id: SIGNED_ID, digest: BROWSER, trust: "page" as const },
      { id: ANONYMOUS_ID, digest: ANONYMOUS, trust: "public" as const },
    ].map((one, n) => createReport(20 + n, { ...one, side: "browser", format: "reporter" })),
  ]);
  await createWriter("3").append([
    createReport(5, { digest: BOTH, message: "no stock" }),
    createReport(6, { digest: REFUSED, kind: "network", type: "tcp.refused", side: "browser" }),
  ]);
});

afterAll(() => emptyStore());

async function open(path: string, { proof = owner, accept = "text/html", services = {} } = {}) {
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: { ...members.services, ...services },
    redirect: "manual",
    headers: { ...proof, accept, "cf-connecting-ip": "192.0.2.1" },
  });
  const location = response.headers.get("location");
  return {
    body: body.replaceAll("<!-- -->", ""),
    status: response.status,
    // As a browser resolves it.
    path: location === null ? undefined : new URL(location, `${ORIGIN}${path}`).pathname,
  };
}

describe("a code of another project of the person", () => {
  it.each([
    [`/lookup?q=${SECOND}`, `/p/2/d/${SECOND}`],
    [`/d/${SECOND}`, `/p/2/d/${SECOND}`],
    [`/p/2/lookup?q=${FIRST}`, `/d/${FIRST}`],
    [`/p/3/d/${FIRST}`, `/d/${FIRST}`],
    [`/p/3/lookup/?q=see+${SECOND}`, `/p/2/d/${SECOND}`],
    [`/lookup?q=digest:+${CODE}`, `/p/2/d/${SECOND}`],
    [`/lookup?q=${EVENT_ID}`, `/p/2/d/${SECOND}`],
    ["/lookup?q=basket+is+empty", `/p/2/d/${SECOND}`],
    ["/lookup?q=grace%40example.org", `/p/2/d/${SECOND}`],
    ["/lookup?q=customer-8841", `/p/2/d/${SECOND}`],
    ["/lookup?q=mail+of+grace%40example.org", `/p/2/d/${SECOND}`],
    [`/lookup?q=${REQUEST_ID}`, `/p/2/d/${SECOND}`],
    [`/lookup?q=${RAY}-FRA`, `/p/2/d/${SECOND}`],
    [`/lookup?q=${EVENT_ID.slice(0, 8)}`, `/p/2/d/${SECOND}`],
    ["/lookup?q=ERR_CONNECTION_REFUSED", `/p/3/d/${REFUSED}`],
    ["/lookup?q=https://shop.example/basket", `/p/2/d/${SECOND}`],
    [`/lookup?q=${toReportCode(SIGNED_ID)}`, `/p/2/d/${BROWSER}`],
    [`/d/${toReportCode(SIGNED_ID)}`, `/p/2/d/${BROWSER}`],
    [`/p/3/lookup?q=code:+${toReportCode(ANONYMOUS_ID)}`, `/p/2/d/${ANONYMOUS}`],
  ])("%s leads to %s", async (from, to) => {
    expect(await open(from)).toMatchObject({ path: to });
  });

  it("offers a choice of all issues of a person", async () => {
    const detail = { user: { email: "ada@example.org" } };
    await createWriter("3").append([
      createReport(30, { digest: BOTH, detail }),
      createReport(31, { digest: REFUSED, detail }),
    ]);
    const { status, body } = await open("/lookup?q=ada%40example.org");
    expect(status).toBe(200);
    for (const link of [`/p/3/d/${BOTH}`, `/p/3/d/${REFUSED}`]) expect(body).toContain(`"${link}`);
  });

  it("offers a choice if several projects have it", async () => {
    const { status, body } = await open(`/d/${BOTH}`);
    expect(status).toBe(200);
    expect(body).toContain("is known in 2 of your other projects");
    for (const link of [`/p/2/d/${BOTH}`, `/p/3/d/${BOTH}`]) expect(body).toContain(`"${link}"`);
    expect(body).toContain("Web shop");
  });

  it("is read as intended if it was misread", async () => {
    const { status, body } = await open(`/lookup?q=${MISREAD}`);
    expect(status).toBe(404);
    expect(body).toContain("Existing issues");
    expect(body).toContain(SECOND);
  });

  it("is among the hits of programs that may read several projects", async () => {
    for (const path of [`/lookup.json?q=${SECOND}`, `/d/${SECOND}.json`]) {
      const { body } = await open(path, { accept: "application/json" });
      expect(JSON.parse(body)).toMatchObject({
        hits: [],
        otherProjects: [
          { project: "Web shop", hits: [{ digest: SECOND, url: `/p/2/d/${SECOND}` }] },
        ],
      });
    }
  });

  it("stays unknown to people who are not members of that project", async () => {
    const { status, body } = await open(`/d/${SECOND}?streaming=off`, { proof: outsider });
    expect(status).toBe(404);
    expect(body).not.toContain("Web shop");
    expect(body).not.toContain("Not found in your");
  });

  it("says how many projects were searched if none has it", async () => {
    const { body } = await open(`/d/${UNKNOWN}?streaming=off`);
    expect(body).toContain("Not found in your 2 other projects either.");
  });
});

it("a search with several matches also lists those of other projects", async () => {
  await log.append([
    createReport(11, { digest: toDigest(11), message: "no stock left" }),
    createReport(12, { digest: toDigest(12), message: "no stock here" }),
  ]);
  const { body } = await open("/lookup?q=no+stock");
  expect(body).toContain("matches 2 issues");
  expect(body).toContain(`"/p/2/d/${BOTH}"`);
});

describe("the receipt of a digest", () => {
  const getReceipt = async (path: string, services = {}) =>
    JSON.parse((await open(path, { proof: {}, accept: "application/json", services })).body);

  it.each([`/e/${SECOND}`, `/p/3/e/${SECOND}`, `/p/9/e/${SECOND}`, `/p/2/e/${FIRST}`])(
    "%s is known, whichever project has it",
    async (path) => {
      expect(await getReceipt(path)).toMatchObject({ isKnown: true, weekCount: 1 });
    },
  );

  it("exists for the code of a failure in the browser, if its page was signed", async () => {
    const signed = `/e/${toReportCode(SIGNED_ID)}`;
    for (const path of [signed, `/p/2${signed}`, `/p/3${signed}`])
      expect(await getReceipt(path)).toMatchObject({ isKnown: true });
    const anonymous = `/e/${toReportCode(ANONYMOUS_ID)}`;
    for (const path of [anonymous, `/p/2${anonymous}`])
      expect(await getReceipt(path)).toEqual({ isKnown: false });
  });

  it("leads a member to the issue of a code, whichever of their projects has it", async () => {
    const code = toReportCode(ANONYMOUS_ID);
    const link = `href="/d/${code}"`;
    expect((await open(`/e/${code}?streaming=off`)).body).toContain(link);
    expect((await open(`/e/${code}?streaming=off`, { proof: {} })).body).not.toContain(link);
    expect(await open(`/d/${code}`)).toMatchObject({ path: `/p/2/d/${ANONYMOUS}` });
  });

  it("does not name the project", async () => {
    const { body } = await open(`/e/${SECOND}?streaming=off`, { proof: {} });
    expect(body).toContain("We know about it.");
    expect(body).not.toMatch(/Web shop|\/p\/2/);
  });

  it("resolves a code of another framework", async () => {
    expect(await open(`/e/${CODE}`, { proof: {} })).toMatchObject({ path: `/e/${SECOND}` });
  });

  it("is unknown if only strangers reported it to another project", async () => {
    expect(await getReceipt(`/e/${PUBLIC}`)).toEqual({ isKnown: false });
  });

  it("makes no lookup beyond the rate limit", async () => {
    const limiters = { ...openLimiters, receipt: async () => false };
    const { status } = await open(`/e/${SECOND}`, { proof: {}, services: { limiters } });
    expect(status).toBe(429);
  });

  it("takes a comment to the project that has the issue", async () => {
    await visit(`/e/${SECOND}`, {
      method: "POST",
      origin: ORIGIN,
      services: members.services,
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "comment=It+broke",
    });
    const { body } = await open(`/p/2/d/${SECOND}.json`, { accept: "application/json" });
    expect(JSON.parse(body).linkedCount).toBe(1);
  });
});
