/**
 * What a person decided about an issue, as a form or as JSON sends it: `state`, and for `resolved` a `release` or `next`, for
 * `ignored` a time `for` which (`1h`, `7d`) or a `count` of further occurrences. The same names in both.
 */
import type { Choice } from "../core/decision.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { ChoiceFailure } from "./failures.ts";
import { isPlain, isYes } from "./field-values.ts";
import { type Fields, readFields } from "./fields.ts";

/** The choice in the body of a request. Consumes the request. Never rejects. */
export async function readChoice(request: Request): Promise<Result<Choice, ChoiceFailure>> {
  const fields = await readFields(request);
  return fields.ok ? choiceOf(fields.value) : fields;
}

const A_STATE = "a state: open, resolved, ignored or muted";

/** The choice in fields that have nothing else in them. */
export function choiceOf(fields: Fields): Result<Choice, ChoiceFailure> {
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

function resolvedOf(fields: Fields): Result<Choice, ChoiceFailure> {
  const { release, next, ...others } = Object.fromEntries(fields);
  if (Object.keys(others).length > 1 || (release !== undefined && next !== undefined))
    return bad("beside the state resolved a release, or next, or nothing");
  if (next !== undefined)
    return isYes(next) ? ok({ state: "resolved", inNext: true }) : bad("next to be true");
  if (release === undefined) return ok({ state: "resolved" });
  return isPlain(release, limits.maxReleaseChars)
    ? ok({ state: "resolved", release })
    : bad(`a release of at most ${limits.maxReleaseChars} characters, no control characters`);
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
