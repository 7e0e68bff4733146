/**
 * What `npm run deploy` asks a deployment. `GET /deployment.json` lets `npm run deploy` and `npm start` prove that an address is the
 * Errata that they deployed, before they send a secret or a source map to it.
 */

import { toHex } from "../../core/hex.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { NO_STORE } from "../security-headers.ts";
import { hasInsecureToken, readBearerToken } from "./authenticate.ts";

/**
 * `{"deployment":"<hex>","release":"…"}`: the SHA-256 of the hash in ERRATA_UPLOAD, which differs
 * in each deployment, and the release of Errata's own errors. 404 after the token has expired.
 */
export function serveDeployment(c: AppContext): Response | Promise<Response> {
  if (c.req.query("after") !== undefined) return serveObjects(c);
  const { config, sha256, nowMs } = c.get("services");
  const { upload, release } = config;
  if (upload === undefined || upload.expiresMs <= nowMs())
    return toFailureResponse({ reason: "not-found", what: "current deployment" });
  const deployment = toHex(sha256(upload.hash));
  return c.json({ deployment, release }, 200, { "Cache-Control": NO_STORE });
}

/**
 * `GET /deployment.json?after=0`, with the upload token of the deployment: opens some
 * objects, which migrates their data, and returns their versions. The first call records in KV
 * which code may work with the data.
 */
async function serveObjects(c: AppContext): Promise<Response> {
  if (hasInsecureToken(c)) return toFailureResponse({ reason: "https-required" });
  const { config, sha256, nowMs, dataVersions } = c.get("services");
  const { upload } = config;
  const hash = toHex(sha256(readBearerToken(c) ?? ""));
  if (upload?.hash !== hash || upload.expiresMs <= nowMs())
    return toFailureResponse({ reason: "unauthenticated" });
  const after = Math.max(0, Number.parseInt(c.req.query("after") ?? "0", 10) || 0);
  if (after === 0) await dataVersions.record();
  const opened = await dataVersions.open(after);
  return c.json(opened, 200, { "Cache-Control": NO_STORE });
}
