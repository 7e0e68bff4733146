import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const HOUR_MS = 3_600_000;
/** Hours until a time after the decisions of a test, whatever the clock of the index. */
const LATER_HOURS = 80 * 366 * 24;
const toDigest = (n: number) => digestFromHash(new Uint8Array(32).fill(n));

let reports = 0;
/** A report of issue `n` in a release, this many hours after the first. */
const toReport = (n: number, release: string, hours: number) => {
  reports += 1;
  const { occurredAtMs } = createReport(0);
  const atMs = occurredAtMs + (hours - 12) * HOUR_MS;
  return createReport(reports, {
    digest: toDigest(n),
    message: `fault ${n}`,
    release,
    occurredAtMs: atMs,
    receivedAtMs: atMs,
  });
};
const sendSessions = (release: string, aggregates: Record<string, unknown>) =>
  visit(`/monitoring?sentry_key=${TEST_SERVER_KEY}`, {
    method: "POST",
    body: `{}\n{"type":"sessions"}\n${JSON.stringify({
      aggregates: [{ started: "2026-11-21T17:00:00Z", ...aggregates }],
      attrs: { release },
    })}\n`,
  });

const asJson = { headers: { accept: "application/json" } };
const readJson = async (path: string) => JSON.parse((await visit(path, asJson)).body);
const unavailable: ProjectStore = replaceMethods(projectStore, {
  listIssues: () => Promise.reject(new Error("unavailable")),
  listReleases: () => Promise.reject(new Error("unavailable")),
});

/** 1.3.0 has three issues. In 1.4.0 one is resolved, one regressed, one new and one unchanged. */
async function reportTwoReleases() {
  await log.append([toReport(1, "1.3.0", 0), toReport(2, "1.3.0", 1), toReport(4, "1.3.0", 1)]);
  await projectStore.decide(toDigest(1), { state: "resolved", release: "1.3.0" });
  await projectStore.decide(toDigest(2), { state: "resolved", release: "1.4.0" });
  await log.append([
    toReport(1, "1.4.0", LATER_HOURS),
    toReport(3, "1.4.0", LATER_HOURS),
    toReport(4, "1.4.0", LATER_HOURS),
  ]);
  await sendSessions("1.4.0", { exited: 96, errored: 2, crashed: 2 });
  await sendSessions("1.3.0", { exited: 50 });
}

interface ListJson {
  readonly issues: readonly { readonly digest: string }[];
}
const listDigests = ({ issues }: ListJson) => issues.map(({ digest }) => digest);

describe("the releases", () => {
  it("show new, regressed and resolved issues of each, and its sessions", async () => {
    await reportTwoReleases();
    const { releases } = await readJson("/releases");
    expect(releases).toMatchObject([
      {
        name: "1.4.0",
        ...{ newIssueCount: 1, regressedCount: 1, fixedCount: 1, issueCount: 3 },
        sessions: { started: 100, errored: 2, crashed: 2 },
        crashFreePercent: 98,
        url: "/releases/1.4.0",
      },
      { name: "1.3.0", newIssueCount: 3, regressedCount: 0, crashFreePercent: 100 },
    ]);
    expect(await readJson("/releases.json")).toEqual({ releases });
    const { body, response, logged } = await visit("/releases");
    expect([response.status, logged]).toEqual([200, []]);
    for (const text of ['href="/releases/1.4.0"', "98.00\u00a0%", "too few"])
      expect(body).toContain(text);
  });

  it("have an empty state that explains how to send a release name", async () => {
    const { body } = await visit("/releases");
    expect(body).toContain("No releases yet.");
    expect(body).toContain("data-release=");
  });
});

describe("a release", () => {
  it("is listed between the releases of the same package, ordered by version", async () => {
    const names = ["web@2.0.0", "shop@1.4.0", "web@2.1.0", "shop@1.5.0", "web@2.0.1"];
    await log.append(names.map((release, n) => createReport(n, { digest: toDigest(n), release })));
    const { previous, next } = await readJson("/releases/web@2.0.1");
    expect([previous.name, next.name]).toEqual(["web@2.0.0", "web@2.1.0"]);
    expect((await readJson("/releases/shop@1.4.0")).previous).toBeUndefined();
  });

  it("lists its issues by their counts, those of browsers too", async () => {
    const publicReport = (n: number) => ({ ...toReport(n, "1.3.0", n), trust: "public" }) as const;
    await log.append([publicReport(1), publicReport(1), publicReport(2), toReport(3, "1.3.0", 0)]);
    const release = await readJson("/releases/1.3.0");
    expect(listDigests(release.new)).toEqual([toDigest(1), toDigest(2), toDigest(3)]);
    expect(release.new.total).toBe(3);
  });

  it("lists its new, regressed, resolved and other issues, each issue once", async () => {
    await reportTwoReleases();
    const release = await readJson("/releases/1.4.0.json");
    expect(listDigests(release.new)).toEqual([toDigest(3)]);
    expect(listDigests(release.regressed)).toEqual([toDigest(1)]);
    expect(listDigests(release.fixed)).toEqual([toDigest(2)]);
    expect(listDigests(release.other)).toEqual([toDigest(4)]);
    expect(release).toMatchObject({
      release: { name: "1.4.0", crashFreePercent: 98 },
      previous: { name: "1.3.0" },
    });
    expect(release.next).toBeUndefined();
    expect((await readJson("/releases/1.3.0")).next.name).toBe("1.4.0");
    const { body, logged } = await visit("/releases/1.4.0");
    expect(logged).toEqual([]);
    for (const text of ["fault 1", "fault 2", "fault 3", "fault 4", "was 100\u00a0%", 'rel="prev"'])
      expect(body).toContain(text);
  });

  it.each([
    "web@2.1.0-beta.1+3f2a1b9c",
    "feature/a b?c#d%e",
    "say \"cheese\" \\ 'x'",
    "</title><script>alert(1)</script>",
    "версия-📦",
    "1.4.0.json",
    ".json",
    ".",
    "..",
    "../status",
    "%2e%2e",
  ])("is found by any name: %s", async (name) => {
    await log.append([toReport(1, name, 0)]);
    const [{ url }] = (await readJson("/releases")).releases;
    // A browser normalizes a URL before the request; no name may be lost by that.
    const { response, body } = await visit(new URL(url, "http://localhost:8787").href);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(body).toContain("fault 1");
    expect(body).not.toContain("<script>alert");
    expect(listDigests((await readJson(url)).new)).toEqual([toDigest(1)]);
    const byName = new URLSearchParams({ name });
    expect(listDigests((await readJson(`/releases.json?${byName}`)).new)).toEqual([toDigest(1)]);
  });

  it("whose name is another release's plus .json has its own page", async () => {
    await log.append([toReport(1, "1.4.0", 0), toReport(2, "1.4.0.json", 0)]);
    expect(listDigests((await readJson("/releases/1.4.0.json")).new)).toEqual([toDigest(1)]);
    const { body } = await visit("/releases?name=1.4.0.json");
    expect(body).toContain("fault 2");
    expect(body).not.toContain("fault 1");
  });

  it("that no report has named is 404", async () => {
    await reportTwoReleases();
    const paths = ["1.5.0", "1.4", "%ff", "x/y"].map((name) => `/releases/${name}`);
    for (const path of [...paths, "/releases?name=1.5.0", "/releases?name=.."]) {
      expect((await visit(path)).response.status, path).toBe(404);
    }
    const { response, body } = await visit("/releases/1.5.0.json");
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-release"]);
  });

  it("that is too old to be listed is found in the stored reports", async () => {
    await log.append([toReport(1, "0.1.0", 0)]);
    const services = {
      projectStore: replaceMethods(projectStore, { listReleases: async () => [] }),
    };
    const { response, body } = await visit("/releases/0.1.0", { services });
    expect(response.status).toBe(200);
    expect(body).toContain("fault 1");
  });
});

describe("while the index is unavailable", () => {
  it.each(["/releases", "/releases/1.4.0"])(
    "%s as JSON is 503, and the page is still sent",
    async (path) => {
      const services = { projectStore: unavailable };
      expect((await visit(path, { ...asJson, services })).response.status).toBe(503);
      const { response, body } = await visit(path, { services });
      expect(response.status).toBe(200);
      expect(body).toContain("Digest:");
    },
  );
});

it("the issues of a release are counted without noise, as they are listed", async () => {
  const noise = { ...toReport(2, "1.3.0", 1), side: "browser", noise: "extension" } as const;
  await log.append([toReport(1, "1.3.0", 0), noise]);
  const { releases } = await readJson("/releases");
  expect(releases).toMatchObject([{ name: "1.3.0", issueCount: 1, newIssueCount: 1 }]);
});
