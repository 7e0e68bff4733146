/**
 * The codes of a report by which the logs find it besides its id, trace and Ray ID: the ids of its
 * request, the person whom it affected, and the beginning of its event id. They are read from the
 * report's body, so that nothing else stores them, and an erased report has none.
 */
import { asRecord, asText } from "../decode/as-type.ts";
import { limits } from "../limits.ts";
import type { Report } from "../report.ts";
import { REQUEST_ID_HEADERS } from "../request/header-allowlist.ts";
import { getSenderId } from "./report-id.ts";

/** A code of a report. */
export interface ReportCode {
  readonly kind: "request" | "person" | "event";
  /** In the spelling of `normalizeRequestId` or `normalizePerson`; the first eight hex digits. */
  readonly text: string;
}

/** The part of an event id that SDKs and pages show: `fc6d8c0c`. */
export const SHORT_EVENT_CHARS = 8;

type Source = Pick<Report, "id" | "eventId" | "request" | "tags" | "detail" | "side">;

/** The codes of a report: its event, then its request, then the person. */
export function listReportCodes(report: Source): readonly ReportCode[] {
  const event = getSenderId(report).slice(0, SHORT_EVENT_CHARS);
  const requests = unique(listRequestIds(report)).slice(0, limits.maxRequestIdsPerReport);
  const persons = unique(listPersons(report)).slice(0, limits.maxPersonsPerReport);
  return [
    { kind: "event", text: event },
    ...requests.map((text) => ({ kind: "request" as const, text })),
    ...persons.map((text) => ({ kind: "person" as const, text })),
  ];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

// Requests.

const REQUEST_HEADERS: ReadonlySet<string> = new Set([...REQUEST_ID_HEADERS, "traceparent"]);

/** Tags with such an id, without the marks between their words: `request_id`, `aws.requestId`. */
const REQUEST_TAG =
  /^(?:x|aws|http|vercel|cf|otel|dd)?(?:request|req|correlation|trace|transaction|invocation)id$/;

function listRequestIds({ request, tags = [] }: Source): readonly string[] {
  const ofHeaders = (request?.headers ?? []).filter(([name]) => REQUEST_HEADERS.has(name));
  const ofTags = tags.filter(([name]) =>
    REQUEST_TAG.test(name.toLowerCase().replace(/[^a-z]/g, "")),
  );
  return [...ofHeaders, ...ofTags].flatMap(([, value]) => normalizeRequestId(value) ?? []);
}

const MIN_REQUEST_ID_CHARS = 6;
const UUID = /^\{?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})\}?$/;

/**
 * An id of a request in one spelling: in lower case; a UUID without dashes; the trace of a
 * `traceparent`, of AWS and of Google without its other parts; a Vercel id without its regions.
 * Undefined for text that cannot be one.
 */
export function normalizeRequestId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  if (id.length < MIN_REQUEST_ID_CHARS || id.length > limits.maxAliasChars * 2) return undefined;
  const trace =
    /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(id)?.[1] ??
    /^([\da-f]{32})\/\d+(?:;o=\d)?$/.exec(id)?.[1] ??
    UUID.exec(id)?.slice(1).join("");
  if (trace !== undefined) return /^0+$/.test(trace) ? undefined : trace;
  const aws = /(?:^|root=)1-([\da-f]{8})-([\da-f]{24})(?:;|$)/.exec(id);
  if (aws !== null) return `${aws[1]}${aws[2]}`;
  const vercel = /^(?:[a-z]{3}\d::?)+([\da-z]{4,6}-\d{13}-[\da-f]{12})$/.exec(id)?.[1];
  const code = vercel ?? id;
  return /^[!-~]+$/.test(code) && /\d/.test(code) ? code : undefined;
}

// Persons.

const PERSON_MEMBERS = ["id", "email", "username"] as const;
const PERSON_TAG = /^(?:user|enduser)(?:id|email|name)?$/;

function listPersons({ detail, tags = [] }: Source): readonly string[] {
  const user = asRecord(asRecord(detail)?.user) ?? {};
  const ofTags = tags.filter(([name]) =>
    PERSON_TAG.test(name.toLowerCase().replace(/[^a-z]/g, "")),
  );
  const texts = [...PERSON_MEMBERS.map((name) => asText(user[name])), ...ofTags.map(([, v]) => v)];
  return texts.flatMap((text) => (text === undefined ? [] : (normalizePerson(text) ?? [])));
}

const MAX_PERSON_CHARS = 200;

/** An id, an email address or a name in one spelling: without its case. Undefined without text. */
export function normalizePerson(text: string): string | undefined {
  const person = text.normalize("NFC").trim().toLowerCase();
  return person === "" || person.length > MAX_PERSON_CHARS ? undefined : person;
}

/**
 * A text that the body of a report with this code contains in lower case, whatever the spelling:
 * the longest run of letters and digits, the end of a UUID.
 */
export function toStoredPart({ kind, text }: ReportCode): string {
  if (kind === "request" && /^[\da-f]{32}$/.test(text)) return text.slice(-12);
  const runs = text.match(/[a-z\d]+/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}
