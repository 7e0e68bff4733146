/** Copies of the new issues of a storm: they wait as ranges of ids, and none is lost. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { NewIssueCopies } from "#src/store/index/tables/new-issue-copies.ts";
import { CopyRank } from "#src/store/kv/copy-queue.ts";
import { CopyWriter } from "#src/store/kv/copy-writer.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const toDigest = (id: number) => `0000-${String(id).padStart(4, "0")}`;

/** An index with the issues 1 to `count`, of which some are gone. */
async function withIssues<T>(
  { count, gone = [] }: { readonly count: number; readonly gone?: readonly number[] },
  work: (storage: DurableObjectStorage) => T | Promise<T>,
): Promise<T> {
  await projectStore.listNewestIssues();
  return runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
    storage.sql.exec("DELETE FROM outdated_snapshot");
    for (let id = 1; id <= count; id++) {
      if (gone.includes(id)) continue;
      storage.sql.exec(
        `INSERT INTO issue(id, digest, changed_day, is_frequent, noise, last_seen_ms, state,
           first_seen_ms, report_count, user_count, rounded_count, rounded_users, kind, type,
           trust, summary, body)
         VALUES (?, ?, 1, 0, 0, 1, 'open', 1, 1, 0, 1, 0, 'error', 'Error', 'server', '{}', x'00')`,
        ...[id, toDigest(id)],
      );
    }
    return work(storage);
  });
}

const listIssues = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, digest: toDigest(from + n) }));

const countRows = ({ sql }: DurableObjectStorage) =>
  sql.exec<{ n: number }>("SELECT count(*) AS n FROM new_issue_copies").one().n;

/** A writer whose values are the names of the issues. `refuse`: names that KV refuses once. */
function createWriter(
  storage: DurableObjectStorage,
  reserve: NewIssueCopies,
  refuse = new Set<string>(),
) {
  const written: string[] = [];
  let nowMs = 1_000_000;
  const put = async (key: string) => {
    if (refuse.delete(key)) throw new Error("429");
    written.push(key);
  };
  const writer = new CopyWriter({
    storage,
    alarm: { setBy: async () => undefined },
    kv: () => ({ put, delete: put, get: async () => null }) as never,
    source: { read: ({ name }) => ({ key: name, value: name }), reserve },
    nowMs: () => (nowMs += 10),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { writer, written, pass };
}

describe("the new issues of a batch", () => {
  it("take one row for each run of neighboring ids; few issues take none", async () => {
    const rows = await withIssues({ count: 30 }, (storage) => {
      const reserve = new NewIssueCopies(storage, () => 5);
      const issues = [...listIssues(1, 10), ...listIssues(12, 13), ...listIssues(20, 30)];
      const left = reserve.add(issues, CopyRank.new);
      return { left: left.map(({ id }) => id), rows: countRows(storage), ...reserve.getBacklog() };
    });
    expect(rows).toEqual({ left: [12, 13], rows: 2, count: 21, oldestMs: 5 });
  });

  it("are all written, once, at the pace of the queue, except those that are gone", async () => {
    const { written, expected, rows } = await withIssues(
      { count: 120, gone: [1, 2, 3, 60] },
      async (storage) => {
        const reserve = new NewIssueCopies(storage, () => 5);
        reserve.add(listIssues(1, 120), CopyRank.new);
        const { writer, written: all, pass } = createWriter(storage, reserve);
        for (let run = 0; run < 9; run++) {
          await writer.resume();
          pass(6_000);
        }
        return {
          written: all.toSorted(),
          rows: countRows(storage),
          expected: listIssues(1, 120)
            .filter(({ id }) => ![1, 2, 3, 60].includes(id))
            .map(({ digest }) => digest),
        };
      },
    );
    expect(written).toEqual(expected);
    expect(rows).toBe(0);
  });

  it("are tried again if KV refuses them, and stay if the object stops before", async () => {
    const { first, again } = await withIssues({ count: 8 }, async (storage) => {
      const reserve = new NewIssueCopies(storage, () => 5);
      reserve.add(listIssues(1, 8), CopyRank.new);
      // An object that stopped after it had listed them.
      new NewIssueCopies(storage, () => 5).list(CopyRank.new, 5);
      const { writer, written, pass } = createWriter(storage, reserve, new Set([toDigest(3)]));
      await writer.resume();
      const early = written.toSorted();
      pass(20_000);
      await writer.resume();
      return { first: early, again: written.toSorted() };
    });
    expect(first).toEqual([1, 2, 4, 5, 6, 7, 8].map(toDigest));
    expect(again).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(toDigest));
  });
});
