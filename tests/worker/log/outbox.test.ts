import { describe, expect, it } from "vitest";
import type { ReportSummary } from "../../../src/core/report/report-summary.ts";
import { IndexOutbox } from "../../../src/store/log/outbox.ts";
import type { SequencedItem } from "../../../src/store/rpc/rpc.ts";

const itemOf = (seq: number): SequencedItem => ({
  seq,
  summary: { id: String(seq) } as ReportSummary,
});

/** An outbox of a log with `rows` rows of `lines` lines each, and the index that it sends to. */
function createTestOutbox({ rows = 0, lines = 1, beforeApply = () => {} } = {}) {
  const log = Array.from({ length: rows * lines }, (_, n) => itemOf(1 + Math.floor(n / lines)));
  const appliedItems = new Map<number, number>();
  const batchSizes: number[] = [];
  let appliedSeq = 0;
  let reads = 0;
  const outbox = new IndexOutbox({
    nowMs: () => 0,
    retention: { addCommonIssues: () => {} },
    log: {
      setAppliedSeq(seq) {
        appliedSeq = seq;
      },
      *readUnapplied() {
        for (const item of log) {
          reads += 1;
          if (item.seq > appliedSeq) yield item;
        }
      },
    },
    async apply(items) {
      beforeApply();
      batchSizes.push(items.length);
      for (const { seq } of items) {
        // Like the index: a row that is applied already is ignored.
        if (seq > appliedSeq) appliedItems.set(seq, (appliedItems.get(seq) ?? 0) + 1);
      }
      return { seq: items.at(-1)?.seq ?? 0, commonIssues: [] };
    },
  });
  return { outbox, log, appliedItems, batchSizes, countReads: () => reads };
}

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
      log.push(itemOf(seq));
      outbox.enqueue(itemOf(seq));
    }
    await outbox.send();
    expect([outbox.isEmpty, appliedItems.size, appliedItems.get(5_010)]).toEqual([true, 5_010, 1]);
  });

  it("flushes what is enqueued now, although more items keep arriving", async () => {
    let next = 10;
    const busy = createTestOutbox({
      beforeApply: () => {
        if (next < 1_000) busy.outbox.enqueue(itemOf(++next));
      },
    });
    for (let seq = 1; seq <= 10; seq++) busy.outbox.enqueue(itemOf(seq));
    await busy.outbox.flush();
    expect(busy.appliedItems.get(10)).toBe(1);
    expect(busy.batchSizes.length).toBeLessThan(5);
    expect(busy.outbox.isEmpty).toBe(false);
  });

  it("sends nothing after it was cleared", async () => {
    const { outbox, appliedItems } = createTestOutbox({ rows: 5_000 });
    outbox.reload();
    outbox.clear();
    await outbox.flush();
    expect([outbox.isEmpty, appliedItems.size]).toEqual([true, 0]);
  });
});
