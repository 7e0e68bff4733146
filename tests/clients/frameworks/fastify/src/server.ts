import { Readable } from "node:stream";
import { errata } from "errata/fastify";
import Fastify from "fastify";
import { getPrice, getTotal, listLines, pause } from "./cart.ts";
import { ownPages } from "./own-pages.ts";

const app = Fastify({ logger: true });
await app.register(errata);

app.get("/", (_request, reply) => reply.type("text/html").send("<!doctype html><h1>Shop</h1>"));
app.get<{ Params: { id: string } }>("/price/:id", ({ params }) => getPrice(params.id));
app.get<{ Params: { id: string } }>("/total/:id", ({ params }) => getTotal(params.id));
app.get("/hook/:id", { preHandler: async () => void getPrice("h") }, () => "never");
app.get("/sent", (_request, reply) => reply.send(new Error("secret-of-the-kitchen: sent")));
app.get("/text", async () => {
  throw "secret-of-the-kitchen: no tea";
});
app.get("/object", async () => {
  throw { reason: "secret-of-the-kitchen: no reason" };
});
app.get("/nothing", () => Promise.reject());
app.get("/unavailable", () => {
  const headers = { "retry-after": "9" };
  throw Object.assign(new Error("secret-of-the-kitchen: no stock"), { statusCode: 503, headers });
});
app.post<{ Params: { id: string } }>("/api/orders/:id", ({ params }) => getTotal(params.id));
app.get("/serialized", () => ({
  toJSON: () => getPrice("z"),
}));
app.get("/on-send", { onSend: async () => getPrice("o") }, () => "fine");

app.register(
  async (admin) => {
    admin.get("/orders/:id", () => getPrice("a"));
  },
  { prefix: "/admin/:team" },
);
app.register(ownPages, { prefix: "/own" });

// A failure after the headers.
app.get("/stream", (_request, reply) =>
  reply.type("text/html").send(Readable.from(listLines("s"))),
);
app.get("/web-stream", () => {
  const lines = listLines("w");
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": "text/html" } });
});
app.get("/behind-reply", async (_request, reply) => {
  reply.type("text/html").send("<p>Fine");
  await pause();
  return getPrice("b");
});
// Before any of its bytes.
app.get("/no-stream", (_request, reply) =>
  reply.type("text/html").send(
    new Readable({
      read() {
        this.destroy(new Error("secret-of-the-kitchen: no line"));
      },
    }),
  ),
);
// Not failures.
app.get("/redirect", (_request, reply) => reply.redirect("/"));
app.get("/forbidden", () => {
  throw Object.assign(new Error("Not yours"), { statusCode: 403 });
});
const schema = {
  body: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
};
app.post("/validated", { schema }, () => "fine");
app.get("/slow", async (request) => {
  console.log("A slow visitor waits.");
  await new Promise((resolve) => request.raw.socket.on("close", resolve));
  await pause();
  return getPrice("w");
});

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? "localhost" });
