/**
 * Sentry's release health: sessions that began, and how they ended. Nothing of a session is kept; each is counted under its
 * release and environment, once when it starts and once for what happened to it.
 *
 *     session    {"sid":"…","init":true,"status":"ok","errors":0,"attrs":{"release":"web@2.0.0","environment":"production"}}
 *     sessions   {"aggregates":[{"started":"…","exited":9,"crashed":1}],"attrs":{"release":"…"}}
 *
 * Source: Sentry develop docs › SDK › Telemetry › Sessions › Payloads. An SDK sends a session again when its status changes
 * or with its first error, `init` on the first of them alone.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { type Tally, TallySheet } from "../core/tally.ts";
import { arrayOf, countOf, type Fields, numberOf, recordOf, textOf } from "./decode.ts";
import { counted, invalid } from "./parsed.ts";

/** How a session can end, in a session's `status` and as a member of an aggregate. `exited` is the good end. */
const BAD_ENDS = ["errored", "unhandled", "crashed", "abnormal"] as const;

/** One update of one session. Invalid when it is no object; without a release it counts under "". */
export function parseSession(payload: unknown): Parsed {
  const fields = recordOf(payload);
  if (fields === undefined) return invalid("session", "not-an-object", "session: a JSON object");
  const of = ownerOf(fields);
  const sheet = new TallySheet();
  if (fields.init === true) sheet.add([...of, "started"]);
  const status = textOf(fields.status) ?? "ok";
  const end = BAD_ENDS.find((bad) => bad === status);
  const hasErrors = (numberOf(fields.errors) ?? 0) > 0;
  if (end !== undefined) sheet.add([...of, end]);
  // The update that brings the first error; the one at the end repeats the number.
  else if (hasErrors && status === "ok") sheet.add([...of, "errored"]);
  return counted("session", sheet.take());
}

/** What a server's SDK added up by itself. Invalid when it is no object. */
export function parseSessions(payload: unknown): Parsed {
  const fields = recordOf(payload);
  if (fields === undefined) return invalid("sessions", "not-an-object", "sessions: a JSON object");
  const of = ownerOf(fields);
  const sheet = new TallySheet();
  for (const aggregate of (arrayOf(fields.aggregates) ?? []).slice(0, limits.maxTalliesPerItem)) {
    for (const [name, count] of endsIn(recordOf(aggregate) ?? {}, of)) sheet.add(name, count);
  }
  return counted("sessions", sheet.take());
}

function endsIn(aggregate: Fields, of: readonly string[]): readonly Tally[] {
  const bad = BAD_ENDS.map((end): Tally => [[...of, end], countOf(aggregate[end])]);
  const started = bad.reduce((sum, [, count]) => sum + count, countOf(aggregate.exited));
  return [[[...of, "started"], started] as Tally, ...bad].filter(([, count]) => count > 0);
}

function ownerOf(fields: Fields): readonly string[] {
  const attributes = recordOf(fields.attrs);
  return ["session", textOf(attributes?.release) ?? "", textOf(attributes?.environment) ?? ""];
}
