import { describe, expect, it } from "vitest";
import type { ReportSummary } from "../../../src/core/report/report-summary.ts";
import { IndexOutbox } from "../../../src/store/log/outbox.ts";
import type { SequencedItem } from "../../../src/store/rpc/rpc.ts";

const rowOf = (seq: number): SequencedItem => ({
  seq,
  summary: { id: String(seq) } as ReportSummary,
});

/** A log of so many rows, each of `lines`, and an index that counts what it is sent, in order and once. */
function handingOver({ rows = 0, lines = 1, counting = () => {} } = {}) {
  const log = Array.from({ length: rows * lines }, (_, n) => rowOf(1 + Math.floor(n / lines)));
  const counted = new Map<number, number>();
  const sent: number[] = [];
  let upTo = 0;
  let read = 0;
  const handOver = new IndexOutbox({
    nowMs: () => 0,
    onApplied: ({ seq }) => {
      upTo = seq;
    },
    *readUnsent() {
      for (const row of log) {
        read += 1;
        if (row.seq > upTo) yield row;
      }
    },
    async apply(delta) {
      counting();
      sent.push(delta.length);
      const last = delta.at(-1)?.seq ?? 0;
      for (const { seq } of delta) {
        // A row that came before is a repetition, as the index takes it.
        if (seq > upTo) counted.set(seq, (counted.get(seq) ?? 0) + 1);
      }
      return { seq: last, commonIssues: [] };
    },
  });
  return { handOver, log, counted, sent, reads: () => read };
}

describe("what waits for the index", () => {
  it("is held in part, and handed over whole, in order and once, however much there is", async () => {
    const { handOver, log, counted, reads } = handingOver({ rows: 9_001, lines: 3 });
    handOver.reload();
    expect(reads()).toBeLessThan(4_010);
    await handOver.flush();
    expect(handOver.isEmpty).toBe(true);
    expect(counted.size).toBe(9_001);
    expect([...new Set(counted.values())]).toEqual([3]);
    expect([...counted.keys()]).toEqual([...new Set(log.map(({ seq }) => seq))]);
  });

  it("is handed over too when it came while more waited than is held", async () => {
    const { handOver, log, counted } = handingOver({ rows: 5_000 });
    handOver.reload();
    for (let seq = 5_001; seq <= 5_010; seq++) {
      log.push(rowOf(seq));
      handOver.enqueue(rowOf(seq));
    }
    await handOver.send();
    expect([handOver.isEmpty, counted.size, counted.get(5_010)]).toEqual([true, 5_010, 1]);
  });

  it("is settled though more comes all the time", async () => {
    let next = 10;
    const busy = handingOver({
      counting: () => {
        if (next < 1_000) busy.handOver.enqueue(rowOf(++next));
      },
    });
    for (let seq = 1; seq <= 10; seq++) busy.handOver.enqueue(rowOf(seq));
    await busy.handOver.flush();
    expect(busy.counted.get(10)).toBe(1);
    expect(busy.sent.length).toBeLessThan(5);
    expect(busy.handOver.isEmpty).toBe(false);
  });

  it("is nothing once everything begins anew", async () => {
    const { handOver, counted } = handingOver({ rows: 5_000 });
    handOver.reload();
    handOver.clear();
    await handOver.flush();
    expect([handOver.isEmpty, counted.size]).toEqual([true, 0]);
  });
});
