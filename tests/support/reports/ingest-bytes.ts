// Ingest without HTTP, keys and rate limits: every item is admitted.

import type { ReportWriter } from "#src/core/ports/storage-ports.ts";
import type { ProcessingOptions } from "#src/core/processing/process-report.ts";
import type { Digest, ReportId } from "#src/core/report.ts";
import { ok } from "#src/core/result.ts";
import {
  type IngestBody,
  type ParseOptions,
  parseBody,
  prepareItems,
  toIngestBody,
} from "#src/ingest/parse-body.ts";
import { admitAll, listAboutEvents, processItems, storeItems } from "#src/ingest/process-items.ts";
import { parseTail } from "#src/ingest/tail/parse-tail.ts";

interface IngestOptions
  extends ProcessingOptions,
    ParseOptions,
    Pick<Partial<IngestBody>, "encoding"> {
  readonly writer: ReportWriter;
  readonly findDigest?: (id: ReportId) => Promise<Digest | null>;
}

/** The outcomes of a body and the name of its format, or why nothing was stored. */
export async function ingestBytes(bytes: Uint8Array, options: IngestOptions) {
  const { writer, findDigest, encoding } = options;
  const parsed = parseBody({ ...toIngestBody(bytes), encoding }, options);
  if (!parsed.ok) return parsed;
  const { items, format } = parsed.value;
  const digests = new Map<ReportId, Digest>();
  for (const id of listAboutEvents(items)) {
    const digest = await findDigest?.(id);
    if (digest) digests.set(id, digest);
  }
  const stored = await storeItems(processItems(admitAll(items), options, digests), writer);
  if (!stored.ok) return stored;
  const { outcomes, id } = stored.value;
  return ok({ format: format.name, outcomes, id: parsed.value.id ?? id });
}

/** The outcomes of tail events. */
export async function ingestTail(events: readonly unknown[], options: IngestOptions) {
  const items = prepareItems(parseTail(events));
  return storeItems(processItems(admitAll(items), options), options.writer);
}
