import { serve } from "@hono/node-server";
import { watchProcess } from "errata/node";
import { app } from "./app.tsx";

watchProcess();
serve({
  fetch: app.fetch,
  port: Number(process.env.PORT),
  hostname: process.env.HOST ?? "localhost",
});
