import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ImportLine } from "#src/core/ports/storage-ports.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectAdmin } from "#src/store/client/project-admin.ts";
import { createProjectAdmin } from "#src/store/client/project-admin.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { admin, bindings, getIndex, projectStore } from "#support/store/store.ts";
import {
  emptyBothProjects,
  FILE,
  fillProject,
  otherAdmin,
  otherLog,
  otherSettings,
  otherStore,
  readAll,
  readContents,
  readExport,
  STORM,
  sendImport,
  splitLines,
} from "#support/store/two-projects.ts";

afterEach(emptyBothProjects);

function toStream(chunks: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

describe("an import", () => {
  it("of a complete export makes the other project equal", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const text = await readExport();
    const lines = splitLines(text).length - 2;
    expect(await sendImport(text)).toEqual({
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
    expect(await readContents(otherStore)).toEqual(before);
    expect(before.issues.map((issue) => [issue?.state, issue?.count, issue?.linkedCount])).toEqual([
      ["archived", 60, 1],
      ["snoozed", 1, 1],
      ["open", 4, 0],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(before.bodies).toContainEqual(expect.objectContaining({ attachments: [FILE] }));
    const { latestReports = [] } = (await otherStore.getFreshIssue(STORM)) ?? {};
    expect(latestReports.flatMap(({ author }) => author ?? [])).toEqual(["Ada"]);
    for (const n of [1, 20, 21, 60, 100, 101, 102, 103, 104, 106]) {
      const [here, now] = await Promise.all(
        [projectStore, otherStore].map((it) => it.locateReport(toReportId(n))),
      );
      expect(now?.digest, `${n}`).toBe(here?.digest);
      expect(now, `${n}`).not.toBeNull();
    }
    const again = await otherLog.append([createReport(1), createReport(55), createReport(106)]);
    expect(again.map(({ isDuplicate }) => isDuplicate)).toEqual([true, true, true]);
  });

  it("can be exported from its uploaded chunks and imported again with the same result", async () => {
    await fillProject();
    await sendImport(await readExport());
    for (const shard of ["2/0", "2/1"]) {
      await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
    }
    const text = await readAll(otherAdmin);
    const third = { ...otherSettings, project: "3" };
    const result = await sendImport(
      text,
      {},
      { projectAdmin: createProjectAdmin(bindings, third) },
    );
    expect(result).toMatchObject({
      status: 200,
      duplicateCount: 0,
      decisionCount: 3,
      annotationCount: 5,
      isComplete: true,
    });
    expect(await readContents(createProjectStore(bindings, third))).toEqual(
      await readContents(otherStore),
    );
    await bindings.PROJECT_INDEX.getByName("3").waitUntilIdle();
  });

  it("repeated, or of two concatenated exports, counts nothing twice", async () => {
    await fillProject();
    const text = await readExport();
    await sendImport(text);
    const before = await readContents(otherStore);
    const lines = splitLines(text).length - 2;
    await abortAllDurableObjects();
    expect(await sendImport(text + text)).toEqual({
      ...{
        status: 200,
        lineCount: 2 * lines,
        restoredCount: 0,
        duplicateCount: 2 * (lines - 8),
        decisionCount: 6,
      },
      ...{ annotationCount: 10, isComplete: true },
    });
    expect(await readContents(otherStore)).toEqual(before);
  });

  it("of a file that repeats a line counts the line once", async () => {
    const line = JSON.stringify(createReport(1));
    expect(await sendImport(`${line}\n${line}\n`)).toMatchObject({
      lineCount: 2,
      restoredCount: 1,
      duplicateCount: 1,
    });
    expect(await otherStore.getFreshIssue(STORM)).toMatchObject({ count: 1 });
  });

  it("of part of an export is reported as incomplete; all parts together are equal to the original", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const lines = splitLines(await readExport());
    const half = Math.floor(lines.length / 2);
    const pieces = [lines.slice(0, half), lines.slice(half)].map((piece) => piece.join("\n"));
    const [first = "", second = ""] = pieces;
    expect(await sendImport(first)).toMatchObject({
      lineCount: half - 1,
      duplicateCount: 0,
      isComplete: false,
    });
    const cutLine = `${first}\n${second.slice(0, 40)}`;
    expect(await sendImport(cutLine)).toMatchObject({ status: 400, reason: "bad-line" });
    expect(await sendImport(second)).toMatchObject({ duplicateCount: 0, isComplete: false });
    expect(await readContents(otherStore)).toEqual(before);
    expect(await sendImport(lines.join("\n"))).toMatchObject({
      restoredCount: 0,
      isComplete: true,
    });
    expect(await readContents(otherStore)).toEqual(before);
  });

  it("restores erased data", async () => {
    await fillProject();
    const before = await readContents(projectStore);
    const text = await readExport();
    await admin.eraseProject();
    for (let round = 0; (await getIndex().getHealth()).work !== undefined && round < 5; round++) {
      await runDurableObjectAlarm(getIndex());
    }
    expect(await projectStore.getFreshIssue(STORM)).toBeNull();
    expect(await sendImport(text, {}, {})).toMatchObject({ duplicateCount: 0, isComplete: true });
    expect(await readContents(projectStore)).toEqual(before);
  });

  it("counts sessions on their day, and reports on the day of the import", async () => {
    const day = toUtcDay(readNowMs() - 2 * 86_400_000);
    const counters = [[["session", "page", "1", "production", "started"], 3]];
    const sessions = JSON.stringify({ daily: 1, day, counters, ids: [toReportId(9)] });
    const days = [toUtcDay(readNowMs())];
    await sendImport(`${JSON.stringify(createReport(1))}\n${sessions}`);
    const counted = await otherStore.listCounters(7);
    days.push(toUtcDay(readNowMs()));
    expect(counted).toContainEqual({ day, name: counters[0]?.[0], count: 3 });
    const accepted = counted.find(({ name }) => name[0] === "accepted");
    expect(days).toContain(accepted?.day);
    expect((await otherStore.getFreshIssue(STORM))?.days).toEqual([["2026-11-21", 1]]);
  });

  it("keeps an existing decision", async () => {
    await otherLog.append([createReport(1)]);
    await otherStore.decide(STORM, { state: "archived" });
    const decision = { decision: 1, digest: STORM, v: 2, state: "resolved", atMs: 1 };
    expect(await sendImport(JSON.stringify(decision))).toMatchObject({
      lineCount: 1,
      decisionCount: 1,
    });
    expect(await otherStore.getFreshIssue(STORM)).toMatchObject({ state: "archived" });
  });

  it("accepts blank lines and a last line without newline, and refuses a Content-Encoding", async () => {
    const text = `{"errata":1}\r\n\n  \n${JSON.stringify(createReport(1))}\r\n{"end":1,"lines":1}`;
    const expected = { status: 200, lineCount: 1, isComplete: true };
    expect(await sendImport(text)).toMatchObject({ ...expected, restoredCount: 1 });
    for (const coding of ["gzip", "br"]) {
      expect(await sendImport(text, { "content-encoding": coding })).toMatchObject({
        status: 415,
        detail: "Expected a body without Content-Encoding.",
      });
    }
    expect(await sendImport("\n".repeat(limits.maxBlankLines + 1))).toMatchObject({ status: 400 });
  });

  it("accepts a body of single bytes, and lines that cross the chunks of the body", async () => {
    const lines = [createReport(1, { message: "ä€😀" }), createReport(2)].map((it) =>
      JSON.stringify(it),
    );
    const bytes = new TextEncoder().encode(lines.join("\n"));
    for (const size of [1, 7, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      );
      const result = await sendImport(toStream(pieces.values()));
      expect(result, `${size}`).toMatchObject({ status: 200, lineCount: 2 });
    }
    const { latestReports = [] } = (await otherStore.getFreshIssue(STORM)) ?? {};
    expect(latestReports.map(({ message }) => message)).toContain("ä€😀");
  });
});

it("a refused import is read to its end, so that a client that is still sending gets the response", async () => {
  const pieces = Array.from({ length: 50 }, () => new TextEncoder().encode("<not an export>\n"));
  const chunks = pieces.values();
  const result = await sendImport(toStream(chunks));
  expect(result).toMatchObject({ status: 400, reason: "bad-line" });
  expect(chunks.next().done).toBe(true);
});

const validLine = JSON.stringify(createReport(1));

it.each([
  ["an empty body", "", 400, "bad-line", "This is not an Errata export. Nothing was imported."],
  ["blank lines", "\n\n", 400, "bad-line", "This is not an Errata export. Nothing was imported."],
  [
    "an HTML page",
    "<!doctype html>",
    400,
    "bad-line",
    "This is not an Errata export. Nothing was imported.",
  ],
  [
    "another value after a report",
    `${validLine}\n\n{"secret":"hunter2"}`,
    ...([400, "bad-line", "Expected line 3 to be a line of an export."] as const),
  ],
  [
    "a report of an unknown kind",
    `{"errata":1}\n${validLine.replace('"error"', '"hunter2"')}`,
    ...([400, "bad-line", "Expected line 2, kind, to be one of error, recovered,"] as const),
  ],
  [
    "a line that is too long",
    `${validLine}\n"${"a".repeat(limits.maxExportedLineBytes)}"`,
    ...([413, "line-too-long", "Expected line 2 to have at most 1800000 bytes."] as const),
  ],
])(
  "an import of %s is refused with the line number, and the lines before it are stored",
  async (_, body, status, reason, detail) => {
    const imported: ImportLine[] = [];
    const recordingAdmin: ProjectAdmin = {
      ...admin,
      async importLines(lines) {
        imported.push(...lines);
        return lines.length;
      },
    };
    const result = await sendImport(body, {}, { projectAdmin: recordingAdmin });
    expect(result).toMatchObject({ status, reason });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect("detail" in result && result.detail).toContain(detail);
    expect(imported.map(({ line }) => line)).toEqual(body.startsWith(validLine) ? [validLine] : []);
  },
);

it("an import is stored in batches of 100 lines and 1 MB, and refused if the store is unavailable", async () => {
  const batches: number[][] = [];
  const recordingAdmin: ProjectAdmin = {
    ...admin,
    async importLines(lines) {
      batches.push(lines.map(({ line }) => line.length));
      if (batches.length > 4) throw new Error("unavailable");
      return lines.length;
    },
  };
  const file = { name: "log.txt", bytes: 1, text: "a".repeat(400_000) };
  const small = Array.from({ length: 240 }, (_, n) => JSON.stringify(createReport(n + 1)));
  const large = [1, 2, 3, 4, 5].map((n) =>
    JSON.stringify(createReport(n, { attachments: [file] })),
  );
  const result = await sendImport(
    [...small, ...large].join("\n"),
    {},
    { projectAdmin: recordingAdmin },
  );
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 42, 2, 1]);
  for (const batch of batches) {
    expect(batch.reduce((a, b) => a + b)).toBeLessThanOrEqual(limits.importBytesPerBatch);
  }
  expect(result).toMatchObject({ status: 503, reason: "index-unavailable" });
});

it("imported lines are counted when their call returns", async () => {
  const lines = Array.from({ length: 50 }, (_, n) => ({
    line: JSON.stringify(createReport(n + 1)),
    ids: [toReportId(n + 1)],
  }));
  await admin.importLines(lines);
  const counts = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => [
    ...storage.sql.exec("SELECT report_count AS count FROM issue"),
  ]);
  expect(counts).toEqual([{ count: 50 }]);
});
