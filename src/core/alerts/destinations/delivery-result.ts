/**
 * The result of one attempt to deliver an alert message: the meaning of the answer of a service, and
 * when the next attempt is due. Pure.
 */
import { alertLimits } from "../alert-limits.ts";
import { toInertLine } from "../formats/inert-text.ts";

/**
 * `answer` is at most 200 characters of the response, for owners; with `isOwn`, it is a sentence of
 * Errata. `retry`: the next attempt is not
 * before `afterMs` from now, if the service named a time. `failed`: this message cannot be
 * delivered. `gone`: the service says in its own words that the destination does not exist, or
 * rejects every message. A status alone can come from a proxy before the service.
 */
export type DeliveryResult =
  | { readonly kind: "delivered"; readonly status: number; readonly answer?: string }
  | {
      readonly kind: "retry";
      readonly status?: number;
      readonly afterMs?: number;
      /** The subject of a refusal: only this message, or every message to the destination. */
      readonly refused?: "message" | "destination";
      /** The message has failed after this many attempts; absent for the whole schedule. */
      readonly maxAttempts?: number;
      readonly answer: string;
      readonly isOwn?: true;
    }
  | {
      readonly kind: "failed" | "gone";
      readonly status?: number;
      readonly answer: string;
      readonly isOwn?: true;
    };

/** What became of an attempt, in a sentence of Errata: it quotes nothing of a service. */
export function describeResult(result: DeliveryResult): string {
  const { kind, status } = result;
  if (kind === "delivered") return "The service accepted the message.";
  if (result.isOwn) return result.answer;
  if (kind === "gone") return "The service says that it no longer accepts messages.";
  if (status === undefined) return "The service refused the message.";
  if (status < 300) return "The service answered, but did not accept the message.";
  return status < 400
    ? "The service redirects. Redirects are not followed."
    : `The service answered with status ${status}.`;
}

/** The answer of a service; `status` is absent if no response arrived. */
export interface ServiceAnswer {
  readonly status?: number;
  /** The beginning of the body, or why there is none. */
  readonly text: string;
  /** `Retry-After`, ms from now. */
  readonly retryAfterMs?: number;
  /** False if the body did not arrive in time. */
  readonly isComplete?: boolean;
}

/** How the answers of a service differ from those of others. */
export interface AnswerRules {
  /** True if an answer means that the destination no longer exists. */
  isGone?(status: number, text: string): boolean;
  /** True if the body of a 2xx refuses the message; `success` is what its JSON states. */
  isRefused?(body: string, success: boolean | undefined): boolean;
  /** The status that a body states instead of the response. */
  findStatus?(text: string): number | undefined;
  /** True if the body names the seconds until the next attempt, more exactly than the header. */
  readonly hasRetryAfter?: true;
  /** True for a service with limits per minute, whose pauses are short. */
  readonly isChat?: true;
  /** True if the status alone says whether the message was accepted. */
  readonly isStatusEnough?: true;
  /** True if receivers ask for another attempt by every status but 410. */
  readonly retriesAll?: true;
}

const MAX_SHOWN_CHARS = 200;
/** Statuses of temporary failures: request timeout, too early, too many requests. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);
/** Statuses with which a service, or a proxy in front of it, refuses every message. */
const REFUSING_STATUSES = new Set([401, 403, 404, 410]);
/** Statuses of a request whose body is refused. */
const MESSAGE_STATUSES = new Set([400, 413, 422]);

/** The result of an attempt. `secrets` are removed from the shown answer. */
export function interpretResponse(
  rules: AnswerRules,
  { status, text, retryAfterMs, isComplete = true }: ServiceAnswer,
  secrets: readonly string[],
): DeliveryResult {
  const answer = describeAnswer(text, secrets);
  if (status === undefined) return { kind: "retry", answer, isOwn: true };
  const actual = rules.findStatus?.(text) ?? status;
  if (actual >= 200 && actual < 300) {
    // The status is enough if the body does not arrive.
    if (!isComplete || !isRefusedInside(rules, text)) return { kind: "delivered", status, answer };
    return { kind: "retry", status, answer: describeAnswer(`Not accepted: ${text}`, secrets) };
  }
  if (actual >= 300 && actual < 400) {
    const redirected = `Redirects are not followed. ${answer}`.trim();
    const { maxRedirectAttempts: maxAttempts } = alertLimits;
    return { kind: "retry", status, answer: redirected, maxAttempts };
  }
  if (actual < 500 && rules.isGone?.(actual, text) === true)
    return { kind: "gone", status, answer };
  if (rules.retriesAll !== true && actual < 500) {
    if (REFUSING_STATUSES.has(actual))
      return { kind: "retry", status, answer, refused: "destination" };
    if (!TEMPORARY_STATUSES.has(actual)) return { kind: "failed", status, answer };
  }
  const afterMs = (rules.hasRetryAfter && findRetryAfter(text)) || retryAfterMs;
  const maxMs = rules.isChat === true ? alertLimits.maxChatPauseMs : alertLimits.maxPauseMs;
  return {
    kind: "retry",
    status,
    afterMs: afterMs === undefined ? undefined : Math.min(afterMs, maxMs),
    ...(MESSAGE_STATUSES.has(actual) && { refused: "message" as const }),
    answer,
  };
}

/**
 * True if a service refused the message in the body of a 2xx response, or if a page, such as that
 * of a sign-in, was sent in place of the service's answer.
 */
function isRefusedInside({ isStatusEnough, isRefused }: AnswerRules, text: string): boolean {
  if (isStatusEnough === true) return false;
  const body = text.trim();
  if (body.startsWith("<")) return true;
  const success = findSuccess(body);
  return isRefused?.(body, success) ?? success === false;
}

/** The member `success` or `ok` of a JSON object; undefined without one. */
function findSuccess(body: string): boolean | undefined {
  if (!body.startsWith("{")) return undefined;
  try {
    const { success, ok } = JSON.parse(body) as { readonly success?: unknown; ok?: unknown };
    const stated = success ?? ok;
    return typeof stated === "boolean" ? stated : undefined;
  } catch {
    // Only the beginning of a long answer was read.
    return undefined;
  }
}

function findRetryAfter(text: string): number | undefined {
  const [, seconds] = /"retry_after"\s*:\s*(\d{1,9}(?:\.\d+)?)/.exec(text) ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

function describeAnswer(text: string, secrets: readonly string[]): string {
  const shown = [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return toInertLine(shown, MAX_SHOWN_CHARS);
}

/** The delays after the first attempt, the second one, and so on, ms. */
const RETRY_DELAYS_MS = [
  5_000,
  60_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  6 * 3_600_000,
  12 * 3_600_000,
] as const;

const JITTER = 0.2;

/**
 * The delay after `attempts` failed attempts, at least `afterMs`; null after the last attempt.
 * `random` is between 0 and 1: the delay varies by 20 %, so that messages do not arrive together.
 */
export function getRetryDelayMs(attempts: number, random: number, afterMs = 0): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  return Math.round(Math.max(delayMs * (1 - JITTER + 2 * JITTER * random), afterMs));
}
