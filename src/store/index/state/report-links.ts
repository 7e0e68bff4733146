/**
 * Which issue a browser's report belongs to when it was shown no digest of ours: by a foreign code that leads to one, or by the
 * trace of one of Errata's own failed renders.
 */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import type { AliasTable } from "../tables/alias-table.ts";
import type { TraceTable } from "../tables/trace-table.ts";

/** How sure it is that a server said where a code leads: see `AliasTable.markServer`. */
const TRUST_ANY_SERVER = 1;
const TRUST_KEYED_SERVER = 2;

/** The links of one project, over the tables of its index. */
export class ReportLinker {
  readonly #aliases: AliasTable;
  readonly #traces: TraceTable;

  constructor(aliases: AliasTable, traces: TraceTable) {
    this.#aliases = aliases;
    this.#traces = traces;
  }

  /** Notes where a server's report leads, once its codes are known: to the issue that it counts in. */
  record(summary: ReportSummary, issueDigest: Digest, nowMs: number): void {
    if (summary.side !== "server") return;
    const trust = summary.hasKey ? TRUST_KEYED_SERVER : TRUST_ANY_SERVER;
    for (const alias of summary.aliases ?? [])
      this.#aliases.raiseServerTrust(alias, issueDigest, trust);
    if (summary.traceId !== undefined) this.#traces.add(summary.traceId, summary, nowMs);
  }

  /** Forgets the traces that lead to a digest. */
  removeTraces(digest: Digest): void {
    this.#traces.remove(digest);
  }

  /**
   * The issue that a report counts in: its own, unless it is a browser's and names a foreign code, or the trace of one of
   * Errata's own renders, that leads to one issue. What leads to several does not say which. The trace of the page that was sent
   * last says so only of errors on that page: the browser may show others of the same origin.
   */
  resolve(summary: ReportSummary): Digest {
    const { traceId, pageTraceId, noise, aliases = [] } = summary;
    if (summary.isLinked || summary.side !== "browser" || noise !== undefined)
      return summary.digest;
    return (
      findSingle(aliases.flatMap((alias) => this.#findDigests(alias))) ??
      findSingle(traceId === undefined ? [] : this.#traces.findDigests(traceId)) ??
      findSingle(pageTraceId === undefined ? [] : this.#traces.findDigests(pageTraceId, summary)) ??
      summary.digest
    );
  }

  /** Whoever renders knows: what other browsers have reported under a code is as good as what this one says. */
  #findDigests(alias: string): readonly Digest[] {
    const fromServers = this.#aliases.findServerDigests(alias);
    return fromServers.length > 0 ? fromServers : this.#aliases.findDigests(alias);
  }
}

/** The one of them, however often it is there; undefined when there are several or none. */
function findSingle(digests: readonly Digest[]): Digest | undefined {
  const [only, ...others] = new Set(digests);
  return others.length === 0 ? only : undefined;
}
