import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { toUtcDay } from "../../../src/core/issue/aggregate-report.ts";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { limits } from "../../../src/core/limits.ts";
import type {
  ImportLine,
  ProjectAdmin,
  ProjectStore,
} from "../../../src/core/ports/storage-ports.ts";
import type { ReportSummary } from "../../../src/core/report/report-summary.ts";
import { ok } from "../../../src/core/result.ts";
import type { DailyCounter } from "../../../src/core/stats/counters.ts";
import type { Services } from "../../../src/http/context.ts";
import { createProjectAdmin } from "../../../src/store/client/project-admin.ts";
import { createProjectStore } from "../../../src/store/client/project-store.ts";
import { createReportWriter } from "../../../src/store/client/report-writer.ts";
import { testServices, visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { bindings, desk, index, keeping, log, NOW_MS, sealNow } from "../../support/store.ts";

/** Another project, which has nothing yet: over two shards. */
const there = { project: "2", shards: 2, nowMs: () => NOW_MS, drainSpool: async () => 0 };
const otherDesk = createProjectStore(bindings, there);
const otherLog = createReportWriter(bindings, there);
const otherKeeping = createProjectAdmin(bindings, there);

afterEach(async () => {
  // A copy that is on its way would be noted in the next test.
  for (const shard of ["1/0", "2/0", "2/1"]) {
    await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
  }
  await bindings.PROJECT_INDEX.getByName("2").waitForSnapshots();
  await fresh();
});

const STORM = "7F3K-Q2M9";
const DIGESTS = [STORM, "0000-0000", "0000-008Q", "0000-00G1", "0000-00RP"] as const;
const FILE = { name: "screen.png", type: "image/png", bytes: 3, base64: "AQID" };

/**
 * A storm, sessions, a browser that is led to an issue, what a person wrote, and decisions; a part
 * of it copied.
 */
async function fill() {
  const storm = Array.from({ length: 60 }, (_, n) => aReport(n + 1, { userSketch: "a71" }));
  await log.append(storm, [[["session", "server", "web@2.0.0", "production", "crashed"], 3]]);
  await log.append([aReport(100, { digest: "0000-0000", aliases: ["2338823894"] })]);
  await sealNow();
  await log.append([
    aReport(101, { digest: "0000-00G1", aliases: ["2338823894"], side: "browser" }),
    aReport(102, { digest: "0000-008Q", release: "1.4.0", message: "naïve — \u2028 text" }),
    aReport(104, { digest: STORM, isLinked: true, kind: "feedback", attachments: [FILE] }),
    aReport(105, { digest: "0000-00RP", message: "to be erased" }),
    aReport(106, { digest: "0000-00RP", occurredAtMs: Date.now() + 60_000 }),
  ]);
  await desk.decide("0000-008Q", { state: "resolved", release: "1.4.0" });
  await log.append([
    aReport(103, { digest: "0000-008Q", release: "1.5.0", occurredAtMs: Date.now() + 60_000 }),
  ]);
  await desk.decide(STORM, { state: "muted" });
  await desk.decide("0000-0000", { state: "ignored", forCount: 1 });
  // Reports received before the decision do not regress the issue, whatever the sender's clock.
  await desk.decide("0000-00RP", { state: "resolved" });
  await index().eraseReport(reportId(105));
  await desk.annotate(STORM, { change: "comment", id: reportId(7), text: "since Monday" });
  await desk.annotate(STORM, { change: "assign", to: "Ada" });
  await desk.annotate("0000-008Q", { change: "merge", from: ["0000-00RP"] });
  await desk.saveView("Mine", { query: "assigned:ada", sort: "count" });
}

/** The contents of a project without log positions and times of reading. */
async function truth(of: ProjectStore) {
  const issues = await Promise.all(DIGESTS.map((digest) => of.getFreshIssue(digest)));
  const bodies = issues
    .flatMap((issue) => issue?.latestReports ?? [])
    .map((it) => of.readReport(it));
  return {
    issues: issues.map((issue) => issue && withoutPlaces(issue)),
    bodies: await Promise.all(bodies),
    led: await of.findIssuesByAlias("2338823894"),
    annotations: await Promise.all(DIGESTS.map((digest) => of.getAnnotations(digest))),
    views: await of.listViews(),
    found: [...(await of.searchIssues("price cart missing"))].sort(),
    counters: namedCounts(await of.listCounters(7)),
  };
}

/** On any day. A report that was erased is counted as one without a body. */
function namedCounts(counters: readonly DailyCounter[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, count } of counters) {
    const said = name
      .join(" ")
      .replace(/^(accepted|counted)/, "taken")
      .trim();
    counts[said] = (counts[said] ?? 0) + count;
  }
  return counts;
}

function withoutPlaces({ asOfMs: _asOf, watermarks: _upTo, latestReports, ...issue }: Issue) {
  return {
    ...issue,
    latest: latestReports.map(({ position: _position, ...mark }: ReportSummary) => mark),
  };
}

const exported = async (path = "/export") => (await visit(path)).body;
const send = async (
  body: BodyInit,
  headers: Record<string, string> = {},
  services: Partial<Services> = { projectAdmin: otherKeeping },
) => {
  const visited = await visit("/import", { method: "POST", body, headers, services });
  return { status: visited.response.status, ...(JSON.parse(visited.body) as object) };
};
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

describe("an export", () => {
  it("is NDJSON with a first and a last line, to be saved under the day's name", async () => {
    await fill();
    const { response, body } = await visit("/export");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="errata-1-2026-11-21.ndjson"',
    );
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const lines = linesOf(body).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ errata: 1, project: "1" });
    expect(lines.at(-1)).toEqual({ end: 1, lines: lines.length - 2 });
    expect(body.endsWith("\n")).toBe(true);
    const ids = lines.flatMap((line) =>
      line.v === 1 && "id" in line ? line.id : (line.ids ?? []),
    );
    for (const n of [1, 60, 100, 101, 106]) expect(ids).toContain(reportId(n));
    expect(body).not.toContain("to be erased");
  });

  it("of one day has what came on that day, and another day nothing", async () => {
    await log.append([aReport(1), aReport(2)]);
    await sealNow();
    await log.append([aReport(3)]);
    const days = [toUtcDay(Date.now() - 86_400_000), toUtcDay(Date.now())];
    const perDay = await Promise.all(days.map((day) => exported(`/export?day=${day}`)));
    // The day may have changed since.
    expect(perDay.map((text) => linesOf(text).length - 2).reduce((a, b) => a + b)).toBe(3);
    expect(linesOf(await exported("/export?day=2026-01-01"))).toHaveLength(2);
    expect(
      (await visit("/export?day=2026-01-01")).response.headers.get("content-disposition"),
    ).toBe('attachment; filename="errata-1-day-2026-01-01.ndjson"');
  });

  it.each(["yesterday", "2026-02-30", "", "2026-11-21T00"])(
    "of the day %j is refused",
    async (day) => {
      const { response, body } = await visit(`/export?day=${day}`);
      expect(response.status).toBe(400);
      expect(JSON.parse(body)).toEqual({
        reason: "bad-day",
        detail: "Expected day to be a UTC day, such as 2026-11-21.",
      });
    },
  );

  it("has what waited beside the log", async () => {
    const fed = createProjectAdmin(bindings, {
      ...there,
      drainSpool: async () => {
        await otherLog.append([aReport(1)]);
        return 0;
      },
    });
    const lines: string[] = [];
    for await (const line of fed.exportLines()) lines.push(line);
    expect(lines).toContain(JSON.stringify(aReport(1)));
  });

  it("and an import are the desk's: closed from afar, and to other sites", async () => {
    const afar = { origin: "https://errata.example" };
    expect((await visit("/export", afar)).response.status).toBe(503);
    expect((await visit("/import", { ...afar, method: "POST", body: "" })).response.status).toBe(
      503,
    );
    expect(await send('{"errata":1}', { "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
      reason: "cross-site",
    });
  });

  it("is refused while the store is away, and breaks off without its last line when it goes later", async () => {
    const failing = (after: number): ProjectAdmin => ({
      ...keeping,
      async *exportLines() {
        for (let n = 0; n < after; n++) yield `{"n":${n}}`;
        throw new Error("away");
      },
    });
    const { response } = await visit("/export", { services: { projectAdmin: failing(1) } });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    const cut = await exportOf(failing(50_000));
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
  });
});

function streamOf(left: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** The answer itself, of which nothing is read. */
async function exportOf(of: ProjectAdmin): Promise<Response> {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const app = createApp(() => ok({ ...testServices(ctx), projectAdmin: of }));
  return app.fetch(new Request("http://localhost:8787/export"), bindings, ctx as never);
}

it("an export of 20,000 reports is read no faster than it is taken, and ends with who takes it", async () => {
  const line = JSON.stringify(aReport(1, { stack: "at priceOf (cart.tsx:12:7)\n".repeat(100) }));
  const state = { pulled: 0, ended: false };
  const response = await exportOf({
    ...keeping,
    async *exportLines() {
      try {
        for (; state.pulled < 20_000; state.pulled++) yield line;
      } finally {
        state.ended = true;
      }
    },
  });
  // The status says that the store has answered.
  expect(state.pulled).toBeLessThanOrEqual(2);
  const reader = response.body?.getReader();
  let taken = 0;
  for (let piece = 1; piece <= 100; piece++) {
    taken += (await reader?.read())?.value?.length ?? 0;
    const ahead = state.pulled - Math.floor(taken / (line.length + 1));
    expect(ahead * line.length).toBeLessThan(2 * 64 * 1024);
  }
  expect(state.pulled).toBeLessThan(5_000);
  await reader?.cancel();
  expect(state.ended).toBe(true);
});

describe("an import", () => {
  it("of everything into another project makes it equal", async () => {
    await fill();
    const before = await truth(desk);
    const text = await exported();
    const lines = linesOf(text).length - 2;
    expect(await send(text)).toEqual({
      ...{
        status: 200,
        lineCount: lines,
        restoredCount: lines - 8,
        duplicateCount: 0,
        decisionCount: 3,
        annotationCount: 5,
        isComplete: true,
      },
    });
    expect(await truth(otherDesk)).toEqual(before);
    expect(before.issues.map((issue) => [issue?.state, issue?.count, issue?.linkedCount])).toEqual([
      ["muted", 60, 1],
      ["ignored", 1, 1],
      ["open", 4, 0],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(before.bodies).toContainEqual(expect.objectContaining({ attachments: [FILE] }));
    for (const n of [1, 20, 21, 60, 100, 101, 102, 103, 104, 106]) {
      const [here, now] = await Promise.all(
        [desk, otherDesk].map((it) => it.locateReport(reportId(n))),
      );
      expect(now?.digest, `${n}`).toBe(here?.digest);
      expect(now, `${n}`).not.toBeNull();
    }
    const again = await otherLog.append([aReport(1), aReport(55), aReport(106)]);
    expect(again.map(({ isDuplicate }) => isDuplicate)).toEqual([true, true, true]);
  });

  it("is exported and imported equal again, from what it copied", async () => {
    await fill();
    await send(await exported());
    for (const shard of ["2/0", "2/1"]) {
      await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
    }
    let text = "";
    for await (const line of otherKeeping.exportLines()) text += `${line}\n`;
    const third = { ...there, project: "3" };
    const answer = await send(text, {}, { projectAdmin: createProjectAdmin(bindings, third) });
    expect(answer).toMatchObject({
      status: 200,
      duplicateCount: 0,
      decisionCount: 3,
      annotationCount: 5,
      isComplete: true,
    });
    expect(await truth(createProjectStore(bindings, third))).toEqual(await truth(otherDesk));
    await bindings.PROJECT_INDEX.getByName("3").waitForSnapshots();
  });

  it("twice, or of two exports behind each other, counts nothing twice", async () => {
    await fill();
    const text = await exported();
    await send(text);
    const before = await truth(otherDesk);
    const lines = linesOf(text).length - 2;
    await abortAllDurableObjects();
    expect(await send(text + text)).toEqual({
      ...{
        status: 200,
        lineCount: 2 * lines,
        restoredCount: 0,
        duplicateCount: 2 * (lines - 8),
        decisionCount: 6,
      },
      ...{ annotationCount: 10, isComplete: true },
    });
    expect(await truth(otherDesk)).toEqual(before);
  });

  it("of a file in which a line stands twice counts it once", async () => {
    const line = JSON.stringify(aReport(1));
    expect(await send(`${line}\n${line}\n`)).toMatchObject({
      lineCount: 2,
      restoredCount: 1,
      duplicateCount: 1,
    });
    expect(await otherDesk.getFreshIssue(STORM)).toMatchObject({ count: 1 });
  });

  it("of pieces, and of one that was cut, says that it is not complete; the whole then is equal", async () => {
    await fill();
    const before = await truth(desk);
    const lines = linesOf(await exported());
    const half = Math.floor(lines.length / 2);
    const pieces = [lines.slice(0, half), lines.slice(half)].map((piece) => piece.join("\n"));
    const [first = "", second = ""] = pieces;
    expect(await send(first)).toMatchObject({
      lineCount: half - 1,
      duplicateCount: 0,
      isComplete: false,
    });
    const cutLine = `${first}\n${second.slice(0, 40)}`;
    expect(await send(cutLine)).toMatchObject({ status: 400, reason: "bad-line" });
    expect(await send(second)).toMatchObject({ duplicateCount: 0, isComplete: false });
    expect(await truth(otherDesk)).toEqual(before);
    expect(await send(lines.join("\n"))).toMatchObject({ restoredCount: 0, isComplete: true });
    expect(await truth(otherDesk)).toEqual(before);
  });

  it("brings back what was erased", async () => {
    await fill();
    const before = await truth(desk);
    const text = await exported();
    await keeping.eraseProject();
    for (let round = 0; (await index().getHealth()).work !== undefined && round < 5; round++) {
      await runDurableObjectAlarm(index());
    }
    expect(await desk.getFreshIssue(STORM)).toBeNull();
    expect(await send(text, {}, {})).toMatchObject({ duplicateCount: 0, isComplete: true });
    expect(await truth(desk)).toEqual(before);
  });

  it("of sessions counts them on their day, and of reports on the day of the import", async () => {
    const day = toUtcDay(Date.now() - 2 * 86_400_000);
    const counters = [[["session", "page", "1", "production", "started"], 3]];
    const sessions = JSON.stringify({ daily: 1, day, counters, ids: [reportId(9)] });
    const days = [toUtcDay(Date.now())];
    await send(`${JSON.stringify(aReport(1))}\n${sessions}`);
    const counted = await otherDesk.listCounters(7);
    days.push(toUtcDay(Date.now()));
    expect(counted).toContainEqual({ day, name: counters[0]?.[0], count: 3 });
    const accepted = counted.find(({ name }) => name[0] === "accepted");
    expect(days).toContain(accepted?.day);
    expect((await otherDesk.getFreshIssue(STORM))?.days).toEqual([["2026-11-21", 1]]);
  });

  it("keeps a decision that is known", async () => {
    await otherLog.append([aReport(1)]);
    await otherDesk.decide(STORM, { state: "muted" });
    const decision = { decision: 1, digest: STORM, v: 1, state: "resolved", atMs: 1 };
    expect(await send(JSON.stringify(decision))).toMatchObject({ lineCount: 1, decisionCount: 1 });
    expect(await otherDesk.getFreshIssue(STORM)).toMatchObject({ state: "muted" });
  });

  it("is taken with blank lines, and without the end of its last line; not encoded", async () => {
    const text = `{"errata":1}\r\n\n  \n${JSON.stringify(aReport(1))}\r\n{"end":1,"lines":1}`;
    const expected = { status: 200, lineCount: 1, isComplete: true };
    expect(await send(text)).toMatchObject({ ...expected, restoredCount: 1 });
    for (const coding of ["gzip", "br"]) {
      expect(await send(text, { "content-encoding": coding })).toMatchObject({
        status: 415,
        detail: "Expected a body without Content-Encoding.",
      });
    }
    expect(await send("\n".repeat(limits.maxBlankLines + 1))).toMatchObject({ status: 400 });
  });

  it("goes on where the body comes byte by byte, and where lines end in the middle of a piece", async () => {
    const lines = [aReport(1, { message: "ä€😀" }), aReport(2)].map((it) => JSON.stringify(it));
    const bytes = new TextEncoder().encode(lines.join("\n"));
    for (const size of [1, 7, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      );
      const answer = await send(streamOf(pieces.values()));
      expect(answer, `${size}`).toMatchObject({ status: 200, lineCount: 2 });
    }
    const { latestReports = [] } = (await otherDesk.getFreshIssue(STORM)) ?? {};
    expect(latestReports.map(({ message }) => message)).toContain("ä€😀");
  });
});

it("an import that is refused is read to its end, because who is still sending hears no answer", async () => {
  const pieces = Array.from({ length: 50 }, () => new TextEncoder().encode("<not an export>\n"));
  const left = pieces.values();
  const answer = await send(streamOf(left));
  expect(answer).toMatchObject({ status: 400, reason: "bad-line" });
  expect(left.next().done).toBe(true);
});

const good = JSON.stringify(aReport(1));

it.each([
  ["nothing", "", 400, "bad-line", "Expected line 1 to be a line of an export."],
  ["blank lines", "\n\n", 400, "bad-line", "Expected line 1 to be a line of an export."],
  ["a page", "<!doctype html>", 400, "bad-line", "Expected line 1 to be a line of an export."],
  [
    "another thing behind a report",
    `${good}\n\n{"secret":"hunter2"}`,
    ...([400, "bad-line", "Expected line 3 to be a line of an export."] as const),
  ],
  [
    "a report with another kind",
    `{"errata":1}\n${good.replace('"error"', '"hunter2"')}`,
    ...([400, "bad-line", "Expected line 2, kind, to be one of error, message,"] as const),
  ],
  [
    "a line that is too long",
    `${good}\n"${"a".repeat(limits.maxExportedLineBytes)}"`,
    ...([413, "line-too-long", "Expected line 2 to have at most 1800000 bytes."] as const),
  ],
])(
  "an import of %s is refused with its line, and what stands before it is stored",
  async (_, body, status, reason, detail) => {
    const taken: ImportLine[] = [];
    const stored: ProjectAdmin = {
      ...keeping,
      async importLines(lines) {
        taken.push(...lines);
        return lines.length;
      },
    };
    const answer = await send(body, {}, { projectAdmin: stored });
    expect(answer).toMatchObject({ status, reason });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
    expect("detail" in answer && answer.detail).toContain(detail);
    expect(taken.map(({ line }) => line)).toEqual(body.startsWith(good) ? [good] : []);
  },
);

it("an import is stored in pieces of a hundred lines and of a megabyte, and refused while the store is away", async () => {
  const batches: number[][] = [];
  const stored: ProjectAdmin = {
    ...keeping,
    async importLines(lines) {
      batches.push(lines.map(({ line }) => line.length));
      if (batches.length > 4) throw new Error("away");
      return lines.length;
    },
  };
  const file = { name: "log.txt", bytes: 1, text: "a".repeat(400_000) };
  const small = Array.from({ length: 250 }, (_, n) => JSON.stringify(aReport(n + 1)));
  const large = [1, 2, 3, 4, 5].map((n) => JSON.stringify(aReport(n, { attachments: [file] })));
  const answer = await send([...small, ...large].join("\n"), {}, { projectAdmin: stored });
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 52, 2, 1]);
  for (const batch of batches) {
    expect(batch.reduce((a, b) => a + b)).toBeLessThanOrEqual(limits.importBytesPerBatch);
  }
  expect(answer).toMatchObject({ status: 503, reason: "index-unavailable" });
});
