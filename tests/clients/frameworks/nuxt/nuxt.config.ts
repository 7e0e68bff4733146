// The address of Errata for browsers, without the key.
const { origin } = new URL(process.env.ERRATA_DSN || "http://localhost");

export default defineNuxtConfig({
  modules: [["errata/nuxt", { browser: { to: `${origin}/monitoring` } }]],
});
