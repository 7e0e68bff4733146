/**
 * What a person decided about an issue, as a form or as JSON sends it: `state`, and for `resolved` a `release` or `next`, for
 * `ignored` a time `for` which (`1h`, `7d`) or a `count` of further occurrences. The same names in both.
 */
import type { Choice } from "../core/decision.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { type BodyFailure, readBody } from "./body.ts";

/** Why a body is no choice. */
export type ChoiceFailure =
  | Exclude<BodyFailure, { readonly reason: "empty" }>
  | { readonly reason: "too-large"; readonly limit: "maxDecisionBytes"; readonly max: number }
  | { readonly reason: "bad-media-type"; readonly expected: string }
  | { readonly reason: "bad-choice"; readonly expected: string };

type Fields = ReadonlyMap<string, unknown>;

/** The choice in the body of a request, at most `limits.maxDecisionBytes` bytes. Consumes the request. Never rejects. */
export async function readChoice(request: Request): Promise<Result<Choice, ChoiceFailure>> {
  const body = await readBody(request);
  if (!body.ok) return body.reason === "empty" ? bad(A_STATE) : body;
  const max = limits.maxDecisionBytes;
  if (body.value.length > max) return fail({ reason: "too-large", limit: "maxDecisionBytes", max });
  const fields = fieldsOf(mediaTypeOf(request), new TextDecoder().decode(body.value));
  return fields.ok ? choiceOf(fields.value) : fields;
}

/** The media type of a request's body, in lower case and without its parameters: `application/json`. */
export function mediaTypeOf({ headers }: Pick<Request, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1).join().trim().toLowerCase();
}

/** What was sent, by name. A field that was left empty was not sent. */
function fieldsOf(type: string, text: string): Result<Fields, ChoiceFailure> {
  switch (type) {
    case "application/x-www-form-urlencoded": {
      const sent = [...new URLSearchParams(text)];
      const fields = new Map(sent);
      return fields.size === sent.length ? ok(filledIn(fields)) : bad("each field once");
    }
    case "application/json": {
      const json = parsed(text);
      if (typeof json !== "object" || json === null || Array.isArray(json))
        return bad("a JSON object");
      return ok(filledIn(new Map<string, unknown>(Object.entries(json))));
    }
    default: {
      const expected = "the Content-Type application/x-www-form-urlencoded or application/json";
      return fail({ reason: "bad-media-type", expected });
    }
  }
}

function filledIn(fields: Fields): Fields {
  const isEmpty = (value: unknown) => value === "" || value === null || value === false;
  return new Map([...fields].filter(([, value]) => !isEmpty(value)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const A_STATE = "a state: open, resolved, ignored or muted";

function choiceOf(fields: Fields): Result<Choice, ChoiceFailure> {
  const state = fields.get("state");
  switch (state) {
    case "open":
    case "muted":
      return fields.size === 1 ? ok({ state }) : bad("nothing beside the state open or muted");
    case "resolved":
      return resolvedOf(fields);
    case "ignored":
      return ignoredOf(fields);
    default:
      return bad(A_STATE);
  }
}

const TRUE: ReadonlySet<unknown> = new Set([true, "true", "1", "on"]);

function resolvedOf(fields: Fields): Result<Choice, ChoiceFailure> {
  const { release, next, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 1 || (release !== undefined && next !== undefined))
    return bad("beside the state resolved a release, or next, or nothing");
  if (next !== undefined)
    return TRUE.has(next) ? ok({ state: "resolved", inNext: true }) : bad("next to be true");
  if (release === undefined) return ok({ state: "resolved" });
  return isReleaseName(release)
    ? ok({ state: "resolved", release })
    : bad(`a release of at most ${limits.maxReleaseChars} characters, no control characters`);
}

function isReleaseName(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= limits.maxReleaseChars && !/\p{Cc}/u.test(value)
  );
}

function ignoredOf(fields: Fields): Result<Choice, ChoiceFailure> {
  const { for: time, count, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 1)
    return bad("beside the state ignored a time (for), a count, or nothing");
  const forMs = durationMsOf(time);
  if (time !== undefined && forMs === undefined)
    return bad(`a time of whole hours or days, 1h to ${limits.maxIgnoredDays}d`);
  const forCount = numberOf(count);
  if (count !== undefined && forCount === undefined)
    return bad(`a count, a whole number from 1 to ${limits.maxIgnoredCount}`);
  return ok({ state: "ignored", ...present({ forMs, forCount }) });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `1h`, `7d`, in ms. */
function durationMsOf(value: unknown): number | undefined {
  const [, number, unit] = (typeof value === "string" && /^(\d{1,4})([hd])$/.exec(value)) || [];
  const ms = Number(number) * (unit === "h" ? HOUR_MS : DAY_MS);
  return ms > 0 && ms <= limits.maxIgnoredDays * DAY_MS ? ms : undefined;
}

/** A whole number, also as a form writes it. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  const isCount = typeof number === "number" && Number.isSafeInteger(number) && number > 0;
  return isCount && number <= limits.maxIgnoredCount ? number : undefined;
}

function bad(expected: string): Result<never, ChoiceFailure> {
  return fail({ reason: "bad-choice", expected });
}
