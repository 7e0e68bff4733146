/** Whether a Sentry event was seen by a server or by a browser. */
import type { Side } from "../core/report.ts";
import { type Fields, recordOf, textOf } from "./decode.ts";

const SERVER_SDK =
  /^sentry\.javascript\.(?:node|cloudflare|vercel-edge|bun|deno|.*serverless|nest)/;

/** Platform `javascript` is the browser's, and also that of runtimes which are no Node; those name themselves. */
export function sideOf(fields: Fields): Side {
  if (textOf(fields.platform) !== "javascript") return "server";
  const sdk = textOf(recordOf(fields.sdk)?.name) ?? "";
  const runtime = recordOf(recordOf(fields.contexts)?.runtime)?.name;
  return SERVER_SDK.test(sdk) || textOf(runtime) !== undefined ? "server" : "browser";
}
