// Generators of bodies that resemble reports closely enough to reach deep into a parser, with wrong
// values everywhere else.

import fc from "fast-check";

/** Every member name that some format reads. */
const MEMBERS = [
  ...["errata", "id", "how", "type", "message", "stack", "componentStack", "digest", "url", "at"],
  ...[
    "exception",
    "values",
    "value",
    "stacktrace",
    "frames",
    "filename",
    "function",
    "lineno",
    "in_app",
  ],
  ...[
    "mechanism",
    "handled",
    "synthetic",
    "breadcrumbs",
    "data",
    "timestamp",
    "category",
    "tags",
    "extra",
  ],
  ...[
    "contexts",
    "trace",
    "trace_id",
    "fingerprint",
    "request",
    "headers",
    "user",
    "sdk",
    "name",
    "platform",
  ],
  ...[
    "logentry",
    "formatted",
    "threads",
    "event_id",
    "level",
    "release",
    "pre_context",
    "post_context",
  ],
  ...["error", "context", "path", "method", "routePath", "routeType", "cf-ray", "user-agent"],
  ...[
    "csp-report",
    "effective-directive",
    "violated-directive",
    "blocked-uri",
    "source-file",
    "document-uri",
  ],
  ...[
    "body",
    "age",
    "user_agent",
    "effectiveDirective",
    "blockedURL",
    "sourceFile",
    "lineNumber",
    "reason",
  ],
  ...["__proto__", "constructor", "toString"],
];

const leaf = fc.oneof(
  fc.constantFrom(
    "",
    "event",
    "TypeError",
    "csp-violation",
    "network-error",
    "inline",
    "notice",
    "{{ default }}",
  ),
  fc.constantFrom(
    "NEXT_REDIRECT;",
    "7F3K-Q2M9",
    "2338823894@E394",
    "javascript",
    "https://a.example/b?c#d",
    "//",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  // Above the limits of a message and of a stack.
  fc.constantFrom("x".repeat(9_000), "é\u{1F600}".repeat(11_000)),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

/** Any JSON value, with member names from the formats. */
export const anyReport: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...MEMBERS), tie("value")), { maxLength: 10 })
      .map((members) => Object.fromEntries(members)),
  ),
})).value;
