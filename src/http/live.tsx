/** `/live`: what arrives now, as a page and as JSON; and the WebSocket on which the page hears of it. */
import type { Arrival } from "../core/arrival.ts";
import { Layout } from "../ui/layout.tsx";
import { readArrivalFilter } from "../ui/live/arrival-filter-form.tsx";
import { passes } from "../ui/live/passes.ts";
import { LivePage } from "../ui/pages/live-page.tsx";
import { failureResponse } from "./failures.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

/** What arrived last, by `?q=…&kind=…&side=…`. JSON: `{"arrivals":[…]}`; 503 while the index is away. */
export async function live(c: AppContext): Promise<Response> {
  const { desk } = c.get("services");
  const filter = readArrivalFilter(c.req.query());
  const arrivals = optional(desk.arrivals());
  if (wantsJson(c)) {
    return answerOrUnavailable(c, async () => {
      const those: readonly Arrival[] = await arrivals;
      return { arrivals: those.filter((arrival) => passes(arrival, filter)) };
    });
  }
  return sendPage(c, {
    title: "Live",
    route: "/live",
    content: (
      <Layout current="live" deskOpen>
        <LivePage arrivals={arrivals} filter={filter} here={`/live${new URL(c.req.url).search}`} />
      </Layout>
    ),
  });
}

/**
 * `/live/socket`: the WebSocket, one JSON array of `Arrival`s a message. 426 for a request that is none, 403 for one of another
 * site's page, 503 while the index is away.
 */
export async function liveSocket(c: AppContext): Promise<Response> {
  const { watch } = c.get("services");
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
    return failureResponse({ reason: "no-upgrade" });
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const socket = (await unlessAway(c, watch()))?.webSocket ?? null;
  // Its headers cannot be added to as it came from the object.
  return socket === null
    ? failureResponse({ reason: "index-unavailable" })
    : new Response(null, { status: 101, webSocket: socket });
}
