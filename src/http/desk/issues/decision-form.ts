/**
 * Parses a decision about an issue: `state`, with `release` or `inNextRelease` for `resolved`, and
 * `duration` (`1h`, `7d`) or a `count` of further occurrences for `ignored`. Forms and JSON use the
 * same names.
 */

import type { DecisionInput } from "../../../core/issue/decision.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { isPlainText } from "../../../core/plain-text.ts";
import { ok } from "../../../core/result.ts";
import { DAY_MS, HOUR_MS } from "../../../core/utc-time.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { isTrueValue } from "../../forms/validators.ts";

const EXPECTED_STATE = "a state: open, resolved, ignored or muted";

/** Parses a decision from fields that contain nothing else. */
export function parseDecisionForm(fields: FormFields): Parsed<DecisionInput> {
  const state = fields.get("state");
  switch (state) {
    case "open":
    case "muted":
      return fields.size === 1
        ? ok({ state })
        : expected("only the field state for open and muted");
    case "resolved":
      return parseResolved(fields);
    case "ignored":
      return parseIgnored(fields);
    default:
      return expected(EXPECTED_STATE);
  }
}

function parseResolved(fields: FormFields): Parsed<DecisionInput> {
  const { release, inNextRelease, ...unexpected } = Object.fromEntries(fields);
  if (Object.keys(unexpected).length > 1 || (release !== undefined && inNextRelease !== undefined))
    return expected("at most one of release and inNextRelease for resolved");
  if (inNextRelease !== undefined)
    return isTrueValue(inNextRelease)
      ? ok({ state: "resolved", inNextRelease: true })
      : expected("inNextRelease to be true");
  if (release === undefined) return ok({ state: "resolved" });
  return isPlainText(release, limits.maxReleaseChars)
    ? ok({ state: "resolved", release })
    : expected(
        `a release of at most ${limits.maxReleaseChars} characters, without control characters`,
      );
}

function parseIgnored(fields: FormFields): Parsed<DecisionInput> {
  const { duration, count, ...unexpected } = Object.fromEntries(fields);
  if (Object.keys(unexpected).length > 1)
    return expected("only the fields state, duration and count for ignored");
  const forMs = parseDurationMs(duration);
  if (duration !== undefined && forMs === undefined)
    return expected(`duration in whole hours or days, from 1h to ${limits.maxIgnoredDays}d`);
  const forCount = parseCount(count);
  if (count !== undefined && forCount === undefined)
    return expected(`count to be a whole number from 1 to ${limits.maxIgnoredCount}`);
  return ok({ state: "ignored", ...omitUndefined({ forMs, forCount }) });
}

/** `1h` or `7d` in milliseconds. */
function parseDurationMs(value: unknown): number | undefined {
  const [, number, unit] = (typeof value === "string" && /^(\d{1,4})([hd])$/.exec(value)) || [];
  const ms = Number(number) * (unit === "h" ? HOUR_MS : DAY_MS);
  return ms > 0 && ms <= limits.maxIgnoredDays * DAY_MS ? ms : undefined;
}

/** An integer, as a number or as text. */
function parseCount(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  const isCount = typeof number === "number" && Number.isSafeInteger(number) && number > 0;
  return isCount && number <= limits.maxIgnoredCount ? number : undefined;
}
