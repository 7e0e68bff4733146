/**
 * Counts sessions (Sentry's release health) by release and environment: when they start, when
 * something goes wrong, and when they end badly. Sessions are not stored.
 *
 *     session    {"sid":"…","init":true,"status":"ok","errors":0,
 *                 "attrs":{"release":"web@2.0.0","environment":"production"}}
 *     sessions   {"aggregates":[{"started":"…","exited":9,"crashed":1}],"attrs":{"release":"…"}}
 *
 * An SDK sends a session again when its status changes, with its first error and when another user
 * signs in; only the first update has `init`. Bad states therefore repeat and are counted once by
 * id. Source: Sentry develop docs › SDK › Telemetry › Sessions › Payloads.
 */

import {
  asArray,
  asCount,
  asNumber,
  asRecord,
  asText,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { ReportId } from "../../core/report.ts";
import { CounterBatch, type CounterDelta, truncateCounterName } from "../../core/stats/counters.ts";
import { type ParsedItem, toCountedItem, toInvalidItem } from "../format/ingest-format.ts";

/** Bad states, in a session's `status` and as members of an aggregate. `exited` is the good end. */
const BAD_STATUSES = ["errored", "unhandled", "crashed", "abnormal"] as const;

type BadStatus = (typeof BAD_STATUSES)[number];

/**
 * Counts one update of one session. Invalid if it is not an object; without a release it counts
 * under "".
 */
export function parseSession(payload: unknown): ParsedItem {
  const fields = asRecord(payload);
  if (fields === undefined)
    return toInvalidItem("session", "not-an-object", "session: a JSON object");
  const prefix = createCounterPrefix(fields);
  const status = BAD_STATUSES.find((badStatus) => badStatus === asText(fields.status));
  const isBad = status !== undefined || (asNumber(fields.errors) ?? 0) > 0;
  const statuses = isBad ? new Set<BadStatus>(["errored", status ?? "errored"]) : [];
  return toCountedItem("session", [
    ...(fields.init === true ? [[[...prefix, "started"], 1] as const] : []),
    ...Array.from(statuses, (badStatus): CounterDelta => {
      const onceId = createOnceId(asText(fields.sid), badStatus);
      return onceId === undefined
        ? [[...prefix, badStatus], 1]
        : [[...prefix, badStatus], 1, onceId];
    }),
  ]);
}

/** A session id that is not all zeros, ignoring its last digit. */
const SESSION_ID = /^(?!0{31})[\da-f]{32}$/;

/**
 * The id that makes a bad state count once: the session id with another last digit. Undefined for a
 * session without a UUID.
 */
function createOnceId(sid: string | undefined, status: BadStatus): ReportId | undefined {
  const hex = sid?.replaceAll("-", "").toLowerCase() ?? "";
  return SESSION_ID.test(hex) ? `${hex.slice(0, -1)}${BAD_STATUSES.indexOf(status)}` : undefined;
}

/** Counts the aggregates of a server SDK. Invalid if it is not an object. */
export function parseSessions(payload: unknown): ParsedItem {
  const fields = asRecord(payload);
  if (fields === undefined)
    return toInvalidItem("sessions", "not-an-object", "sessions: a JSON object");
  const prefix = createCounterPrefix(fields);
  const batch = new CounterBatch();
  for (const aggregate of (asArray(fields.aggregates) ?? []).slice(0, limits.maxCountersPerItem)) {
    for (const [name, count] of countStatuses(asRecord(aggregate) ?? {}, prefix))
      batch.add(name, count);
  }
  return toCountedItem("sessions", batch.drain());
}

function countStatuses(aggregate: JsonFields, prefix: readonly string[]): readonly CounterDelta[] {
  const [, ...counters] = BAD_STATUSES.map(
    (status): CounterDelta => [[...prefix, status], asCount(aggregate[status])],
  );
  const errored = BAD_STATUSES.reduce((sum, status) => sum + asCount(aggregate[status]), 0);
  const started = errored + asCount(aggregate.exited);
  const all: readonly CounterDelta[] = [
    [[...prefix, "started"], started],
    [[...prefix, "errored"], errored],
    ...counters,
  ];
  return all.filter(([, count]) => count > 0);
}

function createCounterPrefix(fields: JsonFields): readonly string[] {
  const attributes = asRecord(fields.attrs);
  const { release, environment } = attributes ?? {};
  const names = [release, environment].map((name) => asText(name)?.trim() ?? "");
  return truncateCounterName(["session", ...names]);
}
