/** `/live`: what arrives now, as a page and as JSON; and the WebSocket on which the page hears of it. */
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { matchesLiveFilter } from "../../ui/live/live-filter.ts";
import { parseLiveFilter } from "../../ui/live/live-filter-form.tsx";
import { LivePage } from "../../ui/live/live-page.tsx";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../unavailable.ts";

/** What arrived last, by `?q=…&kind=…&side=…`. JSON: `{"events":[…]}`; 503 while the index is away. */
export async function serveLive(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const filter = parseLiveFilter(c.req.query());
  const events = ignoreRejection(projectStore.listLiveEvents());
  if (wantsJson(c)) {
    return respondOrUnavailable(c, async () => {
      const all: readonly LiveEvent[] = await events;
      return { events: all.filter((event) => matchesLiveFilter(event, filter)) };
    });
  }
  return sendPage(c, {
    title: "Live",
    route: "/live",
    content: (
      <Layout current="live" isSignedIn>
        <LivePage events={events} filter={filter} url={`/live${new URL(c.req.url).search}`} />
      </Layout>
    ),
  });
}

/**
 * `/live/socket`: the WebSocket, one JSON array of `Arrival`s a message. 426 for a request that is none, 403 for one of another
 * site's page, 503 while the index is away.
 */
export async function openLiveSocket(c: AppContext): Promise<Response> {
  const { connectLiveSocket } = c.get("services");
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
    return toFailureResponse({ reason: "upgrade-required" });
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const socket = (await awaitOrNull(c, connectLiveSocket()))?.webSocket ?? null;
  // Its headers cannot be added to as it came from the object.
  return socket === null
    ? toFailureResponse({ reason: "index-unavailable" })
    : new Response(null, { status: 101, webSocket: socket });
}
