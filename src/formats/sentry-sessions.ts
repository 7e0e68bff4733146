/**
 * Sentry's release health: sessions that began, and how they ended. Nothing of a session is kept; each is counted under its
 * release and environment, once when it starts, once when something goes wrong, once for a bad end.
 *
 *     session    {"sid":"…","init":true,"status":"ok","errors":0,"attrs":{"release":"web@2.0.0","environment":"production"}}
 *     sessions   {"aggregates":[{"started":"…","exited":9,"crashed":1}],"attrs":{"release":"…"}}
 *
 * Source: Sentry develop docs › SDK › Telemetry › Sessions › Payloads. An SDK sends a session again when its status changes, with its
 * first error and whenever another user signs in, `init` on the first of them alone: what has gone wrong is said again and again.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import type { ReportId } from "../core/report.ts";
import { shortName, type Tally, TallySheet } from "../core/tally.ts";
import { arrayOf, countOf, type Fields, numberOf, recordOf, textOf } from "./decode.ts";
import { counted, invalid } from "./parsed.ts";

/** How a session can end, in a session's `status` and as a member of an aggregate. `exited` is the good end. */
const BAD_ENDS = ["errored", "unhandled", "crashed", "abnormal"] as const;

type BadEnd = (typeof BAD_ENDS)[number];

/** One update of one session. Invalid when it is no object; without a release it counts under "". */
export function parseSession(payload: unknown): Parsed {
  const fields = recordOf(payload);
  if (fields === undefined) return invalid("session", "not-an-object", "session: a JSON object");
  const of = ownerOf(fields);
  const end = BAD_ENDS.find((bad) => bad === textOf(fields.status));
  const isBad = end !== undefined || (numberOf(fields.errors) ?? 0) > 0;
  const wrong = isBad ? new Set<BadEnd>(["errored", end ?? "errored"]) : [];
  return counted("session", [
    ...(fields.init === true ? [[[...of, "started"], 1] as const] : []),
    ...Array.from(wrong, (bad): Tally => {
      const once = onceIdOf(textOf(fields.sid), bad);
      return once === undefined ? [[...of, bad], 1] : [[...of, bad], 1, once];
    }),
  ]);
}

/** But for its last digit it is not all zeros, which is no id. */
const SID = /^(?!0{31})[\da-f]{32}$/;

/** By what it is known that a session has ended so: its own id with another last digit. Undefined for a session without a UUID. */
function onceIdOf(sid: string | undefined, end: BadEnd): ReportId | undefined {
  const hex = sid?.replaceAll("-", "").toLowerCase() ?? "";
  return SID.test(hex) ? `${hex.slice(0, -1)}${BAD_ENDS.indexOf(end)}` : undefined;
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
  const [, ...ends] = BAD_ENDS.map((end): Tally => [[...of, end], countOf(aggregate[end])]);
  const errored = BAD_ENDS.reduce((sum, end) => sum + countOf(aggregate[end]), 0);
  const started = errored + countOf(aggregate.exited);
  const all: readonly Tally[] = [
    [[...of, "started"], started],
    [[...of, "errored"], errored],
    ...ends,
  ];
  return all.filter(([, count]) => count > 0);
}

function ownerOf(fields: Fields): readonly string[] {
  const attributes = recordOf(fields.attrs);
  const { release, environment } = attributes ?? {};
  return shortName(["session", textOf(release) ?? "", textOf(environment) ?? ""]);
}
