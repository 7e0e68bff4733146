import { nameFailure } from "errata/fastify";
import type { FastifyInstance } from "fastify";
import { getPrice } from "./cart.ts";

/** A part of the application that answers its failures itself. */
export async function ownPages(app: FastifyInstance): Promise<void> {
  app.get("/:page", () => getPrice("own"));
  app.setErrorHandler((error, request, reply) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/own/page") {
      const { digest } = nameFailure(error, request);
      return reply.code(500).type("text/html").send(`<p>Sorry: ${digest}`);
    }
    if (pathname === "/own/refused") return reply.code(404).send("No such thing");
    if (pathname === "/own/alike")
      return reply
        .code(500)
        .send({ statusCode: 500, error: "Internal Server Error", message: "Sorry" });
    if (pathname === "/own/text")
      return reply.code(500).send(JSON.stringify({ statusCode: 500, error: "Sorry" }));
    if (pathname === "/own/silent") return reply.code(200).send("All is well");
    if (pathname === "/own/passed") throw error;
    if (pathname === "/own/failing") throw new Error("secret-of-the-kitchen: no page");
    return reply.code(500).send({ error: "Sorry" });
  });
}
