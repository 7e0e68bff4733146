/** A Worker that the shop calls, with a page of its own for requests that fail. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { withErrata, wrapEntrypoint } from "errata/workers";

export class Stock extends WorkerEntrypoint {
  left(item) {
    throw new RangeError(`there is no ${item}`);
  }
}
wrapEntrypoint(Stock);

const HTML = { "content-type": "text/html" };

export default withErrata(
  { respond: ({ digest }) => new Response(`<p>${digest}`, { status: 503, headers: HTML }) },
  {
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/trace") return new Response(request.headers.get("traceparent"));
      if (pathname === "/page") return new Response("<p>stock", { headers: HTML });
      throw new RangeError("the stock is closed");
    },
  },
);
