import { afterEach, describe, expect, it, vi } from "vitest";
import type { ReportSummary } from "#src/core/report/report-summary.ts";
import type { SequencedItem } from "#src/store/log/log-entries.ts";
import { IndexOutbox } from "#src/store/log/outbox.ts";

const createItem = (seq: number): SequencedItem => ({
  seq,
  summary: { id: String(seq) } as ReportSummary,
});

/** An outbox of a log with `rows` rows of `lines` lines each, and the index that it sends to. */
function createTestOutbox({
  rows = 0,
  lines = 1,
  isStaging = false,
  nowMs = (): number => 0,
  beforeApply = () => {},
} = {}) {
  const log = Array.from({ length: rows * lines }, (_, n) => createItem(1 + Math.floor(n / lines)));
  const appliedItems = new Map<number, number>();
  const batchSizes: number[] = [];
  let appliedSeq = 0;
  let reads = 0;
  let storedSeq = 0;
  /** The last row that the index has stored, and the id of its start. */
  const index = { storedSeq: 0, startId: "first" };
  const outbox = new IndexOutbox({
    nowMs,
    retention: { addCommonIssues: () => {} },
    log: {
      get storedSeq() {
        return storedSeq;
      },
      setStoredSeq(seq) {
        storedSeq = seq;
      },
      *readItemsAfter(after) {
        for (const item of log) {
          reads += 1;
          if (item.seq > after) yield item;
        }
      },
    },
    async apply(items, startId = index.startId) {
      beforeApply();
      batchSizes.push(items.length);
      if (startId !== index.startId) return { ...index, seq: appliedSeq, commonIssues: [] };
      for (const { seq } of items) {
        // Like the index: a row that is applied already is ignored.
        if (seq > appliedSeq) appliedItems.set(seq, (appliedItems.get(seq) ?? 0) + 1);
      }
      appliedSeq = Math.max(appliedSeq, items.at(-1)?.seq ?? 0);
      if (!isStaging || items.length === 0) index.storedSeq = appliedSeq;
      return { ...index, seq: appliedSeq, commonIssues: [] };
    },
  });
  /** The index loses what it has not stored. */
  const restartIndex = () => {
    index.startId = "second";
    appliedSeq = index.storedSeq;
    for (const seq of appliedItems.keys()) if (seq > appliedSeq) appliedItems.delete(seq);
  };
  return {
    ...{ outbox, log, appliedItems, batchSizes, restartIndex },
    countReads: () => reads,
    getStoredSeq: () => storedSeq,
  };
}

afterEach(() => vi.restoreAllMocks());

describe("the outbox", () => {
  it("buffers a part of a large log and sends all of it in order, each row whole and once", async () => {
    const { outbox, log, appliedItems, countReads } = createTestOutbox({ rows: 9_001, lines: 3 });
    outbox.reload();
    expect(countReads()).toBeLessThan(4_010);
    await outbox.flush();
    expect(outbox.isEmpty).toBe(true);
    expect(appliedItems.size).toBe(9_001);
    expect([...new Set(appliedItems.values())]).toEqual([3]);
    expect([...appliedItems.keys()]).toEqual([...new Set(log.map(({ seq }) => seq))]);
  });

  it("sends items enqueued while the log had more than the buffer holds", async () => {
    const { outbox, log, appliedItems } = createTestOutbox({ rows: 5_000 });
    outbox.reload();
    for (let seq = 5_001; seq <= 5_010; seq++) {
      log.push(createItem(seq));
      outbox.enqueue(createItem(seq));
    }
    await outbox.send();
    expect([outbox.isEmpty, appliedItems.size, appliedItems.get(5_010)]).toEqual([true, 5_010, 1]);
  });

  it("flushes what is enqueued now, although more items keep arriving", async () => {
    let next = 10;
    const busy = createTestOutbox({
      beforeApply: () => {
        if (next < 1_000) busy.outbox.enqueue(createItem(++next));
      },
    });
    for (let seq = 1; seq <= 10; seq++) busy.outbox.enqueue(createItem(seq));
    await busy.outbox.flush();
    expect(busy.appliedItems.get(10)).toBe(1);
    expect(busy.batchSizes.length).toBeLessThan(5);
    expect(busy.outbox.isEmpty).toBe(false);
  });

  it("sends rows again that the index had not stored when it restarted, before later ones", async () => {
    const { outbox, log, appliedItems, restartIndex } = createTestOutbox({
      ...{ rows: 6, lines: 2, isStaging: true },
    });
    outbox.reload();
    await outbox.sendAndStore();
    for (const seq of [7, 8, 9]) {
      log.push(createItem(seq));
      outbox.enqueue(createItem(seq));
      await outbox.send();
    }
    restartIndex();
    expect([...appliedItems.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
    log.push(createItem(10));
    outbox.enqueue(createItem(10));
    await outbox.flush();
    expect([...appliedItems.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(appliedItems.get(7)).toBe(1);
  });

  it("also if no later row comes", async () => {
    const { outbox, log, appliedItems, restartIndex, getStoredSeq } = createTestOutbox({
      isStaging: true,
    });
    for (const seq of [1, 2]) {
      log.push(createItem(seq));
      outbox.enqueue(createItem(seq));
      await outbox.send();
    }
    expect(getStoredSeq()).toBe(0);
    restartIndex();
    await outbox.sendAndStore();
    expect([...appliedItems.keys()]).toEqual([1, 2]);
    await outbox.sendAndStore();
    expect(getStoredSeq()).toBe(2);
  });

  it("sends few imported reports in one call, and many others", async () => {
    const { outbox, log, batchSizes } = createTestOutbox();
    const rows = Array.from({ length: 90 }, (_, n) => createItem(1 + Math.floor(n / 15)));
    log.push(...rows.map((item) => ({ ...item, isImported: true as const })));
    log.push(...Array.from({ length: 90 }, (_, n) => createItem(7 + Math.floor(n / 15))));
    outbox.reload();
    await outbox.flush();
    expect(batchSizes).toEqual([30, 30, 30, 90]);
  });

  it("waits no longer between calls after the clock was set back", async () => {
    let now = 3_600_000;
    const { outbox } = createTestOutbox({ nowMs: () => now });
    const wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
    for (const seq of [1, 2]) {
      outbox.enqueue(createItem(seq));
      await outbox.sendPaced();
      now = 0;
    }
    expect(outbox.isEmpty).toBe(true);
    expect(wait.mock.calls).toEqual([[400]]);
  });

  it("sends nothing after it was cleared", async () => {
    const { outbox, appliedItems } = createTestOutbox({ rows: 5_000 });
    outbox.reload();
    outbox.clear();
    await outbox.flush();
    expect([outbox.isEmpty, appliedItems.size]).toEqual([true, 0]);
  });
});
