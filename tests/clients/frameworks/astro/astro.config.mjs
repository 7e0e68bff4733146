import node from "@astrojs/node";
import { defineConfig } from "astro/config";
import { errata } from "errata/astro";

// The address of Errata for browsers, without the key.
const { origin } = new URL(process.env.ERRATA_DSN || "http://localhost");

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  integrations: [errata({ browser: { to: `${origin}/monitoring` } })],
});
