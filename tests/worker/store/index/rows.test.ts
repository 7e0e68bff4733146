/** The rows that the index reads and writes must not grow with the number of issues. */
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ISSUE_SORTS, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import type { Report } from "#src/core/report.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { addIssues, createBrowserError, toErrorDigest } from "#support/store/many-issues.ts";
import { recordStatements, type StatementRecorder } from "#support/store/recorded-statements.ts";
import { getIndex, getShard, log, projectStore, writeSnapshots } from "#support/store/store.ts";

const SIZES = [1_000, 20_000] as const;
/** Indexes, search texts and values included. The goal is 3.5 kB. */
const MAX_BYTES_PER_ISSUE = 2_900;

interface Operation {
  readonly name: string;
  /** The most rows that one statement reads, in the index or in the log. */
  readonly maxRead: number;
  /** The most rows that all statements write. */
  readonly maxWritten?: number;
  readonly run: () => Promise<unknown>;
}

let nextError = 1_000_000;

async function send(report: Report): Promise<void> {
  await log.append([report]);
  await getShard().flush();
}

const listPages = (text: string) => async () => {
  for (const sort of ISSUE_SORTS) {
    const query = parseIssueQuery(text, sort);
    const { next } = await projectStore.listIssues(query);
    if (next !== undefined) await projectStore.listIssues(query, next);
  }
};

/** The copy of the newest issues in KV may be written during any operation. */
const COPY_ROWS = 310;

/** Statements about the whole project stop at limits of `core/limits.ts`. */
const OPERATIONS: readonly Operation[] = [
  {
    name: "a report of a known issue",
    maxRead: COPY_ROWS,
    maxWritten: 15,
    run: () => send({ ...createBrowserError(nextError++), digest: toErrorDigest(7) }),
  },
  {
    name: "a report of a new issue",
    maxRead: COPY_ROWS,
    maxWritten: 20,
    run: () => send(createBrowserError(nextError++)),
  },
  { name: "copies in KV", maxRead: COPY_ROWS, run: () => getIndex().waitUntilIdle() },
  { name: "an alarm", maxRead: COPY_ROWS, run: () => runDurableObjectAlarm(getIndex()) },
  { name: "an issue", maxRead: 5, run: () => projectStore.getFreshIssue(toErrorDigest(9)) },
  {
    name: "an issue with similar issues",
    maxRead: 310,
    run: () => projectStore.getCurrentIssue(toErrorDigest(9)),
  },
  { name: "the newest issues", maxRead: 310, run: () => projectStore.listNewestIssues() },
  { name: "a list", maxRead: 1_010, run: listPages("") },
  { name: "a list by a common word", maxRead: 10_010, run: listPages("properties") },
  { name: "a list by a rare word", maxRead: 160, run: listPages("cart7") },
  { name: "a list by tag", maxRead: 1_010, run: listPages("tag.tenant:t7") },
  { name: "a list by release", maxRead: 10_010, run: listPages("release:shop@1.7") },
  { name: "a list without a tag", maxRead: 10_010, run: listPages("-tag.plan:pro") },
  { name: "facets", maxRead: 1_010, run: () => projectStore.listFacets(parseIssueQuery("")) },
  { name: "a search", maxRead: 2_010, run: () => projectStore.searchIssues("cart properties") },
  { name: "releases", maxRead: 210, run: () => projectStore.listReleases() },
  { name: "the status page", maxRead: 30, run: () => getIndex().getHealth() },
  {
    name: "a decision",
    maxRead: 20,
    run: () => projectStore.decide(toErrorDigest(11), { state: "resolved" }),
  },
  {
    name: "the first query after a start",
    // The definitions of all tables, which the steps of the schema read.
    maxRead: 80,
    run: async () => {
      await abortAllDurableObjects();
      await projectStore.getFreshIssue(toErrorDigest(9));
    },
  },
];

let recorder: StatementRecorder;

/** The rows that the index reads to copy 20 changed issues and the list to KV. */
async function countCopiedRows(): Promise<number> {
  await writeSnapshots();
  const idle = await countRowsOfCopies();
  for (let n = 0; n < 20; n++)
    await send({ ...createBrowserError(nextError++), digest: toErrorDigest(n) });
  return (await countRowsOfCopies()) - idle;
}

/** Includes a start of the objects. The log rows that a start reads are no matter of copies. */
async function countRowsOfCopies(): Promise<number> {
  recorder.take();
  await writeSnapshots();
  const statements = recorder.take().filter(({ sql }) => !sql.includes("FROM log_row"));
  return addUp(statements.map(({ rowsRead }) => rowsRead));
}

beforeEach(async () => {
  recorder = await recordStatements();
});

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

const addUp = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

it("reads and writes few rows at any number of issues", { timeout: 180_000 }, async () => {
  const exceeded: string[] = [];
  const copied: number[] = [];
  let issueCount = 0;
  for (const size of SIZES) {
    const bytes = await addIssues(issueCount, size);
    expect(bytes / size).toBeLessThan(MAX_BYTES_PER_ISSUE);
    issueCount = size;
    await abortAllDurableObjects();
    await projectStore.listNewestIssues();
    for (const { name, run, maxRead, maxWritten = Infinity } of OPERATIONS) {
      await getIndex().waitUntilIdle();
      recorder.take();
      await run();
      const statements = recorder.take();
      const written = addUp(statements.map(({ rowsWritten }) => rowsWritten));
      if (written > maxWritten) exceeded.push(`${size}: ${name} writes ${written}`);
      for (const { sql, rowsRead } of statements)
        if (rowsRead > maxRead) exceeded.push(`${size}: ${name} reads ${rowsRead}: ${sql}`);
    }
    copied.push(await countCopiedRows());
  }
  expect(exceeded).toEqual([]);
  const [few = 0, many = 0] = copied;
  expect(Math.abs(many / few - 1), `copies read ${copied} rows`).toBeLessThan(0.1);
});
