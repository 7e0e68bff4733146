/** Sentry events and items with values of the wrong type in every member. */
import {
  createEnvelope,
  createEvent,
  createEventEnvelope,
  type Hostile,
  PLANTED_SECRET,
  UNEXPECTED_VALUES,
} from "./hostile-row.ts";

/** A copy of the value with the member at `path` replaced. */
function replaced(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  by: unknown,
): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((member, at) => (at === step ? replaced(member, rest, by) : member));
  }
  const members = (value ?? {}) as Record<string, unknown>;
  return { ...members, [step]: replaced(members[step], rest, by) };
}

const frame = { filename: "a.js", function: "f", lineno: 1, colno: 1 };
const event = createEvent("members", {
  ...{ logentry: { formatted: "f", message: "m" }, tags: { a: "b" }, contexts: { trace: {} } },
  exception: {
    values: [
      {
        type: "E",
        value: PLANTED_SECRET,
        mechanism: { type: "m" },
        stacktrace: { frames: [frame] },
      },
    ],
  },
  threads: { values: [{ crashed: true, stacktrace: { frames: [frame] } }] },
  breadcrumbs: { values: [{ message: "b", data: { url: "u" } }] },
  request: { url: "https://a.example/", headers: { a: "b" } },
  ...{ user: { id: 1 }, sdk: { name: "s" }, debug_meta: { images: [{}] } },
});

const EXCEPTION = ["exception", "values", 0] as const;
const FRAME = [...EXCEPTION, "stacktrace", "frames", 0] as const;
const CRUMB = ["breadcrumbs", "values", 0] as const;
const THREAD = ["threads", "values", 0] as const;
const EVENT_PATHS: readonly (readonly (string | number)[])[] = [
  ...["event_id", "timestamp", "level", "platform", "logger", "server_name", "release", "dist"],
  ...["environment", "transaction", "message", "logentry", "exception", "threads", "breadcrumbs"],
  ...[
    "request",
    "user",
    "tags",
    "extra",
    "contexts",
    "modules",
    "fingerprint",
    "sdk",
    "debug_meta",
  ],
]
  .map((member): (string | number)[] => [member])
  .concat(
    [
      ["logentry", "formatted"],
      ["logentry", "params"],
      ["contexts", "trace"],
      ["contexts", "react"],
    ],
    [
      ["contexts", "trace", "trace_id"],
      ["contexts", "a", "digest"],
      ["extra", "__serialized__"],
    ],
    [
      ["exception", "values"],
      ["breadcrumbs", "values"],
      ["threads", "values"],
      ["tags", "digest"],
    ],
    ["type", "value", "module", "mechanism", "stacktrace"].map((name) => [...EXCEPTION, name]),
    ["type", "handled", "synthetic", "exception_id", "parent_id"].map((name) => [
      ...EXCEPTION,
      "mechanism",
      name,
    ]),
    [[...EXCEPTION, "stacktrace", "frames"], [...FRAME]],
    ["filename", "abs_path", "function", "module", "lineno", "colno", "in_app"].map((name) => [
      ...FRAME,
      name,
    ]),
    ["context_line", "pre_context", "post_context", "vars"].map((name) => [...FRAME, name]),
    ["timestamp", "type", "category", "level", "message", "data"].map((name) => [...CRUMB, name]),
    ["crashed", "current", "stacktrace"].map((name) => [...THREAD, name]),
    ["url", "method", "headers", "cookies", "data", "query_string", "env"].map((name) => [
      "request",
      name,
    ]),
    ["id", "email", "username", "ip_address"].map((name) => ["user", name]),
    ["name", "version"].map((name) => ["sdk", name]),
  );

const events: readonly Hostile[] = EVENT_PATHS.map((path) => ({
  name: `event.${path.join(".")}`,
  body: createEventEnvelope(UNEXPECTED_VALUES.map((wrong) => replaced(event, path, wrong))),
  status: 200,
}));

/** Items other than events. Some are only counted; the others may be invalid. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  session: {
    sid: "a".repeat(32),
    init: true,
    started: 1,
    status: "ok",
    errors: 0,
    attrs: { release: "1" },
  },
  sessions: {
    aggregates: [{ started: "2026-11-21T17:00:00Z", exited: 1 }],
    attrs: { release: "1" },
  },
  feedback: {
    contexts: {
      feedback: {
        message: PLANTED_SECRET,
        name: "n",
        contact_email: "e",
        associated_event_id: "i",
      },
    },
    timestamp: 1,
  },
  user_report: { event_id: "a".repeat(32), name: "n", email: "e", comments: PLANTED_SECRET },
  check_in: { check_in_id: "a".repeat(32), monitor_slug: "s", status: "ok", duration: 1 },
  client_report: {
    timestamp: 1,
    discarded_events: [{ reason: "r", category: "error", quantity: 1 }],
  },
  transaction: { type: "transaction", spans: [], contexts: { trace: {} } },
  attachment: { a: 1 },
};

const items: readonly Hostile[] = Object.entries(ITEMS).flatMap(([type, item]) => [
  {
    name: `${type}, of every wrong type`,
    body: createEnvelope(...UNEXPECTED_VALUES.flatMap((wrong) => [{ type }, wrong])),
    status: [200, 400],
  },
  {
    name: `${type}, each of its members`,
    body: createEnvelope(
      ...Object.keys(item).flatMap((member) =>
        UNEXPECTED_VALUES.flatMap((wrong) => [{ type }, { ...item, [member]: wrong }]),
      ),
    ),
    status: [200, 400],
  },
  {
    name: `${type}, the headers of its item`,
    body: createEnvelope(
      ...UNEXPECTED_VALUES.flatMap((wrong) => [
        {
          type,
          filename: wrong,
          content_type: wrong,
          attachment_type: wrong,
          item_count: wrong,
          event_id: wrong,
          sent_at: wrong,
        },
        item,
      ]),
    ),
    status: [200, 400],
  },
]);

/** Wrong types, in events and in other items. */
export const hostileSentryMembers = { events, items } as const;
