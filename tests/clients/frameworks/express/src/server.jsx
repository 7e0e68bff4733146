import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { errata, handleErrors, nameFailure } from "errata/express";
import express from "express";
import { createCart } from "./cart.js";
import { renderPage } from "./render.jsx";

const app = express();
app.use(errata());
app.use(express.json());
app.use("/assets", express.static("dist/client"));

app.get("/", (_req, res) => res.send("<!doctype html><h1>Shop</h1>"));
app.get("/price/:id", (req) => createCart(req.params.id).price());
app.get("/async/:id", async (req) => createCart(req.params.id).total());
app.use("/middleware", () => createCart("m").price());
app.get("/middleware/:id", (_req, res) => res.send("never"));
app.get("/next", (_req, _res, next) => next(createCart("n").refuse()));
app.get("/text", () => {
  throw "secret-of-the-kitchen: no tea";
});
app.get("/rejected", () => Promise.reject());
app.get("/unavailable", () => {
  throw Object.assign(createCart("u").refuse(), { status: 503, headers: { "retry-after": "9" } });
});
app.post("/api/orders/:id", async (req) => createCart(req.params.id).total());

const admin = express.Router();
admin.get("/orders/:id", (req) => createCart(req.params.id).price());
app.use("/admin/:team", admin);

// Parts of the application that answer their failures themselves.
const own = express.Router();
own.get("/page", () => createCart("own").price());
own.get("/hidden", () => createCart("own").price());
own.get("/refused", () => createCart("own").price());
own.get("/silent", () => createCart("own").price());
own.use((error, req, res, next) => {
  if (req.path === "/page") res.status(500).send(`<p>Sorry: ${nameFailure(error, req).digest}</p>`);
  else next(error);
});
app.use("/own", own);

// Failures after the headers.
app.get("/late/next", async (_req, res) => {
  res.write("<p>Here it comes");
  await setTimeout(20);
  await createCart("l").total();
});
app.get("/late/pipeline", async (_req, res) => {
  res.type("html");
  await pipeline(Readable.from(createCart("p").listLines()), res);
});
app.get("/late/timer", (_req, res) => {
  res.write("<p>Here it comes");
  setImmediate(() => {
    res.end("</p>");
    createCart("t").price();
  });
});
app.get("/late/rejection", (_req, res) => {
  res.send("<p>Ordered");
  void createCart("r").total();
});

app.get("/react/:page", renderPage);

// Not failures.
app.get("/redirect", (_req, res) => res.redirect("/"));
app.get("/forbidden", () => {
  throw Object.assign(new Error("secret-of-the-kitchen: not yours"), { status: 403 });
});
app.get("/slow", async (_req, res) => {
  console.log("A slow visitor waits.");
  await once(res, "close");
  createCart("s").price();
});

app.use(handleErrors());

// The application's own error page for one part.
app.use("/own", (_error, req, res, _next) => {
  if (req.path === "/refused") return res.status(404).send("<p>No such thing");
  if (req.path === "/silent") return res.send("<p>All is well");
  return res.status(500).json({ error: "Sorry" });
});

app.listen(process.env.PORT, process.env.HOST);
