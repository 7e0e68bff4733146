import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openErrata } from "../errata.ts";
import { startWorker } from "../workerd.ts";
import type { App } from "./app.ts";
import { IDLE_MODULES } from "./bare.ts";
import { ask, expectReportCount, testControls, testFailures } from "./failing-app.ts";
import { CONTROLS, FAILURES } from "./hono-failures.ts";

const errata = openErrata();
const app = openWorker([]);
const bare = openWorker([withoutAdapter()]);

/** Bundles the app of `hono/` as wrangler does, and runs it without compatibility flags. */
function openWorker(plugins: Plugin[]): App {
  let workerd: Miniflare | undefined;
  let url = "";
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("hono/src/worker.ts", import.meta.url))],
      bundle: true,
      format: "esm",
      target: "es2022",
      conditions: ["workerd", "worker", "browser"],
      write: false,
      logLevel: "error",
      plugins,
    });
    workerd = await startWorker(outputFiles[0]?.text ?? "", errata.serverDsn, []);
    url = (await workerd.ready).origin;
  });
  afterAll(() => workerd?.dispose());
  return {
    get url() {
      return url;
    },
    copy: "",
    output: () => "",
  };
}

function withoutAdapter(): Plugin {
  return {
    name: "without adapter",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^errata\// }, ({ path }) => ({ path, namespace: "idle" }));
      onLoad({ filter: /./, namespace: "idle" }, ({ path }) => ({ contents: IDLE_MODULES[path] }));
    },
  };
}

describe("a failure in Hono in workerd, which gives variables to each request", () => {
  testFailures(FAILURES, { app, bare, errata });
});

describe("what is no failure in Hono in workerd", () => {
  testControls(CONTROLS, { app, bare, errata });

  it("is not reported, and every one of many failures at a time is", async () => {
    const count = 40;
    await Promise.all(Array.from({ length: count }, () => ask(app, { path: "/price/7" })));
    await expectReportCount(errata, FAILURES.length + count);
  });
});
