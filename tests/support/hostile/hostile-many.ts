/** Bodies of very many parts, and of empty parts. */
import { limits } from "#src/core/limits.ts";
import {
  createEnvelope,
  createEvent,
  createEventEnvelope,
  type Hostile,
  PLANTED_SECRET,
  SUCCESS_STATUSES,
} from "./hostile-row.ts";

/** Too many of each repeatable part of a body. */
export const hostileMany: readonly Hostile[] = [
  {
    name: "10,000 items",
    body: () => createEventEnvelope(Array(10_000).fill(createEvent("many"))),
    status: 413,
    reason: "too-many-items",
  },
  {
    name: "10,000 items of nothing",
    body: () => `{}\n${'{"type":"x","length":0}\n\n'.repeat(10_000)}`,
    status: 413,
    reason: "too-many-items",
  },
  {
    name: "one item more than the limit",
    body: createEventEnvelope(Array(limits.maxItems + 1).fill({})),
    status: 413,
    reason: "too-many-items",
  },
  {
    name: "as many events as items are allowed",
    body: createEventEnvelope(Array(limits.maxItems).fill(createEvent("many"))),
    status: 200,
  },
  {
    name: "empty events",
    body: createEnvelope(...Array(50).fill('{"type":"event","length":0}\n')),
    status: 400,
  },
  {
    name: "empty items of every type",
    body: createEnvelope(...createTypes().map((type) => `{"type":"${type}","length":0}\n`)),
    status: SUCCESS_STATUSES.concat(400),
  },
  {
    name: "a hundred events of one id",
    body: createEventEnvelope(Array(100).fill(createEvent("many", { event_id: "a".repeat(32) }))),
    status: 200,
  },
  { name: "two million newlines", body: () => `{}\n${"\n".repeat(2_000_000)}`, status: [200, 413] },
  {
    name: "10,000 browser reports",
    body: () => JSON.stringify(Array(10_000).fill({ type: "a", body: {} })),
    status: 413,
    reason: "too-many-items",
  },
  {
    name: "10,000 members of an event",
    body: JSON.stringify(
      createEvent(
        "many",
        Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, at])),
      ),
    ),
    status: 200,
  },
  {
    name: "10,000 tags, breadcrumbs, frames and causes",
    body: () => JSON.stringify(lists(10_000)),
    status: 200,
  },
];

function createTypes(): readonly string[] {
  return [
    ...["attachment", "session", "sessions", "client_report", "user_report", "feedback"],
    ...["check_in", "transaction", "profile", "replay_event", "replay_recording", "log", "span"],
  ];
}

function lists(length: number) {
  const of = <T>(make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
  const frames = of((at) => ({ function: `f${at}`, lineno: at }));
  return {
    platform: "javascript",
    tags: of((at) => [`t${at}`, at]),
    breadcrumbs: of((at) => ({ message: `b${at}` })),
    fingerprint: of(String),
    exception: [
      ...of(() => ({ type: "E" })),
      { type: "Many", value: PLANTED_SECRET, stacktrace: { frames } },
    ],
  };
}
