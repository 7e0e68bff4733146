/**
 * One request of the alert sender. Redirects are not followed: they could lead to an address that
 * the rules for targets refuse.
 */
import type { ServiceAnswer } from "../../../core/alerts/destinations/delivery-result.ts";

const TIMEOUT_MS = 10_000;
/** How long the body of a response may take. The status tells most. */
const BODY_TIMEOUT_MS = 1_000;
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 2_048;

/** A `POST`, unless it says otherwise. */
export interface OutgoingRequest {
  readonly method?: "GET" | "POST" | undefined;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/**
 * Sends the request and reads the beginning of the answer: at most ten seconds until the headers,
 * and then a second for the body.
 */
export async function sendRequest(
  { method = "POST", url, headers, body }: OutgoingRequest,
  context: { readonly fetch: typeof fetch; readonly nowMs: number; readonly signal?: AbortSignal },
): Promise<ServiceAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = context.signal ? AbortSignal.any([timeout, context.signal]) : timeout;
  const { fetch } = context;
  try {
    const response = await fetch(url, {
      method,
      headers: { "user-agent": "Errata", ...headers },
      ...(method === "POST" && { body }),
      redirect: "manual",
      signal,
    });
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), context.nowMs);
    return {
      status: response.status,
      ...(await readBeginning(response.body, signal)),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } catch {
    // The text of a network error can contain the URL, which is a secret.
    return { text: timeout.aborted ? "No answer within 10 seconds." : "The connection failed." };
  }
}

/**
 * The first bytes as text. Of a body that stops or hangs, the text that arrived, which is not
 * complete.
 */
async function readBeginning(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<Pick<ServiceAnswer, "text" | "isComplete">> {
  if (body === null) return { text: "" };
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = new AbortController();
  const stopped = new Promise<"stopped">((resolve) => {
    const onStop = () => resolve("stopped");
    timer = setTimeout(onStop, BODY_TIMEOUT_MS);
    signal.addEventListener("abort", onStop, { once: true, signal: stop.signal });
  });
  const decoder = new TextDecoder();
  let text = "";
  let isComplete = true;
  try {
    for (let bytes = 0; bytes < MAX_ANSWER_BYTES; ) {
      const read = await Promise.race([reader.read(), stopped]);
      if (read === "stopped") isComplete = false;
      if (read === "stopped" || read.done) break;
      text += decoder.decode(read.value.subarray(0, MAX_ANSWER_BYTES - bytes), { stream: true });
      bytes += read.value.length;
    }
  } catch {
    // The status has arrived and is enough.
    isComplete = false;
  }
  clearTimeout(timer);
  stop.abort();
  void reader.cancel().catch(() => undefined);
  return { text, isComplete };
}

/** Seconds or an HTTP date (RFC 9110 § 10.2.3), in ms from `nowMs`; undefined if it is neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
  const afterMs = seconds === undefined ? Date.parse(value) - nowMs : seconds * 1_000;
  return Number.isFinite(afterMs) ? Math.max(0, Math.ceil(afterMs)) : undefined;
}
