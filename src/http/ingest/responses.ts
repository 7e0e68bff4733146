/**
 * Ingest responses in the format of each kind of client. All contain `Errata-Outcome`, which lists
 * the outcome of each item for a person using curl.
 */
import type { Outcome } from "../../core/stats/outcome.ts";
import type { IngestResult } from "../../ingest/ingest.ts";

/** Maximum number of outcomes in the header. */
const MAX_OUTCOMES_IN_HEADER = 20;

/**
 * Categories that Errata does not store: SDKs that read this on a 200 stop sending them for an
 * hour, and continue to send errors (Sentry develop docs › SDK › Rate Limiting:
 * `retry_after:categories:scope:reason`, honored on any status).
 */
const UNSUPPORTED_RATE_LIMITS =
  "3600:transaction;span;profile;replay;monitor;log_item;trace_metric;metric_bucket:organization:not_kept";

/**
 * The response in the sender's format, with these headers; 400 or 413 if an item is invalid,
 * although valid ones are stored.
 */
export function toIngestResponse(
  { format, id, outcomes }: IngestResult,
  shared: Readonly<Record<string, string>>,
): Response {
  const headers = { ...shared, "Errata-Outcome": formatOutcomeHeader(outcomes) };
  const invalidOutcome = outcomes.find((outcome) => outcome.outcome === "invalid");
  if (invalidOutcome !== undefined) {
    const acceptedCount = outcomes.filter(({ outcome }) => outcome === "accepted").length;
    const body = {
      reason: invalidOutcome.reason,
      detail: `Expected ${invalidOutcome.expected}.`,
      acceptedCount,
      ...(id && { id }),
    };
    return Response.json(body, {
      status: invalidOutcome.reason === "too-large" ? 413 : 400,
      headers,
    });
  }
  switch (format) {
    case "sentry-envelope":
    case "sentry-event":
      return Response.json(id === undefined ? {} : { id }, {
        headers: { ...headers, "X-Sentry-Rate-Limits": UNSUPPORTED_RATE_LIMITS },
      });
    case "minidump":
      // Crashpad keeps the body as the id of the upload.
      return new Response(toUuid(id ?? ""), {
        headers: { ...headers, "Content-Type": "text/plain" },
      });
    case "reporting-api":
    case "csp-report":
    case "security-report":
      return new Response(null, { status: 204, headers });
    case "reporter":
    case "next": {
      const storedOutcome = outcomes.find((outcome) => "id" in outcome && outcome.id !== undefined);
      const codes = storedOutcome &&
        "id" in storedOutcome && { id: storedOutcome.id, digest: storedOutcome.digest };
      return Response.json(codes || {}, { status: 202, headers });
    }
    case "otlp-logs":
    case "otlp-traces":
      // Sent to `/monitoring`, where OTLP is JSON and this is its response.
      return Response.json({}, { headers });
  }
}

/** An id with dashes. */
function toUuid(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * `accepted;item="event";id="…";digest="7F3K-Q2M9", counted;item="session"`: a list of RFC 9651.
 */
export function formatOutcomeHeader(outcomes: readonly Outcome[]): string {
  return outcomes.slice(0, MAX_OUTCOMES_IN_HEADER).map(formatOutcome).join(", ");
}

function formatOutcome(outcome: Outcome): string {
  const item = outcome.item.replace(/[^a-z0-9_.-]/gi, "").slice(0, 40) || "item";
  const member = `${outcome.outcome};item="${item}"`;
  switch (outcome.outcome) {
    case "accepted": {
      const duplicate = outcome.isDuplicate ? ";duplicate" : "";
      const spooled = outcome.isSpooled ? ";spooled" : "";
      return `${member};id="${outcome.id}";digest="${outcome.digest}"${duplicate}${spooled}`;
    }
    case "counted":
      return outcome.id === undefined
        ? member
        : `${member};id="${outcome.id}";digest="${outcome.digest}"`;
    case "dropped":
    case "invalid":
      return `${member};why=${outcome.reason}`;
  }
}
