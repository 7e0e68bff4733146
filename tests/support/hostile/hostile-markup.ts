/**
 * Markup and scripts in every field of every format. A script that runs sets `__xss`; every piece
 * of markup contains an element.
 */
import { type Hostile, KEY } from "./hostile-row.ts";
import { SENTRY_MARKUP } from "./hostile-sentry-markup.ts";

/**
 * The texts for every field; `%` is replaced by the row's name, so that each row becomes an issue
 * of its own.
 */
export const MARKUP: Readonly<Record<string, string>> = {
  img: `"'><img src=x onerror="window.__xss='img'">%`,
  svg: `</title></textarea></template></noscript><svg onload="window.__xss='svg'"><a href="javascript:alert(1)">%</a>`,
  script: `</script><script>window.__xss='script';alert(1)</script><!--%`,
  frame: `<iframe srcdoc="<script>parent.__xss='frame'</script>"></iframe><base href="//a.example/"><meta http-equiv=refresh content=99>%`,
  url: `javascript:window.__xss='url'//%`,
  data: `data:text/html,<script>opener.__xss='data'</script>%`,
  stream: `<template id="B:x"></template><div hidden id="S:x">%</div><script>window.__xss='stream';$RC("B:x","S:x")</script>`,
};

const stack = (text: string) =>
  `${text}\n    at ${text} (${text}:1:1)\n    at f (https://a.example/${text}:2:2)\n${text}@${text}:3:3`;
const attributes = (text: string) =>
  [
    ...["exception.type", "exception.message", "url.full", "http.route", "user_agent.original"],
    text,
  ]
    .map((key) => ({ key, value: { stringValue: text } }))
    .concat([{ key: "exception.stacktrace", value: { stringValue: stack(text) } }]);
const resource = (text: string) => ({
  attributes: ["service.name", "service.version", "deployment.environment", text].map((key) => ({
    key,
    value: { stringValue: text },
  })),
});
const otlp = (path: string, value: unknown) => ({
  path,
  headers: { authorization: `Bearer ${KEY}` },
  body: JSON.stringify(value),
  status: 200,
});

const BODY = [
  ...[
    "documentURL",
    "referrer",
    "blockedURL",
    "effectiveDirective",
    "originalPolicy",
    "sourceFile",
    "sample",
  ],
  ...[
    "disposition",
    "destination",
    "id",
    "message",
    "policyId",
    "featureId",
    "reason",
    "stack",
    "property",
  ],
  ...["phase", "method", "protocol", "server_ip", "hash", "connection", "effectivePolicy", "type"],
];
const LEGACY = [
  "document-uri",
  "referrer",
  "violated-directive",
  "effective-directive",
  "original-policy",
  "disposition",
  "blocked-uri",
  "source-file",
  "script-sample",
];
const all = (names: readonly string[], text: string) =>
  Object.fromEntries(names.map((name) => [name, text]));
const TYPES = [
  "csp-violation",
  "integrity-violation",
  "deprecation",
  "intervention",
  "permissions-policy-violation",
  "coep",
  "coop",
  "crash",
  "network-error",
  "connection-allowlist",
];

/** The same texts in every other format. */
const FORMATS: typeof SENTRY_MARKUP = {
  ...SENTRY_MARKUP,
  "browser reports": (text) => ({
    body: JSON.stringify(
      TYPES.map((type) => ({
        type,
        url: text,
        user_agent: text,
        body: { ...all(BODY, text), crash_report_api: { digest: text, [text]: text } },
      })),
    ),
    status: 204,
  }),
  "a browser report's type": (text) => ({
    body: JSON.stringify([{ type: text, url: `https://a.example/${text}`, body: all(BODY, text) }]),
    status: 204,
  }),
  "a csp-report": (text) => ({
    body: JSON.stringify({ "csp-report": all(LEGACY, text) }),
    status: 204,
  }),
  "Next.js": (text) => ({
    body: JSON.stringify({
      error: { name: text, message: text, digest: text, stack: stack(text) },
      request: { path: text, method: text, headers: { "user-agent": text, [text]: text } },
      context: all(["routerKind", "routePath", "routeType", "renderSource"], text),
    }),
    status: 202,
  }),
  "Errata's reporter": (text) => ({
    body: JSON.stringify({
      errata: 1,
      how: text,
      message: text,
      stack: stack(text),
      ...all(
        [
          "type",
          "componentStack",
          "digest",
          "url",
          "release",
          "environment",
          "language",
          "viewport",
        ],
        text,
      ),
    }),
    status: 202,
  }),
  "OTLP logs": (text) =>
    otlp("/v1/logs", {
      resourceLogs: [
        {
          resource: resource(text),
          scopeLogs: [
            {
              scope: { name: text },
              logRecords: [
                {
                  severityText: text,
                  severityNumber: 17,
                  body: { stringValue: text },
                  eventName: text,
                  attributes: attributes(text),
                },
              ],
            },
          ],
        },
      ],
    }),
  "OTLP traces": (text) =>
    otlp("/v1/traces", {
      resourceSpans: [
        {
          resource: resource(text),
          scopeSpans: [
            {
              scope: { name: text },
              spans: [
                {
                  name: text,
                  kind: 2,
                  attributes: attributes(text),
                  events: [{ name: text, attributes: attributes(`trace ${text}`) }],
                },
              ],
            },
          ],
        },
      ],
    }),
};
/** Every kind of markup in every format. */
export const hostileMarkup: readonly Hostile[] = Object.entries(FORMATS).flatMap(([format, make]) =>
  Object.entries(MARKUP).map(([name, text]) => ({
    name: `${name} in ${format}`,
    ...make(text.replace("%", format.replace(/[^a-z]/gi, ""))),
  })),
);
