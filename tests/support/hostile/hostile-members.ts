/** Values of the wrong type in every member that formats other than Sentry's read. */
import { type Hostile, PLANTED_SECRET, UNEXPECTED_VALUES } from "./hostile-row.ts";

const everyMember = (names: readonly string[], wrong: unknown) =>
  Object.fromEntries(names.map((name) => [name, wrong]));

const REPORT_TYPES = [
  ...["csp-violation", "csp-hash", "integrity-violation", "deprecation", "intervention", "crash"],
  ...["permissions-policy-violation", "document-policy-violation", "coep", "coop", "network-error"],
  ...["connection-allowlist", "something-new"],
];
const REPORT_MEMBERS = [
  ...[
    "documentURL",
    "referrer",
    "blockedURL",
    "effectiveDirective",
    "originalPolicy",
    "sourceFile",
  ],
  ...[
    "sample",
    "disposition",
    "statusCode",
    "lineNumber",
    "columnNumber",
    "hash",
    "type",
    "destination",
  ],
  ...[
    "id",
    "message",
    "anticipatedRemoval",
    "policyId",
    "featureId",
    "reason",
    "stack",
    "is_top_level",
  ],
  ...[
    "crash_report_api",
    "phase",
    "elapsed_time",
    "method",
    "protocol",
    "server_ip",
    "status_code",
  ],
];
const CSP_MEMBERS = [
  ...["document-uri", "referrer", "violated-directive", "effective-directive", "original-policy"],
  ...["disposition", "blocked-uri", "status-code", "source-file", "line-number", "column-number"],
  ...["script-sample"],
];
const CONTEXT_MEMBERS = [
  "routerKind",
  "routePath",
  "routeType",
  "renderSource",
  "revalidateReason",
];
const REPORTER_MEMBERS = [
  ...["id", "how", "stack", "componentStack", "digest", "report", "release", "environment"],
  ...["language", "viewport", "url", "at", "type"],
];

const browser: readonly Hostile[] = [
  ...REPORT_TYPES.map((type) => ({
    name: `${type}, every member of its body`,
    body: JSON.stringify(
      UNEXPECTED_VALUES.map((wrong) => ({
        type,
        age: 1,
        url: "https://a.example/",
        body: everyMember(REPORT_MEMBERS, wrong),
      })),
    ),
    status: [204, 400],
  })),
  ...["type", "age", "url", "user_agent", "body"].map((member) => ({
    name: `a browser report's ${member}`,
    body: JSON.stringify(
      UNEXPECTED_VALUES.map((wrong) => ({
        type: "deprecation",
        body: { id: "d", message: PLANTED_SECRET },
        [member]: wrong,
      })),
    ),
    status: [204, 400],
  })),
];

/** One value per body: these formats hold one report. */
const single: readonly Hostile[] = UNEXPECTED_VALUES.flatMap((wrong, at) => [
  {
    name: `csp-report, its members (${at})`,
    body: JSON.stringify({
      "csp-report": { ...everyMember(CSP_MEMBERS, wrong), "effective-directive": "img-src" },
    }),
    status: 204,
  },
  { name: `csp-report itself (${at})`, body: JSON.stringify({ "csp-report": wrong }), status: 400 },
  {
    name: `Next.js, its arguments' members (${at})`,
    body: JSON.stringify({
      error: { name: wrong, message: PLANTED_SECRET, stack: wrong, digest: wrong },
      request: everyMember(["path", "method", "headers"], wrong),
      context: everyMember(CONTEXT_MEMBERS, wrong),
    }),
    status: 202,
  },
  {
    name: `Next.js, its arguments (${at})`,
    body: JSON.stringify({ error: wrong, request: wrong, context: wrong }),
    status: [200, 202, 400],
  },
  {
    name: `Errata's reporter, its members (${at})`,
    body: JSON.stringify({
      ...everyMember(REPORTER_MEMBERS, wrong),
      errata: 1,
      message: PLANTED_SECRET,
    }),
    status: 202,
  },
  {
    name: `Errata's reporter, everything (${at})`,
    body: JSON.stringify(everyMember([...REPORTER_MEMBERS, "errata", "message"], wrong)),
    status: 400,
  },
]);

/** Wrong types in every format except Sentry's. */
export const hostileMembers: readonly Hostile[] = [...browser, ...single];
