/**
 * What each kind of tracker declares: how Errata creates, reads, closes, reopens and comments an
 * issue there, and what its webhooks say. One file per kind; `trackers.ts` lists them. Pure: a call
 * is a generator that yields requests and gets their answers.
 */
import { toInertLine } from "../alerts/formats/inert-text.ts";
import { asRecord } from "../decode/as-type.ts";
import type { ItemState } from "../issue/tracker-link.ts";
import { fail, ok, type Result } from "../result.ts";
import type { Tracker, TrackerKindName } from "./tracker.ts";
import { readList, readText, type TrackerEvent } from "./tracker-event.ts";
import type { TrackerDraft, TrackerText } from "./tracker-text.ts";

/** A request to the API of a tracker. */
export interface TrackerRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The answer; without a status if none arrived. `json` is undefined if it is no JSON. */
export interface TrackerAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly retryAfterMs?: number;
}

/**
 * Why a call failed. `unavailable`: the same call may succeed later; whether it had an effect is
 * unknown. `refused`: it has no effect, and will be refused again.
 */
export type TrackerFailure = FailureDetail &
  (
    | { readonly reason: "unavailable"; readonly retryAfterMs?: number }
    | { readonly reason: "refused" }
  );

/** A sentence without secrets. `own` is the part by Errata, if the rest quotes the service. */
interface FailureDetail {
  readonly detail: string;
  readonly own?: string;
  readonly status?: number;
}

/** Steps of a call. */
export type Exchange<T> = Generator<TrackerRequest, Result<T, TrackerFailure>, TrackerAnswer>;

/** An issue of a tracker. */
export interface TrackerItem {
  readonly item: string;
  readonly label: string;
  readonly url: string;
  readonly state: ItemState;
}

/** How a tracker signs its webhooks. */
export type HookSignature =
  /** Hexadecimal HMAC-SHA256 of the body in a header, after a prefix. */
  | { readonly scheme: "hmac"; readonly header: string; readonly prefix: string }
  /** The secret itself in a header. */
  | { readonly scheme: "token"; readonly header: string }
  /** Standard Webhooks 1.0.0: id, time and body, with the secret after `whsec_` in base64. */
  | { readonly scheme: "standard" };

/** The headers of Standard Webhooks. */
export const STANDARD_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/** Reads a header by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

export interface TrackerKind {
  readonly kind: TrackerKindName;
  /** The name of the service. */
  readonly label: string;
  /** The word for `project`, and an example. */
  readonly projectWord: string;
  readonly placeholder: string;
  /** The origin of the public service; absent if every team has its own. */
  readonly baseUrl?: string;
  /** True if teams can run it themselves. */
  readonly isSelfHosted: boolean;
  /** What the token must be able to do. */
  readonly tokenHint: string;
  /** What to select in the form of the webhook there. */
  readonly hookHint: string;
  /** True if the service creates the secret of the webhook. */
  readonly createsSecret?: true;
  /** The project as the service writes it; undefined for no project. */
  parseProject(text: string): string | undefined;
  /** The issue of a URL of this project; undefined for another URL. */
  toItem(tracker: TrackerPlace, url: URL): Pick<TrackerItem, "item" | "label"> | undefined;
  /** The name of the project there: the token can read it. */
  check(tracker: Tracker): Exchange<string>;
  create(tracker: Tracker, draft: TrackerDraft): Exchange<TrackerItem>;
  /** The issue that an earlier `create` of this draft made; undefined if there is none. */
  find(tracker: Tracker, draft: TrackerDraft): Exchange<TrackerItem | undefined>;
  read(tracker: Tracker, item: string): Exchange<ItemState>;
  setState(tracker: Tracker, item: string, state: ItemState): Exchange<void>;
  comment(tracker: Tracker, item: string, text: TrackerText): Exchange<void>;
  /** True if an earlier `comment` of this text arrived. */
  hasComment(tracker: Tracker, item: string, text: SentText): Exchange<boolean>;
  readonly signatures: readonly HookSignature[];
  /** Headers with the id of a delivery, in this order. */
  readonly deliveryHeaders: readonly string[];
  /** The header that names the event, if the body does not. */
  readonly eventHeader?: string;
  /** When the delivery was sent, if its body says so, ms. */
  readSentMs?(body: unknown): number | undefined;
  /** What a delivery says about this project; nothing for other events. */
  toEvents(tracker: TrackerPlace, readHeader: ReadHeader, body: unknown): readonly TrackerEvent[];
}

/** A text that may have been sent, and when at the earliest, ms. */
export interface SentText extends TrackerText {
  readonly sinceMs: number;
}

/** The members of a connection that URLs and webhooks are compared with. */
export type TrackerPlace = Pick<Tracker, "kind" | "project" | "baseUrl">;

/** Sends a request; the JSON of a success. */
export function* ask(request: TrackerRequest): Exchange<unknown> {
  return toResult(yield request);
}

/** A result of the answer's JSON; `refused` if `read` does not find what it needs. */
export function readResult<T>(json: unknown, read: (json: unknown) => T | undefined) {
  const found = read(json);
  return found === undefined
    ? fail({ reason: "refused" as const, detail: "The answer of the service has another form." })
    : ok(found);
}

const TEMPORARY_STATUSES = new Set([408, 425, 429]);

function toResult({ status, json, retryAfterMs }: TrackerAnswer): Result<unknown, TrackerFailure> {
  if (status === undefined)
    return fail({ reason: "unavailable", detail: "The service did not answer." });
  if (status >= 200 && status < 300) return ok(json);
  const own = describeStatus(status);
  const said = toInertLine(findMessage(json) ?? "", 200);
  const detail = said === "" ? own : `${own.slice(0, -1)}: ${said}`;
  const isTemporary = status >= 500 || TEMPORARY_STATUSES.has(status) || retryAfterMs !== undefined;
  if (isTemporary) return fail({ reason: "unavailable", detail, own, status, retryAfterMs });
  return fail({ reason: "refused", detail, own, status });
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: "The service does not accept the token",
  403: "The token may not do this",
  404: "The service does not know the project or the issue, or the token may not see it",
  410: "The issue was deleted, or issues are disabled",
  422: "The service does not accept the issue",
  429: "The service asks to wait",
};

/** `The service does not accept the token (401).` */
function describeStatus(status: number): string {
  const redirected = status >= 300 && status < 400 ? "The service redirects" : undefined;
  const text = redirected ?? STATUS_TEXTS[status] ?? "The service failed";
  return `${text} (${status}).`;
}

function findMessage(json: unknown): string | undefined {
  const [first] = readList(json, "errorMessages");
  const [error] = readList(json, "errors");
  return (
    readText(json, "message") ??
    readText(json, "error") ??
    (typeof first === "string" ? first : undefined) ??
    readText(error, "message") ??
    Object.values(asRecord(asRecord(json)?.errors) ?? {}).find((one) => typeof one === "string")
  );
}

/** Runs `next` with the value of a call, unless that failed. */
export function* andThen<T, U>(call: Exchange<T>, next: (value: T) => Exchange<U>): Exchange<U> {
  const first = yield* call;
  return first.ok ? yield* next(first.value) : first;
}

/** The URL of a connection without a `/` at its end. */
export function getBase({ baseUrl = "" }: TrackerPlace, publicUrl = ""): string {
  return (baseUrl || publicUrl).replace(/\/+$/, "");
}

/** The path of a URL below the base of a connection, in segments; undefined for another host. */
export function listSegments(base: string, url: URL): readonly string[] | undefined {
  const root = URL.parse(base);
  if (root === null || root.host !== url.host) return undefined;
  const prefix = root.pathname.replace(/\/$/, "");
  if (!url.pathname.startsWith(`${prefix}/`)) return undefined;
  return url.pathname
    .slice(prefix.length)
    .split("/")
    .filter((segment) => segment !== "");
}

/** True for equal names of projects: services compare them without case. */
export function isSameProject(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

export const ITEM_NUMBER = /^[1-9]\d{0,14}$/;
