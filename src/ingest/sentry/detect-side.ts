/** Detects whether a Sentry event comes from a server or a browser. */

import { asRecord, asText, type JsonFields } from "../../core/decode/as-type.ts";
import type { Side } from "../../core/report.ts";

const SERVER_SDK =
  /^sentry\.javascript\.(?:node|cloudflare|vercel-edge|bun|deno|.*serverless|nest)/;

/**
 * The side of a Sentry event. The platform `javascript` means a browser, or a server runtime other
 * than Node; such runtimes name themselves in the SDK or in the context `runtime`.
 */
export function detectSide(fields: JsonFields): Side {
  if (asText(fields.platform) !== "javascript") return "server";
  const sdk = asText(asRecord(fields.sdk)?.name) ?? "";
  const runtime = asRecord(asRecord(fields.contexts)?.runtime)?.name;
  return SERVER_SDK.test(sdk) || asText(runtime) !== undefined ? "server" : "browser";
}
