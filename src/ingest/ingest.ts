/**
 * Ingest: bytes or tail events in, one outcome per item out. Detects the format, parses the items,
 * processes the reports and resolves when the log has stored them. Independent of HTTP, and of all
 * storage except the log's port.
 */

import { omitUndefined } from "../core/omit-undefined.ts";
import type { ProcessingOptions } from "../core/processing/process-report.ts";
import type { ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Outcome } from "../core/stats/outcome.ts";
import type { IngestFormat } from "./detect-format.ts";
import type { IngestContext, RefusedBody, ReportSettings } from "./ingest-context.ts";
import { type ParseFailure, parseBody } from "./parse-body.ts";
import { processItems, type WriteFailure } from "./process-items.ts";
import { parseTail } from "./tail/parse-tail.ts";

/** The outcomes of a body. */
export interface IngestResult {
  readonly format: IngestFormat;
  /** One per item, in order. */
  readonly outcomes: readonly Outcome[];
  /** The event id that the response to a Sentry SDK repeats. */
  readonly id?: ReportId;
}

/**
 * Why nothing of a body was stored. `expected` is for the sender and quotes nothing of the body.
 */
type IngestFailure = ParseFailure | RefusedBody | WriteFailure;

/**
 * Ingests a body of at most `limits.maxInflatedBytes`. Resolves when everything accepted is
 * durable; never rejects. A body with some broken items succeeds. An id that occurs twice in one
 * body counts once.
 */
export async function ingest(
  bytes: Uint8Array,
  context: IngestContext,
): Promise<Result<IngestResult, IngestFailure>> {
  const body = parseBody(bytes, context);
  if (!body.ok) {
    if (context.refusal !== undefined) return fail({ reason: context.refusal });
    const charged = await context.charge?.({ reportCount: 0, pageReportCount: 0 });
    if (charged?.ok === false) return charged;
    // The sender gets the parse failure even if it cannot be counted.
    await context.writer.append([], [[["invalid", "body", body.reason], 1]]).catch(() => undefined);
    return body;
  }
  const { format, id, items, pageToken = context.pageToken } = body.value;
  const outcomes = await processItems(items, context, pageToken);
  if (!outcomes.ok) return outcomes;
  const { value } = outcomes;
  return ok(omitUndefined({ format, outcomes: value, id: id ?? findFirstId(value) }));
}

/** Parameters of ingest besides the events. */
interface TailContext
  extends Pick<IngestContext, "writer" | Exclude<keyof ProcessingOptions, "trust">> {
  /** The settings of the project, read only if an event is more than a success. Never rejects. */
  readonly findSettings?: () => Promise<ReportSettings>;
}

/**
 * Ingests what the platform passes to `tail()`: an outcome for each invocation, exception and log,
 * in order. Resolves when everything accepted is durable; never rejects. The platform does not
 * resend events, so events that fail here are lost. Invocations without failures are not counted:
 * each would cost a write, and the platform counts them already.
 */
export async function ingestTail(
  events: readonly unknown[],
  { findSettings, ...context }: TailContext,
): Promise<Result<readonly Outcome[], RefusedBody | WriteFailure>> {
  const items = parseTail(events);
  const isCountedOnly = items.every((item) => "outcome" in item && item.outcome === "counted");
  if (isCountedOnly) return ok(items.map(({ item }) => ({ outcome: "counted", item })));
  return processItems(items, { ...context, ...(await findSettings?.()), trust: "server" });
}

function findFirstId(outcomes: readonly Outcome[]): ReportId | undefined {
  for (const outcome of outcomes)
    if ("id" in outcome && outcome.id !== undefined) return outcome.id;
  return undefined;
}
