/**
 * Describes a thrown value as a report in the format of Errata's reporter, and gives the report its
 * digest. Ingest parses and groups the report with the same modules, so the digest that a visitor
 * was shown and the issue where the report lands are the same.
 */

import { findOwnIssue } from "../core/processing/own-issue.ts";
import { hasProperties, readProperty } from "../core/read-property.ts";
import { describeErrorText } from "../core/report/stacks/describe-error.ts";
import type { Json, ParsedReport } from "../core/report.ts";
import { filterHeaders } from "../core/request/header-allowlist.ts";
import { scrubReport } from "../core/scrubbing/scrub.ts";
import { truncateJson } from "../core/truncate.ts";
import { parseReporterBody } from "../ingest/browser/errata-reporter.ts";
import { listHeaders } from "../ingest/decode/pairs.ts";
import { sha256 } from "./sha256.ts";

/** A request as a framework describes it. Headers are an object, pairs or `Headers`. */
export interface RequestFacts {
  readonly method?: string | undefined;
  /** Absolute, or the path. */
  readonly url?: string | undefined;
  readonly headers?: unknown;
}

/** What a framework knows of a failure besides the thrown value. */
export interface Facts {
  /** The part of the framework that failed, one word: `render`, `loader`, `action`. */
  readonly how?: string;
  readonly request?: RequestFacts | undefined;
  /** The pattern of the route, `/cart/:id`. */
  readonly route?: string | undefined;
  /** The status of the response. */
  readonly status?: number | undefined;
  /** The trace id of the request, 32 hexadecimal digits. */
  readonly trace?: string | undefined;
  readonly componentStack?: string | undefined;
  /** Codes that the framework gives the failure. A lookup of one finds the report. */
  readonly aliases?: readonly string[] | undefined;
  readonly tags?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A report on the wire. Its members are those of `ingest/browser/errata-reporter.ts`. */
export interface WireReport {
  readonly id: string;
  readonly digest: string;
  readonly [member: string]: unknown;
}

/** The identity of a report. */
export interface ReportIdentity {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly atMs: number;
}

/**
 * The scrubbed report of a thrown value, with the digest of its own grouping. Throws only if a
 * getter of `facts` does.
 */
export function createWireReport(
  thrown: unknown,
  facts: Facts,
  { id, atMs }: ReportIdentity,
): WireReport {
  const { how = "server", route, status, trace, componentStack, tags } = facts;
  const draft = {
    errata: 1,
    id,
    how,
    side: "server",
    at: atMs,
    ...describeErrorText(thrown),
    ...(thrown instanceof Response && { message: `${thrown.status} ${thrown.statusText}`.trim() }),
    request: describeRequest(facts.request),
    route,
    status,
    componentStack,
    // Their names tell which values are secret, as in the `detail` of a report.
    detail: { fields: listOwnFields(thrown), tags },
  };
  const { detail, ...members } = scrubReport(draft as unknown as ParsedReport).value;
  const codes = { trace, aliases: facts.aliases, debugIds: listDebugIds(thrown) };
  const report = { ...members, ...(detail as Record<string, Json>), ...codes };
  return { ...report, id, digest: computeDigest(report) };
}

/** The digest that ingest computes for the report. */
function computeDigest(report: object): string {
  const [item] = parseReporterBody(report);
  if (item === undefined || !("report" in item)) throw new TypeError("Ingest refuses the report.");
  return findOwnIssue(scrubReport(item.report).value, sha256).digest;
}

/** Members that a report has anyway. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...["name", "message", "stack", "cause", "errors", "digest"],
]);
const FIELD_LIMITS = { maxDepth: 3, maxMembers: 20, maxStringChars: 500, maxValues: 100 };

/** The own enumerable members of an error: `code`, `status`. Undefined if it has none. */
function listOwnFields(thrown: unknown): Json | undefined {
  if (!hasProperties(thrown) || typeof readProperty(thrown, "stack") !== "string") return undefined;
  const fields: Record<string, Json> = {};
  for (const name of listNames(thrown).slice(0, FIELD_LIMITS.maxMembers)) {
    const value = readProperty(thrown, name);
    if (KNOWN_FIELDS.has(name) || value === undefined || typeof value === "function") continue;
    fields[name] = truncateJson(value, FIELD_LIMITS).value;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function listNames(target: object): readonly string[] {
  try {
    return Object.keys(target);
  } catch {
    return [];
  }
}

function describeRequest(request: RequestFacts | undefined): Json | undefined {
  if (request === undefined) return undefined;
  const headers = filterHeaders(toHeaderPairs(request.headers));
  return { method: request.method ?? null, url: request.url ?? null, headers };
}

/** `Headers` of any realm, or what Node's requests have: an object whose values may be lists. */
function toHeaderPairs(headers: unknown): readonly (readonly [string, string])[] {
  const isIterable = typeof readProperty(headers, Symbol.iterator) === "function";
  return listHeaders(isIterable ? [...(headers as Iterable<unknown>)] : headers);
}

const MAX_DEBUG_IDS = 20;

/**
 * The debug ids of the scripts in an error's stack, as the bundler keeps them: the stack of each
 * script's first statement, and its id. Turbopack uses the first name, sentry-cli the second.
 */
function listDebugIds(thrown: unknown): Json | undefined {
  const stack = readProperty(thrown, "stack");
  if (typeof stack !== "string") return undefined;
  const found: Record<string, Json> = {};
  for (const name of ["_debugIds", "_sentryDebugIds"]) {
    const ids = readProperty(globalThis, name);
    if (!hasProperties(ids)) continue;
    for (const [from, id] of Object.entries(ids)) {
      const file = /(?:\(|at |@)((?:[^\s()]|\s(?!at ))+?):\d+:\d+\)?\s*$/m.exec(from)?.[1];
      if (file === undefined || typeof id !== "string" || !stack.includes(file)) continue;
      found[from] = id;
      if (Object.keys(found).length === MAX_DEBUG_IDS) return found;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}
