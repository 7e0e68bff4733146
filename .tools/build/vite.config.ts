// Builds the browser's files: `page`, which contains the reporter, `self-test` (which loads
// `hydrate`), `report-dialog` for the Worker, the reporter's script for other sites, and the style
// sheet. Uses React's production build in every mode, because the Worker that serves these files is
// the deployed one. src/render/assets.ts reads the hashed names that `writeAssetNames` takes from
// the manifest.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { SAMPLE_ERRORS } from "../../src/core/sample/sample-errors.ts";
import { mapFolder } from "./built.ts";
import { createDocsPages } from "./docs-site.ts";
import { readReactTexts } from "./react-texts.ts";
import { createReporterScript } from "./reporter-script.ts";
import {
  addPackages,
  createClassicScript,
  separateMaps,
  withoutParserTexts,
  withoutPreloading,
  writeAssetNames,
  writeData,
  writeOpenApi,
  writeRelease,
} from "./vite-plugins.ts";

export default defineConfig({
  plugins: [
    withoutPreloading,
    withoutParserTexts,
    createDocsPages(),
    createReporterScript,
    createClassicScript("report-dialog", "report-dialog.js"),
    separateMaps(mapFolder),
    writeRelease("release.json"),
    addPackages,
    writeData("error-texts/react.json", readReactTexts()),
    writeData("sample-errors.json", SAMPLE_ERRORS),
    writeOpenApi,
    writeAssetNames("assets.json", [
      ...["src/client/page.ts", "src/client/self-test-entry.ts"],
      ...["src/ui/style.css", "src/ui/layout/fonts/inter-latin.woff2"],
      "src/ui/layout/fonts/geist-mono-latin.woff2",
    ]),
  ],
  root: fileURLToPath(new URL("../..", import.meta.url)),
  mode: "production",
  define: { "process.env.NODE_ENV": '"production"' },
  oxc: { jsx: { runtime: "automatic", development: false } },
  build: {
    target: "es2022",
    outDir: "dist/client",
    manifest: true,
    // Without comments in the scripts, because browsers could not read the maps.
    sourcemap: "hidden",
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // A service worker has a fixed URL, at the root of its scope.
      output: {
        entryFileNames: ({ name }) =>
          name === "push-worker" ? "push-worker.js" : "assets/[name]-[hash].js",
      },
      input: {
        "push-worker": "src/client/push-worker.ts",
        "docs-search": "src/client/docs-search.ts",
        page: "src/client/page.ts",
        "self-test": "src/client/self-test-entry.ts",
        "report-dialog": "src/client/embed/report-dialog.ts",
        style: "src/ui/style.css",
        docs: "src/docs/docs.css",
      },
    },
  },
});
