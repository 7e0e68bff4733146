/**
 * Which issue a browser's report belongs to when it was shown no digest of ours: by a foreign code that leads to one, or by the
 * trace of one of Errata's own failed renders.
 */
import type { Mark } from "../core/issue.ts";
import type { Digest } from "../core/report.ts";
import type { AliasTable } from "./alias-table.ts";
import type { TraceTable } from "./trace-table.ts";

/** How sure it is that a server said where a code leads: see `AliasTable.markServer`. */
const ANYBODY = 1;
const KEYED = 2;

/** The links of one project, over the tables of its index. */
export class Links {
  readonly #aliases: AliasTable;
  readonly #traces: TraceTable;

  constructor(aliases: AliasTable, traces: TraceTable) {
    this.#aliases = aliases;
    this.#traces = traces;
  }

  /** Notes where a server's report leads, once its codes are known: to the issue that it counts in. */
  note(mark: Mark, countedIn: Digest, nowMs: number): void {
    if (mark.side !== "server") return;
    const level = mark.keyed ? KEYED : ANYBODY;
    for (const alias of mark.aliases ?? []) this.#aliases.markServer(alias, countedIn, level);
    if (mark.trace !== undefined) this.#traces.add(mark.trace, mark, nowMs);
  }

  /** Forgets the traces that lead to a digest. */
  forget(digest: Digest): void {
    this.#traces.remove(digest);
  }

  /**
   * The issue that a report counts in: its own, unless it is a browser's and names a foreign code, or the trace of one of
   * Errata's own renders, that leads to one issue. What leads to several does not say which. The trace of the page that was sent
   * last says so only of errors on that page: the browser may show others of the same origin.
   */
  issueFor(mark: Mark): Digest {
    const { trace, pageTrace, noise, aliases = [] } = mark;
    if (mark.linked || mark.side !== "browser" || noise !== undefined) return mark.digest;
    return (
      onlyOf(aliases.flatMap((alias) => this.#leadsOf(alias))) ??
      onlyOf(trace === undefined ? [] : this.#traces.digestsOf(trace)) ??
      onlyOf(pageTrace === undefined ? [] : this.#traces.digestsOf(pageTrace, mark)) ??
      mark.digest
    );
  }

  /** Whoever renders knows: what other browsers have reported under a code is as good as what this one says. */
  #leadsOf(alias: string): readonly Digest[] {
    const fromServers = this.#aliases.serverDigestsOf(alias);
    return fromServers.length > 0 ? fromServers : this.#aliases.digestsOf(alias);
  }
}

/** The one of them, however often it is there; undefined when there are several or none. */
function onlyOf(digests: readonly Digest[]): Digest | undefined {
  const [only, ...others] = new Set(digests);
  return others.length === 0 ? only : undefined;
}
