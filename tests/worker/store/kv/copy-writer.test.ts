import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { type CopyQueue, CopyRank, type CopyRef } from "#src/store/kv/copy-queue.ts";
import { CopyWriter } from "#src/store/kv/copy-writer.ts";
import { WriteBudget } from "#src/store/kv/write-budget.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { withKvMethods } from "#support/store/faulty-kv.ts";
import { bindings, getIndex } from "#support/store/store.ts";

afterEach(() => emptyStore());

const MIDNIGHT_MS = Date.UTC(2026, 10, 21);
const issue = (name: string): CopyRef => ({ kind: "issue", name });

/** The alarm is not set: the tests call the writer. */
const storedAlarm = { setBy: async () => undefined };

/** A writer with an empty queue, a budget and a clock; `keys` are those written so far. */
interface Rig {
  readonly writer: CopyWriter;
  readonly queue: CopyQueue;
  readonly keys: string[];
  readonly clock: { nowMs: number };
}

function withWriter<T>(perDay: number, work: (rig: Rig) => Promise<T>): Promise<T> {
  return runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
    storage.sql.exec("DELETE FROM write_budget");
    storage.sql.exec("DELETE FROM outdated_snapshot");
    const keys: string[] = [];
    const clock = { nowMs: MIDNIGHT_MS };
    const put = async (key: string) => void keys.push(key);
    const writer = new CopyWriter({
      ...{ storage, alarm: storedAlarm },
      kv: () => withKvMethods(bindings.KV, { put }),
      source: { read: ({ name }) => ({ key: name, value: 1 }) },
      budget: new WriteBudget(storage, perDay),
      nowMs: () => clock.nowMs,
    });
    return work({ writer, queue: writer.queue, keys, clock });
  });
}

/**
 * Lets time pass, and writes whenever the writer is due, until nothing waits. Returns how long that
 * took.
 */
async function writeAll({ writer, clock }: Rig, untilMs: number): Promise<number> {
  const startMs = clock.nowMs;
  for (let nextMs = await writer.writeDue(); nextMs !== null && nextMs < untilMs; ) {
    clock.nowMs = Math.max(clock.nowMs, nextMs);
    nextMs = await writer.writeDue();
  }
  return clock.nowMs - startMs;
}

it("300 keys of page issues leave a quarter of the writes to those of servers", async () => {
  const written = await withWriter(60, async ({ writer, keys }) => {
    for (let n = 0; n < 300; n++) writer.mark(issue(`page ${n}`), CopyRank.page);
    writer.mark(issue("server"), CopyRank.changed);
    await writer.writeDue();
    for (let n = 0; n < 9; n++) writer.mark(issue(`server ${n}`), CopyRank.changed);
    await writer.writeDue();
    return keys;
  });
  expect(written[0]).toBe("server");
  // A third of 60 writes is available at midnight.
  expect(written.filter((key) => key.startsWith("page"))).toHaveLength(14);
  expect(written.filter((key) => key.startsWith("server"))).toHaveLength(6);
});

it("300 keys of public issues leave half of the writes to trusted ones, which come first", async () => {
  const written = await withWriter(60, async ({ writer, keys }) => {
    for (let n = 0; n < 300; n++) writer.mark(issue(`public ${n}`), CopyRank.public);
    writer.mark(issue("trusted"), CopyRank.changed);
    await writer.writeDue();
    for (let n = 0; n < 9; n++) writer.mark(issue(`trusted ${n}`), CopyRank.changed);
    await writer.writeDue();
    return keys;
  });
  expect(written[0]).toBe("trusted");
  // A third of 60 writes is available at midnight.
  expect(written.filter((key) => key.startsWith("public"))).toHaveLength(9);
  expect(written.filter((key) => key.startsWith("trusted"))).toHaveLength(10);
});

describe("outdated snapshots", () => {
  it("are written in the order of their ranks, and what was asked for comes before the others", async () => {
    const written = await withWriter(1_000_000, async ({ writer, queue, keys }) => {
      const ranks = Object.entries(CopyRank).toReversed();
      for (const [name, rank] of ranks) writer.mark(issue(name), rank);
      writer.mark(issue("asked for"), CopyRank.changed);
      queue.raise(issue("asked for"), CopyRank.viewed);
      queue.raise(issue("page"), CopyRank.viewed);
      queue.raise(issue("public"), CopyRank.viewed);
      await writer.writeDue();
      return keys;
    });
    expect(written).toEqual([
      ...["erasure", "triage", "asked for", "viewed", "new", "changed", "page", "public"],
    ]);
  });

  it.each([
    ["a budget of 60,000 writes in twenty minutes", 30_000, 20],
    ["a budget without limits in four minutes", 1_000_000_000, 4],
  ])("of 10,000 new issues are written with %s", async (_, perDay, minutes) => {
    const [count, tookMs] = await withWriter(perDay, async (rig) => {
      for (let n = 0; n < 10_000; n++) rig.writer.mark(issue(`${n}`), CopyRank.new);
      const tookMs = await writeAll(rig, MIDNIGHT_MS + 86_400_000);
      return [new Set(rig.keys).size, tookMs];
    });
    expect(count).toBe(10_000);
    expect(tookMs / 60_000).toBeLessThan(minutes);
  });

  it("never exceed the budget of the day", async () => {
    const written = await withWriter(475, async (rig) => {
      for (let n = 0; n < 1_000; n++) rig.writer.mark(issue(`${n}`), CopyRank.new);
      await writeAll(rig, MIDNIGHT_MS + 86_400_000);
      return rig.keys.length;
    });
    expect(written).toBeGreaterThan(470);
    expect(written).toBeLessThanOrEqual(475);
  });

  it("take little memory, however many there are", async () => {
    const size = await withWriter(1_000_000_000, async (rig) => {
      for (let n = 0; n < 5_000; n++) rig.writer.mark(issue(`${n}`), CopyRank.new);
      const sizes = [rig.writer.size];
      for (let run = 0; run < 5; run++) {
        rig.clock.nowMs += 5_000;
        await rig.writer.writeDue();
        sizes.push(rig.writer.size);
      }
      return Math.max(...sizes);
    });
    expect(size).toBeLessThan(700);
  });

  it("that change while they are written are written again, others are not", async () => {
    const [during, after] = await runInDurableObject(
      getIndex(),
      async (_: ProjectIndex, { storage }) => {
        storage.sql.exec("DELETE FROM outdated_snapshot");
        let nowMs = MIDNIGHT_MS;
        const put = async (key: string) => {
          if (key === "hot") writer.mark(issue("hot"), CopyRank.changed, 60_000);
        };
        const writer: CopyWriter = new CopyWriter({
          ...{ storage, alarm: storedAlarm, budget: new WriteBudget(storage, 1_000_000) },
          kv: () => withKvMethods(bindings.KV, { put }),
          source: { read: ({ name }) => ({ key: name, value: 1 }) },
          nowMs: () => nowMs,
        });
        writer.mark(issue("hot"), CopyRank.new);
        writer.mark(issue("cold"), CopyRank.new);
        const nextMs = await writer.writeDue();
        nowMs += 70_000;
        return [nextMs, writer.queue.listDue(CopyRank.changed, nowMs, 9)];
      },
    );
    expect(during).toBe(MIDNIGHT_MS + 60_000);
    expect(after).toEqual([issue("hot")]);
  });
});
