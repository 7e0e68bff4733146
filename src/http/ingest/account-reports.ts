/**
 * Stores reports of other Workers of the same account: tail events, and errors that they pass by
 * RPC. Only a Worker that its owner bound to Errata can send them, so they need no key and have
 * trust `server`.
 */
import { findProject } from "../../core/accounts/registry.ts";
import { asRecord } from "../../core/decode/as-type.ts";
import { describeErrorText } from "../../core/report/stacks/describe-error.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { parseReporterBody } from "../../ingest/browser/errata-reporter.ts";
import type { IngestResult, ParsedItem } from "../../ingest/format/ingest-format.ts";
import { prepareItems } from "../../ingest/parse-body.ts";
import {
  admitAll,
  processItems,
  storeItems,
  type WriteFailure,
} from "../../ingest/process-items.ts";
import type { Services } from "../context.ts";
import { findReportSettings, readAnyCopy } from "./registry-copy.ts";

/**
 * Stores items of the services' project. Without reports, it stores nothing: counters of successful
 * invocations would cost a write each, and the platform has them already.
 */
export async function storeAccountItems(
  services: Services,
  parsed: readonly ParsedItem[],
): Promise<Result<IngestResult, WriteFailure>> {
  const items = prepareItems(parsed);
  if (items.every((item) => "outcome" in item && item.outcome === "counted"))
    return ok({ outcomes: [] });
  const { config, reportWriter, nowMs, newId, sha256 } = services;
  const processed = processItems(admitAll(items), {
    ...findReportSettings(await readAnyCopy(services), config.project),
    nowMs: nowMs(),
    newId,
    sha256,
    scrub: config.scrub,
    trust: "server",
  });
  return storeItems(processed, reportWriter);
}

/** The code of a captured error, to show to the visitor. */
export interface CapturedError {
  readonly digest: Digest;
  readonly id: ReportId;
}

/**
 * Stores a thrown value of any type. `context` has the members of `Facts` in `errata/server`;
 * others are ignored. `projectId` is what the binding names, by default the first project.
 */
export async function captureError(
  opened: Services,
  error: unknown,
  context: unknown,
  projectId = opened.config.project,
): Promise<Result<CapturedError, WriteFailure | { readonly reason: "unknown-project" }>> {
  const isFirst = projectId === opened.config.project;
  const known = isFirst ? null : await readAnyCopy(opened);
  if (!isFirst && (known === null || findProject(known, projectId) === undefined))
    return fail({ reason: "unknown-project" });
  const services = isFirst ? opened : opened.forProject(projectId);
  const { how = "handled", request, reports: _, ...facts } = asRecord(context) ?? {};
  const { method, url, headers } = asRecord(request) ?? {};
  const stored = await storeAccountItems(
    services,
    parseReporterBody({
      ...facts,
      ...describeErrorText(error),
      ...{ errata: 1, side: "server", id: services.newId(), at: services.nowMs(), how },
      request: { method, url, headers: headers instanceof Headers ? [...headers] : headers },
      fields: error instanceof Error ? { ...error, cause: undefined } : undefined,
    }),
  );
  if (!stored.ok) return stored;
  const [outcome] = stored.value.outcomes;
  return outcome !== undefined && "digest" in outcome && outcome.digest && outcome.id
    ? ok({ digest: outcome.digest, id: outcome.id })
    : fail({ reason: "log-unavailable", cause: outcome });
}
