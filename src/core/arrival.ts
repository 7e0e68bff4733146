/** What has just arrived, as the live page shows it: a report in one line. */
import type { Mark } from "./issue.ts";
import { present } from "./present.ts";
import type { Digest, ReportId, ReportKind, Side } from "./report.ts";

/** One report, or (`times`) several of a storm. */
export interface Arrival {
  readonly id: ReportId;
  /** The issue that it counts in. */
  readonly digest: Digest;
  readonly kind: ReportKind;
  readonly side: Side;
  readonly atMs: number;
  readonly type: string;
  readonly message: string;
  readonly where?: string;
  readonly route?: string;
  readonly release?: string;
  readonly environment?: string;
  readonly browser?: string;
  readonly times?: number;
  /** The first report of its issue. */
  readonly isNew?: true;
}

/** The arrival of a mark in its issue. */
export function arrivalOf(mark: Mark, isNew: boolean): Arrival {
  const { id, digest, kind, side, atMs, type, message } = mark;
  const { where, route, release, environment, browser, times } = mark;
  return {
    ...{ id, digest, kind, side, atMs, type, message },
    ...present({ where, route, release, environment, browser, times }),
    ...(isNew && { isNew: true as const }),
  };
}
