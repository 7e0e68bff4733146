// The bodies of the torture run: bodies of real clients (tests/fixtures), each with a different id,
// error and marker. The same numbers give the same bytes, as in a retry.

import { readCapture, readText } from "./captures.ts";
import { createId, createMarker } from "./names.ts";

const events = [
  "sentry-browser.uncaught-error",
  "sentry-node.uncaught",
  "sentry-browser.uncaught-error",
  "sentry-node.exception-with-breadcrumbs-and-cause",
].map((name) => {
  const [header, , event] = readText(readCapture(name)).split("\n");
  return { header: JSON.parse(header ?? ""), event: JSON.parse(event ?? "") };
});
const session = JSON.parse(readText(readCapture("sentry-node.session-init")).split("\n")[2] ?? "");
const uploads = ["reports.csp-violation", "reports.deprecation"].map(
  (name) => JSON.parse(readText(readCapture(name)))[0],
);

export type Event = { n: number; id: string; fault: string; atMs: number };

/** An envelope with one event, and with a session if `release` is given. */
export function createEventBody(
  seed: number,
  { n, id, fault, atMs }: Event,
  sessionRelease?: string,
) {
  const { header, event } = events[n % events.length] as (typeof events)[number];
  const values = event.exception.values.map((value: object) => ({ ...value }));
  Object.assign(values.at(-1), { type: "Error", value: fault });
  const filled = {
    ...event,
    event_id: id,
    timestamp: atMs / 1000,
    exception: { ...event.exception, values },
    contexts: { ...event.contexts, trace: { trace_id: createId(seed, `trace ${n}`) } },
    tags: { ...event.tags, torture: createMarker(n) },
    // One fault is one issue, whichever client sends it and from whichever function.
    fingerprint: [fault],
  };
  const sentAt = new Date(atMs).toISOString();
  const lines = [{ ...header, event_id: id, sent_at: sentAt }, { type: "event" }, filled];
  if (sessionRelease !== undefined) lines.push({ type: "session" }, createSession(sessionRelease));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** An envelope with the start of a session of a release. */
export function createSessionBody(release: string) {
  const lines = [
    { sent_at: new Date().toISOString() },
    { type: "session" },
    createSession(release),
  ];
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** A report of an upload. */
export type Part = { marker: string; fault: string };

/**
 * A browser's upload of reports that occurred together. Their age grows with each attempt, as in a
 * browser.
 */
export function createUploadBody(parts: readonly Part[], atMs: number) {
  const reports = parts.map(({ marker, fault }, i) => {
    const { body, ...report } = uploads[i % uploads.length];
    // The whole body distinguishes reports; the blocked URL or the deprecated id is the error.
    const members =
      report.type === "csp-violation"
        ? { blockedURL: `https://${fault}.example/ad.js`, sample: marker }
        : { id: fault, message: `${body.message} ${marker}` };
    return { ...report, age: Date.now() - atMs, body: { ...body, ...members } };
  });
  return JSON.stringify(reports);
}

function createSession(release: string) {
  return { ...session, errors: 0, attrs: { ...session.attrs, release } };
}
