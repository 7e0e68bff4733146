/** `/live`: new reports as they arrive, as a page and as JSON, and the WebSocket behind it. */
import type { LiveEvent } from "../../core/issue/live-event.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { matchesLiveFilter } from "../../ui/live/live-filter.ts";
import { parseLiveFilter } from "../../ui/live/live-filter-form.tsx";
import { LivePage } from "../../ui/live/live-page.tsx";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { readScope } from "../scope-cookie.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../unavailable.ts";

/**
 * The latest events, filtered by `?q=…&kind=…&side=…`, and the page also by the environment of the
 * scope. JSON: `{"events":[…]}`; 503 while the index is unavailable.
 */
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
      <Layout current="live" isSignedIn scoped="live">
        <LivePage
          events={events}
          filter={filter}
          environment={readScope(c).environment}
          url={`/live${new URL(c.req.url).search}`}
        />
      </Layout>
    ),
  });
}

/**
 * `/live/socket`: the WebSocket; each message is a JSON array of `LiveEvent`s. 426 without an
 * upgrade header, 403 for a page of another site, 503 while the index is unavailable.
 */
export async function openLiveSocket(c: AppContext): Promise<Response> {
  const { connectLiveSocket } = c.get("services");
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
    return toFailureResponse({ reason: "upgrade-required" });
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const socket =
    (await awaitOrNull(c, connectLiveSocket(c.get("principal").endsMs)))?.webSocket ?? null;
  // The headers of the object's response are immutable.
  return socket === null
    ? toFailureResponse({ reason: "index-unavailable" })
    : new Response(null, { status: 101, webSocket: socket });
}
