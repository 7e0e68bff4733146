/**
 * One request of the alert sender. Redirects are not followed: they could lead to an address that
 * the rules for targets refuse.
 */

const TIMEOUT_MS = 10_000;
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 2_048;

/** A `POST`. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** The answer of a service; `status` is absent if no response arrived. */
export interface ServiceAnswer {
  readonly status?: number;
  /** The beginning of the body, or why there is none. */
  readonly text: string;
  /** `Retry-After`, ms from now. */
  readonly retryAfterMs?: number;
}

/** Sends the request and reads the beginning of the answer, at most ten seconds in all. */
export async function sendRequest(
  { url, headers, body }: OutgoingRequest,
  context: { readonly fetch: typeof fetch; readonly nowMs: number; readonly signal?: AbortSignal },
): Promise<ServiceAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = context.signal ? AbortSignal.any([timeout, context.signal]) : timeout;
  const { fetch } = context;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "user-agent": "Errata", ...headers },
      body,
      redirect: "manual",
      signal,
    });
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), context.nowMs);
    return {
      status: response.status,
      text: await readBeginning(response.body, signal),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } catch {
    // The text of a network error can contain the URL, which is a secret.
    return { text: timeout.aborted ? "No answer within 10 seconds." : "The connection failed." };
  }
}

/** The first bytes as text. Of a body that stops or hangs, the text that arrived. */
async function readBeginning(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < MAX_ANSWER_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, MAX_ANSWER_BYTES - bytes), { stream: true });
      bytes += value.length;
    }
  } catch {
    // The status has arrived and is enough.
  }
  signal.removeEventListener("abort", cancel);
  cancel();
  return text;
}

/** Seconds or an HTTP date (RFC 9110 § 10.2.3), in ms from `nowMs`; undefined if it is neither. */
function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
  const afterMs = seconds === undefined ? Date.parse(value) - nowMs : seconds * 1_000;
  return Number.isFinite(afterMs) ? Math.max(0, Math.ceil(afterMs)) : undefined;
}
