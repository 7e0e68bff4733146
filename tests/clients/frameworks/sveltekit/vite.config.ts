import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

// The address of Errata for browsers, without the key.
process.env.VITE_ERRATA = new URL(process.env.ERRATA_DSN || "http://localhost").origin;
// Forms are accepted from this origin only.
const origin = `http://127.0.0.1:${process.env.PORT}`;

export default defineConfig({
  plugins: [
    sveltekit({ adapter: adapter(), paths: { origin }, experimental: { remoteFunctions: true } }),
  ],
});
