/**
 * `GET /deployment.json`: lets `npm run deploy` and `npm start` prove that an address is the
 * Errata that they deployed, before they send a secret or a source map to it.
 */

import { toHex } from "../core/hex.ts";
import type { AppContext } from "./context.ts";
import { toFailureResponse } from "./failure-response.ts";
import { NO_STORE } from "./security-headers.ts";

/**
 * `{"deployment":"<hex>","release":"…"}`: the SHA-256 of the hash in ERRATA_UPLOAD, which differs
 * in each deployment, and the release of Errata's own errors. 404 after the token has expired.
 */
export function serveDeployment(c: AppContext): Response {
  const { config, sha256, nowMs } = c.get("services");
  const { upload, release } = config;
  if (upload === undefined || upload.expiresMs <= nowMs())
    return toFailureResponse({ reason: "not-found", what: "current deployment" });
  const deployment = toHex(sha256(upload.hash));
  return c.json({ deployment, release }, 200, { "Cache-Control": NO_STORE });
}
