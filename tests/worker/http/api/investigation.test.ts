// What an agent or a person reads to fix an issue: one report by a stated rule, its stack in the
// repository, the source around a frame, and what changed between releases.

import { beforeEach, describe, expect, it } from "vitest";
import { API_PATH } from "#src/core/accounts/project-path.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { createThrowingFrame, sourceMaps, uploadBuild } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const OTHER = digestFromHash(new Uint8Array(32).fill(1));
const THIRD = digestFromHash(new Uint8Array(32).fill(2));

beforeEach(emptyStore);

async function read(path: string) {
  const { response, body } = await visit(API_PATH + path);
  return { status: response.status, json: JSON.parse(body) };
}

const investigate = async (query = "") =>
  (await read(`/issues/${DIGEST}/investigation${query}`)).json;

describe("an investigation", () => {
  it.each([
    [["server", "page", "public"], 1],
    [["page", "server", "server", "public"], 3],
    [["public", "page", "public"], 2],
    [["public", "public"], 2],
  ] as const)("shows the newest report of the most trusted level: %o", async (levels, expected) => {
    await log.append(levels.map((trust, n) => createReport(n + 1, { trust })));
    const { report } = await investigate();
    expect(report).toMatchObject({ id: toReportId(expected), trust: levels[expected - 1] });
  });

  it("shows another report on request, and only one of the issue", async () => {
    await log.append([createReport(1), createReport(2), createReport(3, { digest: OTHER })]);
    const { report } = await investigate(`?report=${toReportId(1)}`);
    expect(report.id).toBe(toReportId(1));
    const other = await read(`/issues/${DIGEST}/investigation?report=${toReportId(3)}`);
    expect([other.status, other.json.reason]).toEqual([404, "unknown-report"]);
    const unknown = await read(`/issues/${THIRD}/investigation`);
    expect([unknown.status, unknown.json.reason]).toEqual([404, "unknown-digest"]);
  });

  it("names file and line in the repository, for the error and its causes", async () => {
    await uploadBuild("app", { release: "1.4.0" });
    const frames = [
      { ...createThrowingFrame("app"), inApp: true },
      { file: "node:internal/timers", line: 5, function: "run", inApp: false },
    ];
    const causes = [{ type: "Error", message: "inner", frames }];
    await log.append([createReport(1, { release: "1.4.0", frames, causes })]);
    const { report } = await investigate();
    const resolved = {
      kind: "resolved",
      place: "src/app.ts:2",
      function: "fail",
      inApp: true,
      source: '  throw new Error("app");',
      sourceBefore: ["export function fail() {"],
    };
    const sent = { kind: "sent", place: "node:internal/timers:5", function: "run", inApp: false };
    for (const error of [report, report.causes[0]])
      expect(error.frames).toMatchObject([resolved, sent]);
    expect(report.frames[0].sourceAfter.slice(0, 2)).toEqual(["}", "fail();"]);
  });

  it("has the releases that reports of its level named, and the deploys around it", async () => {
    const deploy = { environment: "production", finishedMs: Date.UTC(2026, 10, 21, 16) };
    await sourceMaps.changeRelease({ version: "1.4.0", deploy });
    const long = { environment: "production", finishedMs: Date.UTC(2026, 9, 1) };
    await sourceMaps.changeRelease({ version: "1.0.0", deploy: long });
    await log.append([
      createReport(1, { release: "1.4.0" }),
      createReport(2, { release: "9.9.9", trust: "public" }),
    ]);
    const { releases } = await investigate();
    expect(releases).toMatchObject({
      trust: "server",
      first: "1.4.0",
      seen: [{ name: "1.4.0", count: 1 }],
      deploys: [{ release: "1.4.0", environment: "production", at: "2026-11-21T16:00:00.000Z" }],
    });
    expect(releases.seen).toHaveLength(1);
    expect(releases.deploys).toHaveLength(1);
  });

  it("has the last ten comments, oldest first", async () => {
    await log.append([createReport(1)]);
    for (let n = 0; n < 12; n++) {
      const id = n.toString(16).padStart(32, "0");
      await projectStore.annotate(DIGEST, { change: "comment", id, text: `comment ${n}` });
    }
    await projectStore.annotate(DIGEST, { change: "assign", to: "Ada" });
    const { comments } = await investigate();
    const texts = comments.map(({ text }: { text: string }) => text);
    expect(texts).toEqual(Array.from({ length: 10 }, (_, n) => `comment ${n + 2}`));
  });

  it("has similar issues, and says when strangers alone reported the issue", async () => {
    await log.append([
      createReport(1, { trust: "public" }),
      createReport(2, { digest: OTHER, message: "the price of the cart is not there" }),
    ]);
    const { issue, similar } = await investigate();
    expect(issue.hasOnlyPublicReports).toBe(true);
    expect(similar).toMatchObject([{ digest: OTHER, state: "open" }]);
    await log.append([createReport(3)]);
    expect((await investigate()).issue.hasOnlyPublicReports).toBeUndefined();
  });

  it("shows a stack that has no frames as text", async () => {
    await log.append([createReport(1, { stack: "a stack of another kind" })]);
    expect((await investigate()).report.stack).toBe("a stack of another kind");
  });
});

describe("the source of a frame", () => {
  const frame = { ...createThrowingFrame("app"), inApp: true };
  const path = `/issues/${DIGEST}/reports/${toReportId(1)}/source`;

  beforeEach(async () => {
    await uploadBuild("app", { release: "1.4.0" });
    const library = { file: "https://shop.example/assets/other.js", line: 1, inApp: false };
    const causes = [{ type: "Error", message: "inner", frames: [library, frame] }];
    await log.append([createReport(1, { release: "1.4.0", frames: [frame], causes })]);
  });

  it.each([
    ["", 0, 0],
    ["?error=1&frame=1", 1, 1],
  ])("is read from the source maps: %s", async (query, error, n) => {
    const { json } = await read(path + query);
    expect(json).toMatchObject({ report: toReportId(1), error, frame: n });
    expect(json.source).toMatchObject({ kind: "resolved", file: "src/app.ts", line: 2 });
  });

  it.each([1, 2, 20])("has at most the lines that were asked for: %i", async (lines) => {
    const { source } = (await read(`${path}?lines=${lines}`)).json;
    expect(source.sourceBefore).toEqual(["export function fail() {"]);
    expect(source.sourceAfter).toHaveLength(Math.min(lines, 3));
  });

  it("is another reason, or nothing, where there is none", async () => {
    const other = await read(`${path}?error=1&frame=0`);
    expect(other.json.source).toMatchObject({ kind: "unmapped" });
    for (const query of ["?frame=9", "?error=3"])
      expect((await read(path + query)).json.source).toBeNull();
    expect((await read(`${path}?lines=101`)).status).toBe(400);
  });
});

describe("a comparison of two releases", () => {
  it("has the issues that came, went, regressed and stayed", async () => {
    const seen = (n: number, digest: string, release: string) =>
      createReport(n, { digest, release, message: `fault ${digest}` });
    await log.append([
      seen(1, DIGEST, "1.4.0"),
      seen(2, DIGEST, "1.5.0"),
      seen(3, OTHER, "1.4.0"),
      seen(4, THIRD, "1.5.0"),
    ]);
    const { json } = await read("/release-comparison?base=1.4.0&release=1.5.0");
    const list = (name: string) => json[name].issues.map((one: { digest: string }) => one.digest);
    expect([list("added"), list("gone"), list("inBoth")]).toEqual([[THIRD], [OTHER], [DIGEST]]);
    expect(json.regressed.total).toBe(0);
    expect(json).toMatchObject({ base: { name: "1.4.0" }, release: { name: "1.5.0" } });
    const back = await read("/release-comparison?base=1.5.0&release=1.4.0");
    expect(back.json.added.issues).toMatchObject([{ digest: OTHER }]);
  });

  it("needs two known releases", async () => {
    await log.append([createReport(1, { release: "1.4.0" })]);
    for (const query of ["base=1.4.0&release=0.0.1", "base=0.0.1&release=1.4.0"]) {
      const { status, json } = await read(`/release-comparison?${query}`);
      expect([status, json.reason]).toEqual([404, "unknown-release"]);
    }
  });
});

it("lists as many issues as were asked for, and continues after them", async () => {
  const reports = Array.from({ length: 7 }, (_, n) =>
    createReport(n + 1, { digest: digestFromHash(new Uint8Array(32).fill(n + 1)) }),
  );
  await log.append(reports);
  const first = (await read("/issues?limit=4")).json;
  expect(first.issues).toHaveLength(4);
  const second = (await read(`/issues?limit=4&from=${encodeURIComponent(first.next)}`)).json;
  expect(second.issues).toHaveLength(3);
  const digests = [...first.issues, ...second.issues].map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(7);
  expect((await read("/issues?limit=51")).status).toBe(400);
});
