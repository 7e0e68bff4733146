// No test depends on the day: tests read the time from one module, and the sources take it as a
// parameter. Only the Durable Objects, `worker.ts` and the scripts of browsers read a clock.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const THIS_FILE = "tests/build/clock.test.ts";

/** The ways to read the time of day, in TypeScript and in SQLite. */
const READS: readonly RegExp[] = [
  /\bDate\s*\??\.\s*now\b/,
  /\bDate\s*(?:\?\.)?\[/,
  /\bnew Date\b(?!\s*\(\s*[^\s)])/,
  // Without `new`, Date returns the current time whatever its arguments are.
  /(?<!\bnew\s+)(?<![.\w])Date\(/,
  /\}\s*=\s*(?:globalThis\.)?Date\b/,
  /\bTemporal\.Now\b/,
  /\btimeOrigin\b/,
  /\buseFakeTimers\((?![^)]*\bnow\b)/,
  /\bsetSystemTime\(\s*\)/,
  /\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\([^()]*["']now["']/i,
  /\b(?:datetime|julianday|unixepoch)\s*\(\s*\)/i,
  /\bstrftime\s*\(\s*'[^']*'\s*\)/i,
  /\bCURRENT_(?:DATE|TIME|TIMESTAMP)\b/,
];

/** The modules of `tests/` that read the time for all others. */
const CLOCK_OF_TESTS = /^tests\/support\/clock\//;

const CLOCKS_OF_SOURCES: readonly RegExp[] = [
  /^src\/worker\.ts$/,
  // The objects' classes, and the modules that assemble them. Their subfolders have no clock.
  /^src\/store\/(?:log|index|artifacts|alerts|accounts)\/[\w-]+\.ts$/,
  // Their base class.
  /^src\/store\/sqlite\/object\.ts$/,
  /^src\/client\//,
  // What an application installs, and the Worker in front of a site.
  /^src\/adapters\/(?:server|vitals)\.ts$/,
  /^src\/front\/front\.ts$/,
  // The program that people run.
  /^src\/cli\/main\.ts$/,
];

function listFiles(folder: string): string[] {
  const files = execFileSync("git", ["ls-files", folder], { encoding: "utf8" });
  return files.split("\n").filter((file) => /\.(?:[cm]?[jt]sx?|sql)$/.test(file));
}

/** Every line that reads the time, as `file:line`, except in files that may. */
function listReads(files: readonly string[], mayRead: readonly RegExp[]): string[] {
  return files
    .filter((file) => !mayRead.some((pattern) => pattern.test(file)))
    .flatMap((file) => findReads(readFileSync(file, "utf8")).map((line) => `${file}:${line}`));
}

/** The lines where a text reads the time. */
function findReads(text: string): number[] {
  const places = READS.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ index }) => index),
  );
  const lines = places.map((index) => text.slice(0, index).split("\n").length);
  return [...new Set(lines)].sort((a, b) => a - b);
}

describe("the time of day", () => {
  it("is read by the clock of the tests alone", () => {
    const files = listFiles("tests").filter((file) => !file.startsWith("tests/fixtures/"));
    expect(files.length).toBeGreaterThan(300);
    const others = files.filter((file) => file !== THIS_FILE);
    expect(listReads(others, [CLOCK_OF_TESTS])).toEqual([]);
  });

  it("is a parameter of the sources outside of the objects, worker.ts and browsers", () => {
    const files = listFiles("src");
    expect(files.length).toBeGreaterThan(500);
    expect(listReads(files, CLOCKS_OF_SOURCES)).toEqual([]);
    expect(CLOCKS_OF_SOURCES.filter((one) => !files.some((file) => one.test(file)))).toEqual([]);
  });
});

describe("the check of the time of day", () => {
  it.each([
    "const nowMs = Date.now();",
    "createStore({ nowMs: Date.now })",
    "const now = Date\n  .now();",
    'vi.spyOn(Date, "x"); Date["now"]()',
    "const { now } = Date;",
    "const { now } = globalThis.Date;",
    "const today = new Date();",
    "const today = new Date(  );",
    "const today = new Date;",
    "const text = Date();",
    "Temporal.Now.instant()",
    "performance.timeOrigin + performance.now()",
    "vi.useFakeTimers();",
    'vi.useFakeTimers({ toFake: ["Date"] });',
    "vi.setSystemTime();",
    "SELECT datetime('now')",
    "SELECT DATETIME('now', '-1 day')",
    "SELECT strftime('%s', 'now')",
    "SELECT strftime('%s')",
    "SELECT unixepoch() * 1000",
    "at INTEGER DEFAULT (unixepoch ())",
    "at TEXT DEFAULT CURRENT_TIMESTAMP",
  ])("finds %j", (text) => {
    expect(findReads(`first line\n${text}`)).toEqual([2]);
  });

  it.each([
    "const at = new Date(nowMs).toISOString();",
    "const at = new Date(\n  nowMs,\n);",
    "Date.UTC(2026, 10, 21)",
    "Date.parse(text)",
    "value instanceof Date",
    "toDate(text)",
    "new Intl.DateTimeFormat()",
    "performance.now()",
    "readNowMs()",
    'vi.useFakeTimers({ toFake: ["Date"], now: 0 })',
    "vi.setSystemTime(0);",
    "SELECT datetime(at_ms / 1000, 'unixepoch')",
    "SELECT strftime('%s', at)",
    "right now",
  ])("allows %j", (text) => {
    expect(findReads(text)).toEqual([]);
  });
});
