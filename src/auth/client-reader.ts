/**
 * Reads the metadata of a program from the address that identifies it. A stranger chose the
 * address, so the rules for targets of alerts apply, and redirects are not followed.
 */
import { parseTarget } from "../core/alerts/destinations/target-address.ts";
import { parseJson } from "../core/decode/parse-json.ts";
import { limits } from "../core/limits.ts";
import {
  type Client,
  type ClientFailure,
  decodeClientMetadata,
  parseClientId,
  refuseClient,
} from "../core/oauth/client-metadata.ts";
import type { Result } from "../core/result.ts";

/** How long the whole document may take, ms. */
const TIMEOUT_MS = 10_000;

/** The program with this `client_id`. Never rejects. `ownHost` is the host of Errata. */
export type ReadClient = (
  clientId: string,
  ownHost: string,
) => Promise<Result<Client, ClientFailure>>;

/** A reader. `allowedTargets` are hosts with ports that may be private, as for alerts. */
export function createClientReader({
  fetch,
  allowedTargets,
}: {
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly allowedTargets: readonly string[];
}): ReadClient {
  return async (clientId, ownHost) => {
    if (parseClientId(clientId) === null)
      return refuseClient("Its client_id is not the URL of a Client ID Metadata Document.");
    const target = parseTarget(clientId, allowedTargets, ownHost);
    if (!target.ok) return refuseClient(`Its client_id is not allowed. ${target.detail}`);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(target.value, {
        headers: { accept: "application/json", "user-agent": "Errata" },
        redirect: "manual",
        signal,
      });
      return await readDocument(response, clientId, signal);
    } catch {
      return refuseClient(
        signal.aborted
          ? "Its metadata did not arrive within 10 seconds."
          : "Its metadata cannot be read: the connection failed.",
      );
    }
  };
}

async function readDocument(
  response: Response,
  clientId: string,
  signal: AbortSignal,
): Promise<Result<Client, ClientFailure>> {
  const { status, headers, body } = response;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers.get("content-type") ?? "");
  if (status !== 200 || !isJson || body === null) {
    await body?.cancel();
    return refuseClient("Its metadata cannot be read: expected status 200 and JSON.");
  }
  const bytes = await readAtMost(body, limits.maxClientMetadataBytes, signal);
  if (bytes === null)
    return refuseClient(`Its metadata is larger than ${limits.maxClientMetadataBytes} bytes.`);
  const json = parseJson(bytes, limits.maxClientMetadataBytes);
  return decodeClientMetadata(json.ok ? json.value : undefined, clientId);
}

/** The bytes of a body; null if there are more than `max`. Rejects at the time limit. */
async function readAtMost(
  body: ReadableStream<Uint8Array>,
  max: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const reader = body.getReader();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const bytes = new Uint8Array(max);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return bytes.subarray(0, length);
      if (length + value.length > max) return null;
      bytes.set(value, length);
      length += value.length;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
