// Five projects: `core` in Node, `worker` inside workerd with the bindings of wrangler.toml,
// `build` and `browser` on the built product (`npm test` builds it first; by hand: `npm run
// build`). The browser tests run last, so that they do not share the cores with other tests.
// `clients` runs the real clients of tests/clients, which `npm run test:clients` alone installs and
// runs.

import { fileURLToPath } from "node:url";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { keepTemporaryFilesInMemory } from "#support/temporary-files.ts";

process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
const root = fileURLToPath(new URL("..", import.meta.url));
keepTemporaryFilesInMemory();

/** `expect.poll` waits for background work, and the load of the machine is unknown. */
const expect = { poll: { timeout: 20_000 } };

/**
 * How often a failed test is run again: 0, and 1 in `.ci/run`. Its machines are slow and shared, and
 * browsers, processes and real timers have deadlines. `npm test` names the tests that needed it.
 */
const retry = Number(process.env.ERRATA_TEST_RETRIES ?? 0);

export default defineConfig({
  root,
  test: {
    // The output names slower tests. Tests of streams that wait on purpose are faster than this.
    slowTestThreshold: 3_000,
    // A test file waits for its server or browser some of the time.
    maxWorkers: 3,
    projects: [
      {
        root,
        test: {
          name: "core",
          retry,
          environment: "node",
          // Pure functions share nothing but the modules, which then load once.
          isolate: false,
          include: [
            "tests/{adapters,core,front,operations,ingest,export-format,store}/**/*.test.{ts,tsx}",
          ],
          // Property tests take seconds on a busy machine; a pattern that backtracks takes minutes.
          testTimeout: 60_000,
          setupFiles: [
            "tests/support/clock/fixed-clock.ts",
            "tests/support/console.ts",
            "tests/support/adapters/forget-instance.ts",
          ],
        },
      },
      {
        root,
        // React's production build has no jsxDEV, which the bundler would call otherwise.
        oxc: { jsx: { runtime: "automatic", development: false } },
        plugins: [
          cloudflareTest({
            main: "./tests/support/store/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            // React picks its build at run time by process.env.NODE_ENV, which is made from the
            // bindings. The tests run the deployed build.
            // A deployment has no bucket by default: tests of the backup give it to the Worker.
            miniflare: {
              // How long `http/api/fuzz.test.ts` searches.
              bindings: { NODE_ENV: "production", FUZZ_ROUNDS: process.env.FUZZ_ROUNDS ?? "3" },
              r2Buckets: ["TEST_BUCKET"],
            },
          }),
        ],
        test: {
          name: "worker",
          retry,
          expect,
          // Starting an isolate and loading the modules takes longer than the tests of a file.
          isolate: false,
          include: ["tests/worker/**/*.test.{ts,tsx}"],
          testTimeout: 60_000,
          setupFiles: [
            "tests/support/clock/fixed-clock.ts",
            "tests/support/console.ts",
            "tests/support/store/empty-store-per-file.ts",
          ],
        },
      },
      {
        root,
        test: {
          name: "build",
          retry,
          environment: "node",
          include: ["tests/build/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: "browser",
          retry,
          expect,
          environment: "node",
          include: ["tests/browser/**/*.test.ts"],
          // The files that a process runs one after another share its browser.
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: "clients",
          retry,
          environment: "node",
          include: ["tests/clients/*/*.test.ts"],
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
