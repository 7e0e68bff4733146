/**
 * The team's shop: a Worker with every handler, its Durable Objects and a Workflow, which fail in
 * every way they can, and service bindings to another Worker.
 */
import { DurableObject, WorkflowEntrypoint } from "cloudflare:workers";
import { capture, withErrata, wrapDurableObject, wrapWorkflow } from "errata/workers";

/** A shopping cart, which callers reach by fetch and by RPC. */
export class Cart extends DurableObject {
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/trace") return new Response(request.headers.get("traceparent"));
    if (pathname === "/closed") throw new RangeError("the cart is closed");
    throw new RangeError("the cart does not answer");
  }

  async total(name) {
    if (name === "empty") throw new RangeError("the cart is empty");
    try {
      return await this.add(name);
    } catch {
      return 0;
    }
  }

  /** The object itself handles this failure. */
  add() {
    throw new TypeError("handled in the object");
  }

  arm() {
    return this.ctx.storage.setAlarm(1);
  }

  alarm() {
    throw new Error("the alarm failed");
  }
}
wrapDurableObject(Cart);

export class Room extends DurableObject {
  fetch() {
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1]);
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  webSocketMessage(socket, message) {
    socket.send(`echo ${message}`);
    throw new Error("cannot keep the message");
  }
}
wrapDurableObject(Room);

export class Order extends WorkflowEntrypoint {
  async run(_event, step) {
    await step.do("charge", { retries: { limit: 0, delay: 1 } }, async () => {
      throw new Error("the card was declined");
    });
  }
}
wrapWorkflow(Order);

const HTML = { headers: { "content-type": "text/html; charset=utf-8" } };
const frozen = Object.freeze(new RangeError("this error is frozen"));

/** What each path answers. */
const ROUTES = {
  "/page": () => new Response("<p>fine", HTML),
  "/data": () => Response.json({ fine: true }),
  "/file": () => new Response("bytes", { headers: { "content-type": "image/png" } }),
  "/proxied": (_, env) => env.STOCK.fetch("http://stock.example/page"),
  "/web": (_, env) => fetch(`${env.ORIGIN}/page`),
  "/stream": () => {
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const pieces = ["first ", "second"].map((text) => new TextEncoder().encode(text));
    Promise.all(pieces.map((piece) => writer.write(piece)))
      .then(() => writer.close())
      .catch(() => undefined);
    return new Response(readable, HTML);
  },
  "/socket": (request, env) => env.ROOM.getByName("a").fetch(request),
  "/thrown": () => {
    throw new TypeError("no price");
  },
  "/text": () => {
    throw "no tea";
  },
  "/frozen": () => {
    throw frozen;
  },
  "/later": async () => {
    await scheduler.wait(1);
    throw new TypeError("no price, later");
  },
  "/captured": () => {
    const error = new Error("handled with a page");
    const { digest } = capture(error, { route: "/captured", tags: { plan: "gold" } });
    return new Response(digest, { status: 500, ...HTML });
  },
  "/captured-and-thrown": () => {
    const error = new Error("captured, then thrown");
    capture(error);
    throw error;
  },
  "/redirect": () => {
    throw Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/a;307;" });
  },
  "/object": (_, env) => env.CART.getByName("a").fetch("http://cart.example/7"),
  "/object-traced": (_, env) => env.CART.getByName("a").fetch("http://cart.example/closed"),
  "/object-rpc": async (_, env) => new Response(await env.CART.getByName("a").total("empty")),
  "/object-handled": async (_, env) => new Response(await env.CART.getByName("a").total("full")),
  "/service": (_, env) => env.STOCK.fetch("http://stock.example/thrown"),
  "/service-rpc": async (_, env) => new Response(await env.STOCK_RPC.left("hammer")),
  "/trace/object": (_, env) => env.CART.getByName("a").fetch("http://cart.example/trace"),
  "/trace/service": (_, env) => env.STOCK.fetch(new Request("http://stock.example/trace")),
  "/trace/web": (_, env) => fetch(`${env.ORIGIN}/trace`),
  "/trace/own": (_, env) => fetch(`${env.ORIGIN}/trace`, { headers: { traceparent: "own" } }),
  "/arm": async (_, env) => new Response(await env.CART.getByName("alarm").arm()),
  "/order": async (_, env) => new Response((await env.ORDERS.create()).id),
  "/send": async (_, env) => new Response(await env.QUEUE.send("paper")),
};

export default withErrata(
  { release: "shop@1" },
  {
    fetch(request, env) {
      const respond = ROUTES[new URL(request.url).pathname];
      return respond ? respond(request, env) : new Response("not here", { status: 404 });
    },
    scheduled() {
      throw new Error("the nightly job failed");
    },
    queue(batch) {
      throw new Error(`cannot print on ${batch.messages[0].body}`);
    },
    email() {
      throw new Error("cannot read the mail");
    },
  },
);
