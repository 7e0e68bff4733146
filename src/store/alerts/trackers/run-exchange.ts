/**
 * Runs the steps of a call to a tracker. Redirects are not followed, and addresses are checked
 * before every request: see `core/alerts/destinations/target-address.ts`.
 */
import type { TargetRules } from "../../../core/alerts/destinations/destination-kind.ts";
import { parseJsonText } from "../../../core/decode/parse-json.ts";
import { fail, type Result } from "../../../core/result.ts";
import { isSealed, LOST_SECRET } from "../../../core/secrets/sealed-text.ts";
import type { Tracker } from "../../../core/trackers/tracker.ts";
import type {
  Exchange,
  TrackerAnswer,
  TrackerFailure,
  TrackerRequest,
} from "../../../core/trackers/tracker-kind.ts";
import { checkTrackerUrl } from "../../../core/trackers/trackers.ts";
import { parseRetryAfter } from "../send/send-request.ts";

const TIMEOUT_MS = 10_000;
/** A list of fifty issues with long texts. */
const MAX_ANSWER_BYTES = 5_000_000;

/** The environment of a call. */
export interface CallContext extends TargetRules {
  readonly fetch: typeof fetch;
  readonly nowMs: () => number;
}

/** The result of the last step. Never rejects. Secrets are removed from the answers. */
export async function runExchange<T>(
  tracker: Tracker,
  exchange: Exchange<T>,
  context: CallContext,
): Promise<Result<T, TrackerFailure>> {
  if (isSealed(tracker.token)) return fail({ reason: "refused", detail: LOST_SECRET });
  const checked = checkTrackerUrl(tracker, context);
  if (!checked.ok) return fail({ reason: "refused", detail: checked.detail });
  let step = exchange.next();
  while (!step.done) step = exchange.next(await sendRequest(step.value, tracker, context));
  return step.value;
}

async function sendRequest(
  { method, url, headers, body }: TrackerRequest,
  tracker: Tracker,
  { fetch, nowMs }: CallContext,
): Promise<TrackerAnswer> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        "user-agent": "Errata",
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(json !== undefined && { body: json }),
      redirect: "manual",
      signal,
    });
    const { status } = response;
    const retryAfterMs = status < 400 ? undefined : findPause(response.headers, nowMs());
    const sent = await readText(response, signal);
    // Before a detail is cut: a service may repeat what it got.
    const text = sent && hideSecrets(sent, tracker, headers);
    const read = text === undefined || text === "" ? undefined : parseJsonText(text);
    // Without its answer, the effect of a request is unknown.
    const isUnread = text === undefined || (text !== "" && read === undefined);
    const isMissing = status < 300 && (isUnread || (method === "GET" && read === undefined));
    return isMissing
      ? {}
      : { status, json: read, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch {
    // The text of a network error can contain the URL.
    return {};
  }
}

/** `Retry-After`, or the end of GitHub's limit, ms from now. */
function findPause(headers: Headers, nowMs: number): number | undefined {
  const afterMs = parseRetryAfter(headers.get("retry-after"), nowMs);
  if (afterMs !== undefined || headers.get("x-ratelimit-remaining") !== "0") return afterMs;
  const resetMs = Number(headers.get("x-ratelimit-reset")) * 1_000;
  return Number.isFinite(resetMs) ? Math.max(0, resetMs - nowMs) : undefined;
}

/** The body; undefined if it is too long or stops. */
async function readText(response: Response, signal: AbortSignal): Promise<string | undefined> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const onAbort = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return signal.aborted ? undefined : text + decoder.decode();
}

function hideSecrets(
  text: string,
  { token, secret = token }: Tracker,
  { authorization = token }: TrackerRequest["headers"],
): string {
  // Jira gets the token in base64.
  const credential = authorization.replace(/^Basic /, "");
  return [credential, token, secret].reduce((rest, one) => rest.replaceAll(one, "…"), text);
}
