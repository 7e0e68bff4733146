/** Names that every object inherits, in every place where a sender chooses a name. */
import {
  createEnvelope,
  createEvent,
  createEventEnvelope,
  type Hostile,
  KEY,
  PLANTED_SECRET,
} from "./hostile-row.ts";

/** Inherited names with values. */
const NAMES = [
  "__proto__",
  "\\u005f_proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "toJSON",
  "then",
  "length",
];
const members = NAMES.map(
  (name) => `"${name}":{"polluted":"${PLANTED_SECRET}","toString":1,"prototype":{"polluted":1}}`,
).join(",");
const named = `{${members}}`;
const texts = `{${NAMES.map((name) => `"${name}":"${PLANTED_SECRET}"`).join(",")}}`;
const pairs = `[${NAMES.map((name) => `["${name}","${PLANTED_SECRET}"]`).join(",")}]`;
const proto = (inner: string) =>
  `{${members},"platform":"node","message":"${PLANTED_SECRET} prototypes",${inner}}`;

/** Inherited names as members, tags, headers, contexts and types. */
export const hostilePrototypes: readonly Hostile[] = [
  { name: "in an event", body: proto('"level":"error"'), status: 200 },
  ...[
    "tags",
    "contexts",
    "extra",
    "user",
    "request",
    "sdk",
    "exception",
    "breadcrumbs",
    "threads",
    "debug_meta",
  ].map((member) => ({
    name: `in an event's ${member}`,
    body: createEventEnvelope([
      proto(`"${member}":${named}`),
      proto(`"${member}":[${named}]`),
      proto(`"${member}":${texts}`),
      proto(`"${member}":${pairs}`),
    ]),
    status: 200,
  })),
  {
    name: "in a request's headers",
    body: createEventEnvelope([
      proto(`"request":{"url":"/","headers":${texts}}`),
      proto(`"request":{"headers":${pairs}}`),
    ]),
    status: 200,
  },
  {
    name: "in a frame and its variables",
    body: proto(
      `"exception":[{"type":"E","stacktrace":{"frames":[{${members},"function":"__proto__","vars":${named}}]}}]`,
    ),
    status: 200,
  },
  {
    name: "in an envelope's header",
    body: `${named}\n{"type":"event"}\n${JSON.stringify(createEvent("prototypes"))}`,
    status: [200, 400],
  },
  {
    name: "in an item's header",
    body: createEnvelope(
      `{${members.replace(',"length":', ',"lengths":')},"type":"event"}`,
      createEvent("prototypes"),
    ),
    status: 200,
  },
  ...["__proto__", "constructor", "toString", "hasOwnProperty"].map((type) => ({
    name: `an item of the type ${type}`,
    body: createEnvelope({ type }, "{}"),
    status: 200,
  })),
  ...["__proto__", "constructor", "toString"].map((type) => ({
    name: `a browser report of the type ${type}`,
    body: JSON.stringify([{ type, body: { type, message: PLANTED_SECRET } }]),
    status: 204,
  })),
  {
    name: "in a csp-report",
    body: `{${members},"csp-report":{${members},"effective-directive":"constructor"}}`,
    status: 204,
  },
  {
    name: "in a report of Errata's own",
    body: `{${members},"errata":1,"how":"__proto__","message":"${PLANTED_SECRET} prototypes"}`,
    status: 202,
  },
  {
    name: "in Next.js' arguments",
    body: `{"error":{${members},"message":"${PLANTED_SECRET} prototypes"},"request":{"headers":${texts}},"context":${named}}`,
    status: 202,
  },
  {
    name: "in OTLP's attributes",
    path: "/v1/logs",
    headers: { authorization: `Bearer ${KEY}` },
    body: otlp(),
    status: 200,
  },
];

function otlp(): string {
  const attributes = NAMES.map(
    (name) => `{"key":"${name}","value":{"stringValue":"${PLANTED_SECRET}"}}`,
  ).join(",");
  return `{"resourceLogs":[{${members},"resource":{"attributes":[${attributes}]},"scopeLogs":[{"logRecords":[{${members},"severityNumber":17,"body":{"stringValue":"${PLANTED_SECRET} prototypes"},"attributes":[${attributes}]}]}]}]}`;
}
