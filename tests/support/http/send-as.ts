// Sends a body to ingest as a sender of a trust level, over the real store.
import { createHash } from "node:crypto";
import type { Trust } from "#src/core/trust/trust.ts";
import { findIssuesOfEvents } from "#src/http/ingest/issue-of-event.ts";
import type { IngestResult } from "#src/ingest/format/ingest-format.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

let ids = 0;

/** The outcomes of a body. Fails if the body cannot be read or stored. */
export async function sendAs(
  trust: Trust,
  body: string,
  writer = log,
  nowMs = NOW_MS,
): Promise<IngestResult> {
  const result = await ingestBytes(new TextEncoder().encode(body), {
    trust,
    writer,
    nowMs,
    newId: () => (++ids).toString(16).padStart(32, "e"),
    sha256: (text) => createHash("sha256").update(text).digest(),
    findDigest: async (id) => (await findIssuesOfEvents(projectStore, [id])).get(id) ?? null,
    sender: "1.2",
  });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

/** A Sentry envelope with one event. */
export function createEventBody(id: string, message: string, fields: object = {}): string {
  const event = {
    event_id: id,
    platform: "node",
    exception: { values: [{ type: "PaymentError", value: message }] },
    ...fields,
  };
  return `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}
