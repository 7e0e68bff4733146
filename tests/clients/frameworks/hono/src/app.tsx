import { errata, nameFailure } from "errata/hono";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { stream } from "hono/streaming";
import { validator } from "hono/validator";
import { getPrice, getTotal, pause } from "./cart.ts";
import { pages } from "./pages.tsx";

export const app = errata(new Hono());

app.get("/", (c) => c.html("<!doctype html><h1>Shop</h1>"));
app.get("/price/:id", (c) => c.text(getPrice(c.req.param("id"))));
app.get("/total/:id", async (c) => c.text(await getTotal(c.req.param("id"))));
app.use("/middleware/*", async () => {
  getPrice("m");
});
app.get("/middleware/:id", (c) => c.text("never"));
app.get("/text", () => {
  throw "secret-of-the-kitchen: no tea";
});
app.get("/nothing", () => Promise.reject());
app.get("/exception/message", () => {
  throw new HTTPException(503, { message: "Come back later", cause: new Error("no stock") });
});
app.get("/exception/response", () => {
  const headers = { "content-type": "text/html", "retry-after": "9" };
  throw new HTTPException(502, { res: new Response("<p>Come back later", { headers }) });
});
app.post("/api/orders/:id", async (c) => c.json(await getTotal(c.req.param("id"))));

app.route(
  "/admin/:team",
  new Hono().get("/orders/:id", (c) => c.text(getPrice("a"))),
);

// A part of the application that answers its failures itself.
const own = new Hono();
own.get("/:page", (c) => c.text(getPrice("own")));
own.onError((error, c) => {
  if (c.req.path === "/own/page") return c.html(`<p>${nameFailure(error, c).digest}`, 500);
  if (c.req.path === "/own/refused") return c.text("No such thing", 404);
  if (c.req.path === "/own/silent") return c.text("All is well");
  if (c.req.path === "/own/failing") throw new Error("secret-of-the-kitchen: no page");
  return c.json({ error: "Sorry" }, 500);
});
app.route("/own", own);

app.get("/stream", (c) =>
  stream(
    c,
    async (writer) => {
      await writer.write("One line\n");
      await getTotal("s");
    },
    async (error) => {
      nameFailure(error, c, { how: "stream" });
    },
  ),
);

app.route("/jsx", pages);

// Not failures.
app.get("/redirect", (c) => c.redirect("/"));
app.get("/forbidden", () => {
  throw new HTTPException(403, { message: "Not yours" });
});
app.post(
  "/validated",
  validator("json", (value) => value),
  (c) => c.text("fine"),
);
app.get("/slow", async (c) => {
  console.log("A slow visitor waits.");
  await new Promise((resolve) => c.req.raw.signal.addEventListener("abort", resolve));
  await pause();
  return c.text(getPrice("w"));
});
