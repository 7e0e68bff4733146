/** A release with its commits, as a build describes it, over the real objects. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { releaseLimits } from "#src/core/artifacts/release-limits.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { Report } from "#src/core/report.ts";
import { createMembers, ORIGIN, type TestMembers } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

const RELEASE = "shop@1.4.2";
const DIGEST = createReport(0).digest;
const FRAME = { file: "/app/src/cart.ts", function: "total", line: 7, column: 3, inApp: true };

let members: TestMembers;
let proof: Record<string, string>;

beforeEach(async () => {
  members = await createMembers();
  proof = (await members.token("member")).proof;
});
afterEach(() => emptyStore());

async function call(method: string, path: string, body?: object, headers = proof) {
  const { response, body: text } = await visit(path, {
    method,
    origin: ORIGIN,
    services: members.services,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
}

const put = (body: object, name = RELEASE) => call("PUT", `/api/v1/releases/${name}`, body);
const readIssue = async () => (await call("GET", `/api/v1/issues/${DIGEST}`)).json;
const append = (n: number, over: Partial<Report> = {}) =>
  log.append([createReport(n, { digest: DIGEST, release: RELEASE, frames: [FRAME], ...over })]);

const FIX = {
  id: "3f2a9c1b04d5e6f7",
  message: `Add the prices\n\nFixes ${DIGEST}`,
  author: "Ada",
  at: "2026-11-03T10:00:00Z",
  url: "https://git.example/shop/commit/3f2a9c1b04d5e6f7",
  files: ["src/cart.ts", "README.md"],
};

describe("an upload token", () => {
  it("describes a release of its project, and reads only what it sent", async () => {
    await append(1);
    await put({ commits: [{ id: "a0a0a0a", message: "Secret work" }] });
    const { proof: uploader } = await members.token("uploader");
    const deploy = { environment: "production" };
    const path = `/api/v1/releases/${RELEASE}`;
    const { status, json, text } = await call("PUT", path, { commits: [FIX], deploy }, uploader);
    expect([status, json.fixed]).toEqual([200, [DIGEST]]);
    expect(json.facts).toMatchObject({ deploys: [deploy], commits: [{ id: FIX.id }] });
    expect(text).not.toContain("Secret work");
    expect((await readIssue()).state).toBe("resolved");
    expect((await call("GET", path, undefined, uploader)).status).toBe(401);
    const { status: other } = await call("PUT", `/p/2${path}`, { commits: [] }, uploader);
    expect(other).toBe(404);
  });

  it("is named in the audit log, and ends when it is revoked", async () => {
    const { proof: uploader, id } = await members.token("uploader");
    const describeIt = () => call("PUT", `/api/v1/releases/${RELEASE}`, { commits: [] }, uploader);
    expect((await describeIt()).status).toBe(200);
    const [newest] = await members.registry.listAuditEntries("1");
    expect(newest).toMatchObject({ action: "releases.describe", details: "described a release" });
    expect(newest?.by).toBeTruthy();
    await members.change(members.deployer, { do: "revoke-token", project: "1", token: id });
    expect((await describeIt()).status).toBe(401);
  });
});

describe("a commit that fixes an issue", () => {
  it("resolves it in the release of the commit", async () => {
    await append(1);
    const { status, json } = await put({ commits: [FIX] });
    expect(status).toBe(200);
    expect(json.fixed).toEqual([DIGEST]);
    const issue = await readIssue();
    expect(issue.state).toBe("resolved");
    expect(issue.decision).toMatchObject({ release: RELEASE });
    expect(issue.annotations.activity).toMatchObject([
      { action: "resolved", release: RELEASE, by: "commit 3f2a9c1b04 (Ada)" },
    ]);
  });

  it("acts once, whichever release lists it again", async () => {
    await append(1);
    await put({ commits: [FIX] });
    await call("PUT", `/api/v1/issues/${DIGEST}/decision`, { state: "open" });
    for (const name of [RELEASE, "shop@1.4.3"])
      expect((await put({ commits: [FIX] }, name)).json.fixed).toEqual([]);
    expect((await readIssue()).state).toBe("open");
  });

  it("can be undone as one change", async () => {
    await append(1);
    const { json } = await put({ commits: [FIX] });
    await call("POST", `/api/v1/changes/${json.change}/undo`);
    expect((await readIssue()).state).toBe("open");
  });

  it("is reopened by a report of a later release, and not of an earlier one", async () => {
    await append(1);
    await put({ commits: [FIX] });
    const later = { occurredAtMs: readNowMs() + 60_000, receivedAtMs: readNowMs() + 60_000 };
    await append(2, { release: "shop@1.4.1", ...later });
    expect((await readIssue()).state).toBe("resolved");
    await append(3, { release: "shop@1.5.0", ...later });
    expect(await readIssue()).toMatchObject({ state: "open" });
  });

  it("is one of at most a hundred in a call", async () => {
    await append(1);
    const others = Array.from({ length: releaseLimits.maxFixesPerCall }, (_, n) =>
      digestFromHash(new Uint8Array(32).fill(n + 1)),
    );
    const message = `Fixes ${others.join(", ")}\n\nFixes ${DIGEST}`;
    expect((await put({ commits: [{ ...FIX, message }] })).json.fixed).toEqual([]);
    const next = {
      ...FIX,
      id: "aaaaaaa1",
      message: `Fixes ${others.slice(1).join(", ")}, ${DIGEST}`,
    };
    expect((await put({ commits: [next] })).json.fixed).toEqual([DIGEST]);
  });

  it("is found in what sentry-cli sends", async () => {
    await append(1);
    const uploader = (await members.token("uploader")).proof;
    const { status } = await call(
      "PUT",
      `/api/0/organizations/acme/releases/${encodeURIComponent(RELEASE)}/`,
      {
        projects: [],
        commits: [
          {
            id: FIX.id,
            message: FIX.message,
            author_name: "Ada",
            timestamp: FIX.at,
            patch_set: [{ path: "src/cart.ts", type: "M" }, { path: 7 }, "x"],
          },
        ],
      },
      uploader,
    );
    expect(status).toBe(200);
    const issue = await readIssue();
    expect(issue.state).toBe("resolved");
    expect(issue.suspectCommits).toMatchObject([{ id: FIX.id, file: "src/cart.ts" }]);
  });
});

/** Sends sessions of a release as a server. */
async function sendSessions(release: string, exited: number): Promise<void> {
  const started = new Date(readNowMs()).toISOString();
  const payload = { attrs: { release }, aggregates: [{ started, exited }] };
  await sendAs("server", `{}\n{"type":"sessions"}\n${JSON.stringify(payload)}\n`);
}

describe("the proof of a fix", () => {
  it("compares the sessions of the release with those before", async () => {
    await append(1, { release: "shop@1.4.1" });
    await sendSessions("shop@1.4.1", 40);
    await put({ commits: [FIX] });
    expect((await readIssue()).proof).toBeUndefined();
    await sendSessions(RELEASE, 4_000);
    await sendSessions("shop@1.5.0", 102);
    expect((await readIssue()).proof).toEqual({
      release: RELEASE,
      since: { reports: 0, sessions: 4_102 },
      before: { reports: 1, sessions: 40 },
    });
    const page = (await call("GET", `/d/${DIGEST}`, undefined, { ...proof, accept: "text/html" }))
      .text;
    const text = page.replace(/<!--.*?-->|<[^>]*>/g, "");
    expect(text).toContain("0 in 4,102 sessions of shop@1.4.2; before 2.5 %.");
  });
});

describe("an issue that is new in a release", () => {
  it("names the commits of the release that changed a file of its stack", async () => {
    await append(1);
    await put({
      commits: [
        { id: "aaaaaaa1", message: "Change the footer", files: ["src/footer.ts"] },
        { ...FIX, message: "Add the prices" },
      ],
    });
    const { suspectCommits } = await readIssue();
    expect(suspectCommits).toEqual([
      {
        id: FIX.id,
        file: "src/cart.ts",
        message: "Add the prices",
        author: "Ada",
        at: "2026-11-03T10:00:00.000Z",
        url: FIX.url,
      },
    ]);
    const page = (await call("GET", `/d/${DIGEST}`, undefined, { ...proof, accept: "text/html" }))
      .text;
    expect(page).toMatch(/Suspect commits.*Add the prices.*Ada.*src\/cart\.ts/s);
    expect(page).toContain(`href="${FIX.url}"`);
  });

  it("names none of another release", async () => {
    await append(1);
    await put({ commits: [{ ...FIX, message: "Add the prices" }] }, "shop@1.4.3");
    expect((await readIssue()).suspectCommits).toBeUndefined();
  });
});

it("only the newest releases keep the paths of changed files", async () => {
  const count = releaseLimits.maxReleasesWithFiles + 1;
  for (let n = 0; n < count; n++) await put({ commits: [{ ...FIX, id: `abcdef${n}` }] }, `${n}`);
  const readFiles = async (name: string) =>
    (await call("GET", `/api/v1/releases/${name}`)).json.facts.commits[0].files;
  expect(await readFiles("1")).toEqual(FIX.files);
  expect(await readFiles("0")).toBeUndefined();
  const { releases, withoutReports } = (await call("GET", "/api/v1/releases")).json;
  expect(JSON.stringify([releases, withoutReports])).not.toContain("cart.ts");
});

it("has its name in one line, as reports and sentry-cli name it", async () => {
  const { json } = await put({}, encodeURIComponent("shop\u0000@1\n.4"));
  expect(json.facts.version).toBe("shop @1 .4");
});

it("a viewer cannot describe a release", async () => {
  const { proof: other } = await members.token("viewer");
  expect((await call("PUT", "/api/v1/releases/1", {}, other)).status).toBe(403);
});

it.each([
  [{ commits: [{ id: "x" }] }, /commits/],
  [{ commits: [{ ...FIX, at: "yesterday" }] }, /commits/],
  [{ commits: Array.from({ length: 101 }, (_, n) => ({ id: `abcdef${n}` })) }, /commits/],
  [{ deploy: {} }, /environment/],
  [{ released: "soon" }, /2026-11-29T10:20:30Z/],
])("%j is refused with what is expected", async (body, expected) => {
  const { status, json } = await put(body);
  expect(status).toBe(400);
  expect(json.detail).toMatch(expected);
});

it("a body above its limit is refused, and one of 100 commits with files is not", async () => {
  const files = Array.from({ length: 60 }, (_, n) => `src/components/folder-${n}/component.tsx`);
  const commits = Array.from({ length: 100 }, (_, n) => ({ id: `abcdef${n}`, files }));
  const { status, json } = await put({ commits });
  expect(status).toBe(200);
  const kept = json.facts.commits.flatMap((one: { files?: string[] }) => one.files ?? []);
  expect(kept).toHaveLength(releaseLimits.maxFilesPerRelease);
  const large = { commits: [{ ...FIX, message: "x".repeat(releaseLimits.maxReleaseBodyBytes) }] };
  expect((await put(large)).status).toBe(413);
});
