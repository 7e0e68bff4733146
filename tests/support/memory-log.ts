// The log's port in memory, for tests of what stands in front of it. Like the real one it counts an id once.

import type { AppendResult, ReportWriter } from "../../src/core/ports/storage-ports.ts";
import type { Report } from "../../src/core/report.ts";
import type { CounterDelta } from "../../src/core/stats/counters.ts";

/** A log that keeps what it was given, and refuses while `refuse` says why. */
export interface MemoryLog extends ReportWriter {
  readonly reports: Map<string, Report>;
  /** Everything that was counted beside them, in the order in which it came. */
  readonly tallies: CounterDelta[];
  refuse: Error | undefined;
}

/** An empty log that takes everything. */
export function createMemoryLog(): MemoryLog {
  const reports = new Map<string, Report>();
  return {
    reports,
    tallies: [],
    refuse: undefined,
    async append(batch, tallies = []) {
      if (this.refuse !== undefined) throw this.refuse;
      this.tallies.push(...tallies);
      return batch.map((report): AppendResult => {
        const repeated = reports.has(report.id);
        if (!repeated) reports.set(report.id, report);
        return { id: report.id, position: `2026112116/0.1:${reports.size}`, isDuplicate: repeated };
      });
    },
  };
}
