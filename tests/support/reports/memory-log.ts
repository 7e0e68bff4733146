// The report writer in memory, for tests of the code that calls it. Like the real one, it counts an
// id once.

import type { AppendResult, ReportWriter } from "#src/core/ports/storage-ports.ts";
import type { Report } from "#src/core/report.ts";
import type { CounterDelta } from "#src/core/stats/counters.ts";

/** A log that stores its input, and refuses it while `refuse` has a reason. */
interface MemoryLog extends ReportWriter {
  readonly reports: Map<string, Report>;
  /** All counters, in the order of arrival. */
  readonly counters: CounterDelta[];
  refuse: Error | undefined;
}

/** An empty log that accepts everything. */
export function createMemoryLog(): MemoryLog {
  const reports = new Map<string, Report>();
  return {
    reports,
    counters: [],
    refuse: undefined,
    async append(batch, counters = []) {
      if (this.refuse !== undefined) throw this.refuse;
      this.counters.push(...counters);
      return batch.map((report): AppendResult => {
        const repeated = reports.has(report.id);
        if (!repeated) reports.set(report.id, report);
        return { id: report.id, position: `2026112116/0.1:${reports.size}`, isDuplicate: repeated };
      });
    },
  };
}
