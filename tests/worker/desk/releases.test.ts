import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "../../../src/core/grouping/digest.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { desk, log } from "../../support/store.ts";

afterEach(() => fresh());

const HOUR_MS = 3_600_000;
/** Hours after which the decisions of a test are behind, whatever its clock says. */
const LATER = 80 * 366 * 24;
const digestOf = (n: number) => digestFromHash(new Uint8Array(32).fill(n));

let reports = 0;
/** A report of fault `n` in a release, so many hours after the first. */
const seen = (n: number, release: string, hours: number) => {
  reports += 1;
  const { occurredAtMs } = aReport(0);
  const atMs = occurredAtMs + (hours - 12) * HOUR_MS;
  return aReport(reports, {
    digest: digestOf(n),
    message: `fault ${n}`,
    release,
    occurredAtMs: atMs,
    receivedAtMs: atMs,
  });
};
const sessions = (release: string, aggregates: Record<string, unknown>) =>
  visit("/monitoring", {
    method: "POST",
    body: `{}\n{"type":"sessions"}\n${JSON.stringify({
      aggregates: [{ started: "2026-11-21T17:00:00Z", ...aggregates }],
      attrs: { release },
    })}\n`,
  });

const asJson = { headers: { accept: "application/json" } };
const json = async (path: string) => JSON.parse((await visit(path, asJson)).body);
const away: ProjectStore = {
  ...desk,
  listIssues: () => Promise.reject(new Error("away")),
  listReleases: () => Promise.reject(new Error("away")),
};

/** 1.3.0 had two faults; 1.4.0 resolved one, another came back in it, and a third is new. */
async function story() {
  await log.append([seen(1, "1.3.0", 0), seen(2, "1.3.0", 1), seen(4, "1.3.0", 1)]);
  await desk.decide(digestOf(1), { state: "resolved", release: "1.3.0" });
  await desk.decide(digestOf(2), { state: "resolved", release: "1.4.0" });
  await log.append([seen(1, "1.4.0", LATER), seen(3, "1.4.0", LATER), seen(4, "1.4.0", LATER)]);
  await sessions("1.4.0", { exited: 96, errored: 2, crashed: 2 });
  await sessions("1.3.0", { exited: 50 });
}

interface ListJson {
  readonly issues: readonly { readonly digest: string }[];
}
const digests = ({ issues }: ListJson) => issues.map(({ digest }) => digest);

describe("the releases", () => {
  it("say what is new, what came back and what was resolved in each, and how sessions ended", async () => {
    await story();
    const { releases } = await json("/releases");
    expect(releases).toMatchObject([
      {
        name: "1.4.0",
        ...{ newIssueCount: 1, regressedCount: 1, fixedCount: 1, issueCount: 3 },
        sessions: { started: 100, errored: 2, crashed: 2, isPublic: true },
        crashFreePercent: 98,
        url: "/releases/1.4.0",
      },
      { name: "1.3.0", newIssueCount: 3, regressedCount: 0, crashFreePercent: 100 },
    ]);
    expect(await json("/releases.json")).toEqual({ releases });
    const { body, response, logged } = await visit("/releases");
    expect([response.status, logged]).toEqual([200, []]);
    for (const words of ['href="/releases/1.4.0"', "98.00\u00a0%", "100\u00a0%"])
      expect(body).toContain(words);
  });

  it("say how a name gets into reports while there is none", async () => {
    const { body } = await visit("/releases");
    expect(body).toContain("No releases yet.");
    expect(body).toContain("data-release=");
  });
});

describe("one release", () => {
  it("stands between the releases of its own program, by their versions", async () => {
    const names = ["web@2.0.0", "shop@1.4.0", "web@2.1.0", "shop@1.5.0", "web@2.0.1"];
    await log.append(names.map((release, n) => aReport(n, { digest: digestOf(n), release })));
    const { previous, next } = await json("/releases/web@2.0.1");
    expect([previous.name, next.name]).toEqual(["web@2.0.0", "web@2.1.0"]);
    expect((await json("/releases/shop@1.4.0")).previous).toBeUndefined();
  });

  it("names the issues that are new, came back, were resolved and were seen, each once", async () => {
    await story();
    const release = await json("/releases/1.4.0.json");
    expect(digests(release.new)).toEqual([digestOf(3)]);
    expect(digests(release.regressed)).toEqual([digestOf(1)]);
    expect(digests(release.fixed)).toEqual([digestOf(2)]);
    expect(digests(release.other)).toEqual([digestOf(4)]);
    expect(release).toMatchObject({
      release: { name: "1.4.0", crashFreePercent: 98 },
      previous: { name: "1.3.0" },
    });
    expect(release.next).toBeUndefined();
    expect((await json("/releases/1.3.0")).next.name).toBe("1.4.0");
    const { body, logged } = await visit("/releases/1.4.0");
    expect(logged).toEqual([]);
    for (const words of [
      "fault 1",
      "fault 2",
      "fault 3",
      "fault 4",
      "was 100\u00a0%",
      'rel="prev"',
    ])
      expect(body).toContain(words);
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
  ])("is found by its name, whatever that is: %s", async (name) => {
    await log.append([seen(1, name, 0)]);
    const [{ url }] = (await json("/releases")).releases;
    // A browser takes an address apart before it asks: no name may be lost in that.
    const { response, body } = await visit(new URL(url, "http://localhost:8787").href);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(body).toContain("fault 1");
    expect(body).not.toContain("<script>alert");
    expect(digests((await json(url)).new)).toEqual([digestOf(1)]);
    const byName = new URLSearchParams({ name });
    expect(digests((await json(`/releases.json?${byName}`)).new)).toEqual([digestOf(1)]);
  });

  it("and another whose name is its own with .json behind it have a page each", async () => {
    await log.append([seen(1, "1.4.0", 0), seen(2, "1.4.0.json", 0)]);
    expect(digests((await json("/releases/1.4.0.json")).new)).toEqual([digestOf(1)]);
    const { body } = await visit("/releases?name=1.4.0.json");
    expect(body).toContain("fault 2");
    expect(body).not.toContain("fault 1");
  });

  it("that nothing has named is 404", async () => {
    await story();
    const paths = ["1.5.0", "1.4", "%ff", "x/y"].map((name) => `/releases/${name}`);
    for (const path of [...paths, "/releases?name=1.5.0", "/releases?name=.."]) {
      expect((await visit(path)).response.status, path).toBe(404);
    }
    const { response, body } = await visit("/releases/1.5.0.json");
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-release"]);
  });

  it("that is too old to be listed is found in the reports that are kept", async () => {
    await log.append([seen(1, "0.1.0", 0)]);
    const services = { projectStore: { ...desk, releases: async () => [] } };
    const { response, body } = await visit("/releases/0.1.0", { services });
    expect(response.status).toBe(200);
    expect(body).toContain("fault 1");
  });
});

describe("while the index is away", () => {
  it.each(["/releases", "/releases/1.4.0"])(
    "%s as JSON is 503, and the page stands",
    async (path) => {
      const services = { projectStore: away };
      expect((await visit(path, { ...asJson, services })).response.status).toBe(503);
      const { response, body } = await visit(path, { services });
      expect(response.status).toBe(200);
      expect(body).toContain("Digest:");
    },
  );
});
