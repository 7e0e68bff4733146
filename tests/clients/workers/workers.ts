/** The team's two Workers in workerd, bundled with the built library as wrangler bundles them. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { libraryFolder } from "../../../.tools/build/library.ts";

/** The Workers, and the lines that they have logged. */
export interface TeamWorkers {
  readonly shop: Miniflare;
  readonly logged: readonly string[];
}

/** Bundles one module of `app`. */
function bundleWorker(file: string): Promise<string> {
  return build({
    entryPoints: [fileURLToPath(new URL(`app/${file}`, import.meta.url))],
    alias: { "errata/workers": join(libraryFolder, "workers.js") },
    external: ["cloudflare:*"],
    bundle: true,
    format: "esm",
    // As wrangler does by default.
    keepNames: true,
    write: false,
    logLevel: "error",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
}

/** Starts both. They report to `dsn`; `origin` is a site that the shop requests. */
export async function startWorkers(dsn: string, origin: string): Promise<TeamWorkers> {
  const [shop = "", stock = ""] = await Promise.all(["shop.js", "stock.js"].map(bundleWorker));
  const logged: string[] = [];
  const shared = { compatibilityDate: "2026-10-01", compatibilityFlags: ["nodejs_compat"] };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => {
        logged.push(message);
      },
      workers: [
        {
          ...shared,
          name: "shop",
          modules: [{ type: "ESModule", path: "shop.js", contents: shop }],
          bindings: { ERRATA_DSN: dsn, ORIGIN: origin },
          serviceBindings: { STOCK: "stock", STOCK_RPC: { name: "stock", entrypoint: "Stock" } },
          durableObjects: {
            CART: { className: "Cart", useSQLite: true },
            ROOM: { className: "Room", useSQLite: true },
          },
          workflows: { ORDERS: { name: "orders", className: "Order" } },
          queueProducers: { QUEUE: "prints" },
          queueConsumers: { prints: { maxBatchTimeout: 0, maxRetries: 0 } },
        },
        {
          ...shared,
          name: "stock",
          modules: [{ type: "ESModule", path: "stock.js", contents: stock }],
          bindings: { ERRATA_DSN: dsn },
        },
      ],
    }),
  );
  await miniflare.ready;
  return { shop: miniflare, logged };
}
