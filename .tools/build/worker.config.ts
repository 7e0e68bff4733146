// Bundles the Worker into dist/worker: one minified module, and its map. Run after the build of the
// client, whose file names are in the Worker. Wrangler uploads the file as it is (`no_bundle` in
// wrangler.toml): the names and the constants of its own bundle take 20 kB more when compressed.

import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { withoutParserTexts } from "./vite-plugins.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CONDITIONS = ["workerd", "worker", "browser", "production"];

/** Modules of Node that packages name without `node:`. */
const BARE_NODE_MODULES = ["crypto", "stream", "util"];
const BARE_PREFIX = "\0node:";

/** `require("util")` of a CommonJS module as an import, since a Worker has no `require`. */
const importNodeModules: Plugin = {
  name: "import-node-modules",
  enforce: "pre",
  resolveId: (id) => (BARE_NODE_MODULES.includes(id) ? BARE_PREFIX + id : null),
  load: (id) =>
    id.startsWith(BARE_PREFIX) ? `export * from "node:${id.slice(BARE_PREFIX.length)}";` : null,
};

/**
 * `react-dom/server.bun` loads React's server a second time, only for a `renderToString` that Errata
 * does not use: `src/render/react/react-stream.ts` has its own. React has no such function.
 */
const withoutSecondReact: Plugin = {
  name: "without-second-react",
  enforce: "pre",
  resolveId(id, importer) {
    if (id !== "./cjs/react-dom-server-legacy.browser.production.js") return null;
    return this.resolve("react", importer);
  },
};

export default defineConfig({
  root,
  mode: "production",
  publicDir: false,
  plugins: [importNodeModules, withoutSecondReact, withoutParserTexts],
  define: { "process.env.NODE_ENV": '"production"' },
  oxc: { jsx: { runtime: "automatic", development: false } },
  ssr: { target: "webworker", noExternal: true, resolve: { conditions: CONDITIONS } },
  resolve: { conditions: CONDITIONS, mainFields: ["browser", "module", "main"] },
  build: {
    ssr: "src/main.ts",
    target: "es2024",
    outDir: "dist/worker",
    emptyOutDir: true,
    minify: true,
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: {
      external: [/^cloudflare:/, /^node:/],
      optimization: { inlineConst: { mode: "smart", pass: 3 } },
      // Modules that are imported when they are needed stay in the file, and run then.
      output: { codeSplitting: false, entryFileNames: "worker.js", comments: false },
    },
  },
});
