/** `POST /hooks/<tracker>`: webhooks of trackers, without a session. */
import { trackerLimits } from "../../core/trackers/tracker.ts";
import { HOOK_HEADERS } from "../../core/trackers/trackers.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { RATE_LIMITED } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { readBody } from "../read-body.ts";
import { respondOrUnavailable } from "../unavailable.ts";

/**
 * Takes a webhook. 202 when its events are stored, also if there are none; 401 without a valid
 * signature, 404 for an unknown connection, 413 above 1 MB, 503 while the object of alerts is
 * unavailable.
 */
export async function receiveHook(c: AppContext): Promise<Response> {
  const services = c.get("services");
  // No browser sends webhooks.
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (!(await isNetworkWithinLimit(services, c.req.raw, "address")))
    return toFailureResponse(RATE_LIMITED);
  const id = c.req.param("tracker") ?? "";
  if (!/^[0-9a-f]{32}$/.test(id)) return toFailureResponse({ reason: "unknown-tracker" });
  const max = trackerLimits.maxHookBytes;
  const tooLarge = toFailureResponse({ reason: "too-large", limit: "maxHookBytes", max });
  if (Number(c.req.header("content-length")) > max) return tooLarge;
  const body = await readBody(c.req.raw);
  if (!body.ok) return toFailureResponse(body);
  if (body.value.length > max) return tooLarge;
  const headers = HOOK_HEADERS.flatMap((name) => {
    const value = c.req.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const delivery = { headers: Object.fromEntries(headers), body: Uint8Array.from(body.value) };
  return respondOrUnavailable(
    c,
    async () => {
      switch (await services.alerts.receiveHook(id, delivery)) {
        case "accepted":
          return c.json({ received: true }, 202);
        case "unknown":
          return toFailureResponse({ reason: "unknown-tracker" });
        case "unsigned":
          return toFailureResponse({ reason: "bad-signature" });
        case "not-json":
          return toFailureResponse({ reason: "bad-request", expected: "a body of JSON" });
        case "full":
          return toFailureResponse(RATE_LIMITED);
      }
    },
    "alerts",
  );
}
